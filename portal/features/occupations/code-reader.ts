/** The browser's own reader of codes; not in TypeScript's library yet. */
type Reader = { detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]> };
type ReaderClass = new () => Reader;

/** A camera is given to secure pages alone. */
export const canScanByCamera = (): boolean => 'mediaDevices' in navigator;

/** Where the browser has no reader of its own (Safari, Firefox, Linux) one comes when it is used. */
export const codeReader = async (): Promise<Reader> => {
  const { BarcodeDetector: own } = globalThis as { BarcodeDetector?: ReaderClass };
  if (own) return new own();
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  // From us, and not from where its makers keep it.
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  return new (BarcodeDetector as ReaderClass)();
};
