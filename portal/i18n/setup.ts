import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { type Language, chooseLanguage } from '../app/language.ts';
import { en } from './en/catalogue.ts';

const SETTING = 'language';

export const languageSetting = (): string | null => {
  try {
    return localStorage.getItem(SETTING);
  } catch {
    return null;
  }
};

/** English is always there (the fallback); Bokmål is fetched when it is chosen. */
const load = async (language: Language): Promise<void> => {
  if (language !== 'nb' || i18next.hasResourceBundle('nb', 'translation')) return;
  const { nb } = await import('./nb/catalogue.ts');
  i18next.addResourceBundle('nb', 'translation', nb);
};

export const startLanguage = async (): Promise<void> => {
  const language = chooseLanguage(languageSetting(), navigator.language);
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
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
