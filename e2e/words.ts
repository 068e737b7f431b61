/** Words of the screens as a person reads them, told apart from the product's own catalogues on purpose: a test that asks the catalogue agrees with every mistake in it. */
const words = {
  login: { en: 'E-mail or mobile number', nb: 'E-post eller mobilnummer' },
  password: { en: 'Password', nb: 'Passord' },
  signIn: { en: 'Sign in', nb: 'Logg inn' },
  dashboard: { en: 'Dashboard', nb: 'Oversikt' },
  delivery: { en: 'Delivery', nb: 'Levering' },
  asset: { en: 'Asset', nb: 'Gjenstand' },
  assets: { en: 'Assets', nb: 'Gjenstander' },
  name: { en: 'Name', nb: 'Navn' },
  tlf: { en: 'Mobile number', nb: 'Mobilnummer' },
  email: { en: 'E-mail', nb: 'E-post' },
  next: { en: 'Next', nb: 'Neste' },
  pickAsset: { en: 'Pick Asset!', nb: 'Velg gjenstand!' },
  checkAllFields: { en: 'Check all fields!', nb: 'Sjekk alle felt!' },
  openTag: { en: 'Open {tag}', nb: 'Åpne {tag}' },
  liesIn: { en: 'It lies in {tag}', nb: 'Det ligger i {tag}' },
  notify: { en: 'Notify Receiver', nb: 'Varsle mottaker' },
  notified: { en: '{name} is notified', nb: '{name} er varslet' },
  ended: { en: 'This has ended', nb: 'Dette er avsluttet' },
  openLocker: { en: 'Open locker', nb: 'Åpne luken' },
  tookAll: { en: 'Yes, I have everything', nb: 'Ja, jeg har alt' },
  done: { en: 'Done. Thank you', nb: 'Ferdig. Takk' },
  delivered: { en: 'Delivered', nb: 'Levert' },
  logout: { en: 'Logout', nb: 'Logg ut' },
  profileMenu: { en: 'Profile menu', nb: 'Profilmeny' },
} as const;

export type Word = keyof typeof words;
export type Language = 'en' | 'nb';

export const say = (language: Language, word: Word, values: Record<string, string> = {}): string =>
  words[word][language].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
