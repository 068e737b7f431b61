import { drawingSVG, qrcode, toBuffer } from 'bwip-js/node';

/** The QR code of a text, drawn as a screen draws it: what a label on paper says can be compared with what it should say. */
export const qrOf = (text: string): string => qrcode({ bcid: 'qrcode', text }, drawingSVG());

/** A QR code has 25 squares a side and more. */
const SQUARES = 25;

/** The same as the sandbox's payment provider gives it out: drawn, or as a picture of about so many points a side. */
export const qrImage = (text: string, format: 'svg' | 'png', size: number): string | Promise<Buffer> =>
  format === 'svg' ? qrOf(text) : toBuffer({ bcid: 'qrcode', text, scale: Math.max(1, Math.round(size / (SQUARES * 2))) });
