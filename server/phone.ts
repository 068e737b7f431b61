import { getCountries, isSupportedCountry, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { NUMBER_SIGNS } from '@hatchway/domain/receiver.ts';
import { plainText } from '@hatchway/domain/text.ts';
import { ruled } from './http/problem.ts';

/** Kinds of numbers that take no SMS, where the country's plan tells them apart. */
const NO_SMS: ReadonlySet<string | undefined> = new Set([
  'FIXED_LINE',
  'TOLL_FREE',
  'PREMIUM_RATE',
  'SHARED_COST',
  'UAN',
  'VOICEMAIL',
  'PAGER',
]);

type Phone = {
  /** E.164: + and 8 to 15 digits. */
  readonly number: string;
  readonly takesSms: boolean;
};

/**
 * What somebody typed as a number that its country's plan knows, by that country where it has no country code (ISO 3166 alpha-2); null
 * where it is none. Numbers of up to five digits reach nobody from abroad, and are none.
 */
export const phoneNumber = (typed: string, country: string): Phone | null => {
  const plain = plainText(typed);
  if (!NUMBER_SIGNS.test(plain)) return null;
  const bare = plain.replace(/^tel:/i, '').replaceAll('/', ' ');
  const read = (text: string): PhoneNumber | undefined => {
    const found = parsePhoneNumberFromString(text, { extract: false, ...(isSupportedCountry(country) ? { defaultCountry: country } : {}) });
    return found?.isValid() === true && found.nationalNumber.length > 5 ? found : undefined;
  };
  // "+47 (0) 912 34 567": what is dialled at home alone, save in countries that keep it.
  const found = read(bare.replace(/\(0\)/, '')) ?? read(bare);
  return found ? { number: found.number, takesSms: !NO_SMS.has(found.getType()) } : null;
};

export const isInternational = (typed: string): boolean => /^(?:tel:)?(?:\+|00)/i.test(plainText(typed));

/** Every number that somebody may mean who has no country: with a country code it is one. */
export const numbersMeant = (typed: string): readonly string[] => {
  if (!NUMBER_SIGNS.test(plainText(typed))) return [];
  const meant = (isInternational(typed) ? ['NO'] : getCountries()).flatMap((country) => phoneNumber(typed, country)?.number ?? []);
  return [...new Set(meant)];
};

/** `number`: what a screen says; `country`: the one that was assumed. */
export type PhoneFault = { detail: string; data: { number: 'number' | 'no-sms'; country: string | null } };

/** Why it is not taken, with the country that was assumed; null where it is. */
export const phoneFault = (typed: string, country: string, use: 'sms' | 'call'): PhoneFault | null => {
  const found = phoneNumber(typed, country);
  const assumed = isInternational(typed) ? null : country;
  if (found?.takesSms === false && use === 'sms')
    return { detail: `is a landline, which takes no SMS: ${found.number}`, data: { number: 'no-sms', country: assumed } };
  if (found) return null;
  const where = assumed === null ? 'of that country' : `in ${country}, which is assumed where no country code is typed (such as +47)`;
  return { detail: `is no telephone number ${where}`, data: { number: 'number', country: assumed } };
};

/** A typed number as E.164. Throws Problem `rule` at its pointer, with the country that was assumed. */
export const phoneAt = (typed: string, country: string, pointer: string, use: 'sms' | 'call' = 'sms'): string => {
  const fault = phoneFault(typed, country, use);
  if (fault) throw ruled(fault.detail, pointer, 'rule', fault.data);
  return phoneNumber(typed, country)?.number ?? '';
};
