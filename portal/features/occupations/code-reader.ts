/** The browser's own reader of codes; not in TypeScript's library yet. */
type Reader = { detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]> };
type ReaderClass = { new (): Reader; getSupportedFormats(): Promise<readonly string[]> };

/** What labels and goods carry: ours, and those of shops and makers. */
const NEEDED = ['qr_code', 'ean_13', 'code_128'];

/** A camera is given to secure pages alone. */
export const canScanByCamera = (): boolean => 'mediaDevices' in navigator;

/** Where the browser has no reader of its own (Safari, Firefox, Linux), or one that reads nothing (Android without its service), one comes when it is used. */
export const codeReader = async (): Promise<Reader> => {
  const { BarcodeDetector: own } = globalThis as { BarcodeDetector?: ReaderClass };
  const known = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  if (own && NEEDED.every((one) => known.includes(one))) return new own();
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  // From us, and not from where its makers keep it.
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  return new (BarcodeDetector as ReaderClass)();
};

const EVERY = 180;
/** Some four seconds of them. */
const MANY = 20;

/**
 * Looks at the picture again and again until it is told to stop. A frame that is not there yet is no failure; many of them one after the
 * other are, and `fail` hears it once.
 */
export const look = (reader: Reader, video: HTMLVideoElement, read: (text: string) => void, fail: () => void): (() => void) => {
  let failed = 0;
  const timer = setInterval(() => {
    reader.detect(video).then(
      ([code]) => {
        failed = 0;
        if (code) read(code.rawValue);
      },
      () => {
        failed += 1;
        if (failed === MANY) fail();
      },
    );
  }, EVERY);
  return () => clearInterval(timer);
};
