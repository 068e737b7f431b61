/** A number in decimal without what does not count: its digits, and the power of ten that they stand at. */
const decimal = (number: string): string => {
  const [, sign = '', whole = '', part = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(number) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const counted = digits.replace(/0+$/, '');
  return counted === '' ? '0' : `${sign}${counted}e${Number(power) - part.length + digits.length - counted.length}`;
};

/** Digits or a power that a number may not keep; most of what is read has neither, and is not looked through. */
const LONG = /[\d.]{16}|[\d.]e[+-]?\d{3}/i;

/**
 * Reads JSON. A number with more digits than a number keeps is `lost(written, read)`, so that nothing is rounded unsaid. Throws SyntaxError
 * for what is no JSON. (A browser that does not hand out what was written rounds.)
 */
export const readJson = (text: string, lost: (written: string, read: number) => unknown): unknown => {
  if (!LONG.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name: string, value: unknown, told?: { source?: string }) => {
    const written = told?.source;
    if (typeof value !== 'number' || written === undefined || decimal(String(value)) === decimal(written)) return value;
    return lost(written, value);
  });
};

/** Such a number is mostly a serial number: kept as the text that was written. */
export const asWritten = (written: string): string => written;
