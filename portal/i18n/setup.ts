import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Language, chooseLanguage, languageOf } from '../app/language.ts';
import { first } from './en/first.ts';
import { interpolation, numbers } from './numbers.ts';

const SETTING = 'language';

const languageSetting = (): string | null => {
  try {
    return localStorage.getItem(SETTING);
  } catch {
    return null;
  }
};

type Part = 'first' | 'all';
const WORDS: Record<Language, Record<Part, () => Promise<object>>> = {
  en: { first: () => Promise.resolve(first), all: async () => (await import('./en/catalogue.ts')).en },
  nb: { first: async () => (await import('./nb/first.ts')).first, all: async () => (await import('./nb/catalogue.ts')).nb },
};
const loaded = new Set<string>(['en first']);
let part: Part = 'first';

const load = async (language: Language): Promise<void> => {
  const [key, words] = [`${language} ${part}`, WORDS[language][part]];
  if (loaded.has(key)) return;
  i18next.addResourceBundle(language, 'translation', await words());
  loaded.add(key);
};

/** What every screen but the light ones awaits before it is drawn. */
export const loadAllWords = (): Promise<void> => {
  part = 'all';
  return load(languageOf(i18next.language));
};

export const startLanguage = async (): Promise<void> => {
  const language = chooseLanguage(languageSetting(), navigator.language);
  await i18next
    .use(initReactI18next)
    .use(numbers)
    .init({
      lng: language,
      fallbackLng: 'en',
      resources: { en: { translation: first } },
      interpolation,
      react: { useSuspense: false },
    });
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
};

/** Shows the other language at once and keeps it as this person's setting in this browser. */
export const switchLanguage = async (language: Language, keep = true): Promise<void> => {
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  if (!keep) return;
  try {
    localStorage.setItem(SETTING, language);
  } catch {
    // Where storage is forbidden the choice holds until the page is left.
  }
};

export { i18next };
