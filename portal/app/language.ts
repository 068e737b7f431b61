export const LANGUAGES = ['en', 'nb'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of a locale's first segment: `no` (and nn) read nb, whatever else is not supported reads en. */
export const languageOf = (locale: string | null | undefined): Language => {
  const first = (locale ?? '').toLowerCase().split(/[-_]/)[0];
  return first === 'nb' || first === 'no' || first === 'nn' ? 'nb' : 'en';
};

/** The person's own setting, else the browser's language, else English. */
export const chooseLanguage = (setting: string | null | undefined, browser: string | null | undefined): Language =>
  languageOf(setting || browser);

/** How numbers and sorting follow the language; the default locale is en-US. */
export const localeOf = (language: string): string => (language === 'nb' ? 'nb-NO' : 'en-US');
