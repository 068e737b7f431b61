import type { FormatterModule } from 'i18next';
import { localeOf } from '../app/language.ts';

/** Made once for each language: one costs more than the texts of a screen. */
const written = new Map<string, Intl.NumberFormat>();
const writtenIn = (language: string): Intl.NumberFormat => {
  const known = written.get(language) ?? new Intl.NumberFormat(localeOf(language));
  written.set(language, known);
  return known;
};

/** Numbers in texts are grouped as the language writes them, save those that name a thing: cabinet 1024 bears no comma. */
export const numbers: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: string | number | undefined, _format, language, options) =>
    typeof value === 'number' && options?.interpolationkey !== 'number' ? writtenIn(language ?? 'en').format(value) : String(value ?? ''),
};

export const interpolation = { escapeValue: false, alwaysFormat: true } as const;
