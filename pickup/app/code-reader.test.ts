import { afterEach, expect, test, vi } from 'vitest';
import { codeReader, look } from './code-reader.ts';

// Here is no address that its program could come from.
vi.mock('barcode-detector/ponyfill', () => ({
  BarcodeDetector: class {
    detect = async () => [];
  },
  prepareZXingModule: () => undefined,
}));

const page = globalThis as { BarcodeDetector?: unknown };
afterEach(() => {
  delete page.BarcodeDetector;
  vi.useRealTimers();
});

test.each([
  ['that knows what is asked', async () => ['ean_13', 'code_128', 'qr_code'], true],
  ['of an Android without its service', async () => [], false],
  ['that knows other codes alone', async () => ['aztec'], false],
  ['that cannot say what it knows', async () => Promise.reject(new Error('no service')), false],
])('a browser’s own reader %s', async (_, getSupportedFormats, own) => {
  class Own {
    static getSupportedFormats = getSupportedFormats;
    detect = async () => [];
  }
  page.BarcodeDetector = Own;
  expect((await codeReader(['qr_code'])) instanceof Own).toBe(own);
});

test('a reader that fails again and again is said to once, and one that fails between two frames is not', async () => {
  vi.useFakeTimers();
  const heard: string[] = [];
  const frames = (detect: () => Promise<{ rawValue: string }[]>) =>
    look(
      { detect },
      {} as HTMLVideoElement,
      (text) => heard.push(text),
      () => heard.push('failed'),
    );
  let frame = 0;
  const well = frames(async () => {
    frame += 1;
    if (frame % 15 > 0) throw new Error('no frame yet');
    return frame === 30 ? [{ rawValue: 'A-04' }] : [];
  });
  await vi.advanceTimersByTimeAsync(20_000);
  well();
  expect(heard).toEqual(['A-04']);
  const never = frames(() => Promise.reject(new Error('no service')));
  await vi.advanceTimersByTimeAsync(20_000);
  never();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(heard).toEqual(['A-04', 'failed']);
});
