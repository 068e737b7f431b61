declare module 'subset-font' {
  type Options = { targetFormat: 'woff2'; variationAxes?: { wght: { min: number; max: number } } };
  /** Cuts a font down to the characters of a text, and to a range of its weights. */
  export default function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
}
