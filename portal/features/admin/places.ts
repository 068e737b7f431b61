const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
/** What the names' list knows beside countries: unions, pseudo-regions and the unknown. */
const NONE = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

/** A code of what is called otherwise now as today's: DD is named Germany too, and no number is of it. */
export const codeOfNow = (code: string): string => new Intl.Locale(`und-${code}`).region ?? code;

/** Every country that the browser has a name for, in the language's order. */
export const countries = (language: string): { value: string; label: string }[] => {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NONE.has(code) && codeOfNow(code) === code)
    .flatMap((value) => {
      const label = names.of(value);
      return label ? [{ value, label }] : [];
    })
    .toSorted((a, b) => a.label.localeCompare(b.label, language));
};

export const timeZones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
