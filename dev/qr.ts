/** The QR code of a text, drawn as a screen draws it: what a label on paper says can be compared with what it should say. */
export const qrOf = async (text: string): Promise<string> => {
  const { toSVG } = await import('bwip-js/node');
  return toSVG({ bcid: 'qrcode', text });
};

/** A QR code has 25 squares a side and more. */
const SQUARES = 25;

/** The same as the sandbox's payment provider gives it out: drawn, or as a picture of about so many points a side. */
export const qrImage = async (text: string, format: 'svg' | 'png', size: number): Promise<string | Buffer> => {
  if (format === 'svg') return qrOf(text);
  const { toBuffer } = await import('bwip-js/node');
  return toBuffer({ bcid: 'qrcode', text, scale: Math.max(1, Math.round(size / (SQUARES * 2))) });
};
