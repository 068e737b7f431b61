import { createContext, useContext } from 'react';
import { en, type Words } from './en.ts';
import { nb } from './nb.ts';

export type Language = 'en' | 'nb';

/** The first segment of the browser's language; no, nb and nn are read as Bokmål, anything else unsupported as English. */
export function languageOf(tag: string): Language {
  return ['no', 'nb', 'nn'].includes(tag.split('-')[0]?.toLowerCase() ?? '') ? 'nb' : 'en';
}

const LOCALES: Record<Language, string> = { en: 'en-GB', nb: 'nb-NO' };
export const WORDS: Record<Language, Words> = { en, nb };

export const LanguageContext = createContext<Language>('en');

export function useWords(): { words: Words; locale: string } {
  const language = useContext(LanguageContext);
  return { words: WORDS[language], locale: LOCALES[language] };
}
