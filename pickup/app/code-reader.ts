/** The browser's own reader of codes; not in TypeScript's library yet. */
type Reader = { detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]> };
type ReaderClass = new (options?: { formats: string[] }) => Reader;

/** A camera is given to secure pages alone. */
export const canScan = 'mediaDevices' in navigator;

/** Where the browser has no reader of its own (Safari, Firefox, Linux) one comes when it is used. */
export async function codeReader(formats: string[]): Promise<Reader> {
  const { BarcodeDetector: own } = globalThis as { BarcodeDetector?: ReaderClass };
  if (own) return new own({ formats });
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  // From us, and not from where its makers keep it.
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  return new (BarcodeDetector as ReaderClass)({ formats });
}
