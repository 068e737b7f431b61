import { languageOf, type Language } from '../words/words.ts';

/** What a person chose on this device. Storage may be forbidden; then the choice lasts as long as the page. */
const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // nothing to be done about it
  }
};

const LANGUAGE = 'pickup-language';
const THEME = 'color-theme';
const KNOWN = 'pickup-known';

export function firstLanguage(): Language {
  const chosen = read(LANGUAGE);
  return languageOf(chosen ?? navigator.language ?? '');
}

export function keepLanguage(language: Language): void {
  write(LANGUAGE, language);
}

let known = read(KNOWN) !== null;
const waiting = new Set<() => void>();
/** Whether a person was at this device before: a program that opens the links of mails begins anew each time. */
export const isKnown = (): boolean => known;
export const onKnown = (hear: () => void): (() => void) => {
  waiting.add(hear);
  return () => waiting.delete(hear);
};
export function keepKnown(): void {
  known = true;
  write(KNOWN, 'yes');
  for (const hear of waiting) hear();
}

/** Turns to the other theme than the one shown and keeps it; the portal reads the same key. */
export function turnTheme(): void {
  const root = document.documentElement;
  const shown = root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  const theme = shown === 'dark' ? 'light' : 'dark';
  root.dataset['theme'] = theme;
  write(THEME, theme);
}
