/** Words of the screens as the specification and the sign-in page have them, told apart from the product's own catalogues on purpose. */
const words = {
  login: { en: 'E-mail or mobile number', nb: 'E-post eller mobilnummer' },
  password: { en: 'Password', nb: 'Passord' },
  signIn: { en: 'Sign in', nb: 'Logg inn' },
  next: { en: 'Next', nb: 'Neste' },
  back: { en: 'Back', nb: 'Tilbake' },
  notifyReceiver: { en: 'Notify Receiver', nb: 'Varsle mottaker' },
  assets: { en: 'Assets', nb: 'Eiendeler' },
  pickAsset: { en: 'Pick Asset!', nb: 'Velg eiendel!' },
  checkAllFields: { en: 'Check all fields!', nb: 'Sjekk alle felter!' },
  delivery: { en: 'Delivery', nb: 'Levering' },
  openLocker: { en: 'Open locker', nb: 'Åpne skapet' },
} as const;

export type Word = keyof typeof words;
export type Language = 'en' | 'nb';

export const say = (language: Language, word: Word): string => words[word][language];
