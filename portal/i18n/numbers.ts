import type { FormatterModule } from 'i18next';
import { localeOf } from '../app/language.ts';

/** Numbers in texts are grouped as the language writes them, save those that name a thing: cabinet 1024 bears no comma. */
export const numbers: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: string | number | undefined, _format, language, options) =>
    typeof value === 'number' && options?.interpolationkey !== 'number'
      ? value.toLocaleString(localeOf(language ?? 'en'))
      : String(value ?? ''),
};

export const interpolation = { escapeValue: false, alwaysFormat: true } as const;
