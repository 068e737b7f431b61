import { drawingSVG, qrcode } from 'bwip-js/browser';

/** A QR code as SVG. Import this file lazily: the encoder weighs more than a screen. */
export const qrSvg = (text: string): string => qrcode({ bcid: 'qrcode', text }, drawingSVG());
