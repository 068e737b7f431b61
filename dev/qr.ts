import { drawingSVG, qrcode } from 'bwip-js/node';

/** The QR code of a text, drawn as a screen draws it: what a label on paper says can be compared with what it should say. */
export const qrOf = (text: string): string => qrcode({ bcid: 'qrcode', text }, drawingSVG());
