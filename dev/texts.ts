import { en as pickupEn } from '@hatchway/pickup/words/en.ts';
import { nb as pickupNb } from '@hatchway/pickup/words/nb.ts';
import { en } from '@hatchway/portal/i18n/en/catalogue.ts';
import { nb } from '@hatchway/portal/i18n/nb/catalogue.ts';
import { WORDS as tool } from '@hatchway/sandbox/pages/assets-words.ts';
import { WORDS as cabinets } from '@hatchway/sandbox/pages/cabinets-words.ts';
import { WORDS as inbox } from '@hatchway/sandbox/pages/inbox-words.ts';
import { WORDS as vipps } from '@hatchway/sandbox/pages/vipps-words.ts';
import { WORDS as woo } from '@hatchway/sandbox/pages/woo-words.ts';
import { WORDS as directory } from '@hatchway/sandbox/pages/directory-words.ts';
import { WORDS as signIn } from '@hatchway/server/identity/words.ts';

/** Every text that a screen can say: the portal's as its own screens name them, the others below their place. */
const texts = {
  en: {
    ...en,
    pickup: pickupEn,
    signIn: signIn.en,
    sandbox: { cabinets: cabinets.en, inbox: inbox.en, vipps: vipps.en, woo: woo.en, assets: tool.en, directory: directory.en },
  },
  nb: {
    ...nb,
    pickup: pickupNb,
    signIn: signIn.nb,
    sandbox: { cabinets: cabinets.nb, inbox: inbox.nb, vipps: vipps.nb, woo: woo.nb, assets: tool.nb, directory: directory.nb },
  },
};

type Text = string | ((...values: never[]) => string);
type Leaves<T> = { [K in keyof T & string]: T[K] extends Text ? Whole<K> : `${K}.${Leaves<T[K]>}` }[keyof T & string];
/** A text for one and one for many have one name. */
type Whole<K extends string> = K extends `${infer Name}_one` | `${infer Name}_other` ? Name : K;

export type Language = keyof typeof texts;
export type Key = Leaves<typeof texts.en>;
export type Values = Record<string, string | number>;

/** Stands in a text for each value that is not given. */
export const HOLE = '\0';

export const filled = (text: string, values: Values): string =>
  text.replace(/\{?\{(\w+)[^}]*\}\}?/g, (_, name: string) => String(values[name] ?? HOLE));

/** A text with its values; the end-user site's texts, which are functions, take them in their order. */
export function textOf(language: Language, key: Key, values: Values = {}): string {
  const found = (name: string) =>
    name.split('.').reduce<unknown>((at, part) => (at && typeof at === 'object' ? Reflect.get(at, part) : undefined), texts[language]);
  const text = found(key) ?? found(`${key}_${Number(values['count'] ?? 1) === 1 ? 'one' : 'other'}`);
  if (typeof text === 'string') return filled(text, values);
  if (typeof text !== 'function') throw new Error(`The catalogue has no ${key}.`);
  const given = Object.values(values);
  return (text as (...all: (string | number)[]) => string)(...Array.from({ length: text.length }, (_, at) => given[at] ?? HOLE));
}
