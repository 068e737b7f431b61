/** The browser's own reader of codes; not in TypeScript's library yet. */
type Reader = { detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]> };
type ReaderClass = {
  new (options?: { formats: string[] }): Reader;
  getSupportedFormats(): Promise<readonly string[]>;
};

/** A camera is given to secure pages alone. */
export const canScan = 'mediaDevices' in navigator;

/** Where the browser has no reader of its own (Safari, Firefox, Linux), or one that reads nothing (Android without its service), one comes when it is used. */
export async function codeReader(formats: string[]): Promise<Reader> {
  const { BarcodeDetector: own } = globalThis as { BarcodeDetector?: ReaderClass };
  const known = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  if (own && formats.every((one) => known.includes(one))) return new own({ formats });
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  // From us, and not from where its makers keep it.
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  return new (BarcodeDetector as ReaderClass)({ formats });
}

const EVERY = 250;
/** About five seconds of them. */
const MANY = 20;

/**
 * Looks at the picture again and again until it is told to stop. A frame that is not there yet is no failure; many of them one after the
 * other are, and `fail` hears it once.
 */
export function look(reader: Reader, video: HTMLVideoElement, read: (text: string) => void, fail: () => void): () => void {
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
}
