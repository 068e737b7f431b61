import { oneLine, plainText } from './text.ts';

/** The person for whom content lies in a locker. A receiver that can be contacted has `tlf` or `email`. */
export interface Receiver {
  readonly name: string;
  /** E.164: + and 8 to 15 digits. */
  readonly tlf: string | null;
  /** In its normal form. */
  readonly email: string | null;
}

/** Why a receiver does not know yet of what was sent: the message went to an address that has been corrected since. */
export const ADDRESS_CHANGED = 'address-changed';

const NAME_MAX = 100;
export const EMAIL_MAX = 254;

/**
 * The one pattern of e-mail, for the wire and the screens (specification, section 5: a generic one): one @, no blanks, a dot in the
 * domain. The mail server has the last word. Without flags that change what it means, since the API's reader gets it as it stands.
 */
export const EMAIL_PATTERN =
  /^[^\s\p{Cc}@<>",;:\\()[\]]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)+$/u;
const TLF_PATTERN = /^\+[1-9]\d{7,14}$/;

const CALLING_CODES: Readonly<Record<string, string>> = {
  NO: '47', SE: '46', DK: '45', FI: '358', IS: '354', DE: '49', GB: '44', IE: '353', NL: '31', BE: '32', FR: '33', ES: '34',
  PT: '351', IT: '39', AT: '43', CH: '41', PL: '48', EE: '372', LV: '371', LT: '370', US: '1', CA: '1',
}; // prettier-ignore
/** Where the 0 before a national number is part of it and stays after the country code. */
const KEEPS_ZERO = new Set(['IT']);

/**
 * The one form in which an address is kept and compared: in plain signs and small letters. A mail server may tell capitals apart before
 * the @; none in use does, and people write one address both ways.
 */
export const normalEmail = (typed: string): string => plainText(typed).toLowerCase();

export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && EMAIL_PATTERN.test(text);

/** Whether a number of this country may be typed without its country code. */
export const knowsCallingCode = (country: string): boolean => CALLING_CODES[country] !== undefined;

/** A typed mobile number as E.164, by the company's country (ISO 3166 alpha-2); null where it cannot be one. */
export function toE164(typed: string, country = 'NO'): string | null {
  const bare = typed.trim().replaceAll(/[\s().\-/]/g, '');
  if (bare.startsWith('+')) return TLF_PATTERN.test(bare) ? bare : null;
  if (bare.startsWith('00')) return toE164(`+${bare.slice(2)}`, country);
  const code = CALLING_CODES[country];
  if (code === undefined || !/^\d+$/.test(bare)) return null;
  const national = bare.startsWith('0') && !KEEPS_ZERO.has(country) ? bare.slice(1) : bare;
  const whole = `+${code}${national}`;
  return TLF_PATTERN.test(whole) ? whole : null;
}

export type ReceiverField = 'name' | 'tlf' | 'email' | 'contact';
type ReceiverAnswer =
  | { readonly ok: true; readonly receiver: Receiver }
  | { readonly ok: false; readonly fields: readonly ReceiverField[] };

/**
 * Trims, makes the number E.164 and the address its normal form, and says which fields are wrong: `name` (not 1 to 100 characters), `tlf` (given, but no number of
 * that country), `email` (given, but no address), `contact` (neither was given).
 */
export function checkReceiver(input: { name?: string | null; tlf?: string | null; email?: string | null }, country = 'NO'): ReceiverAnswer {
  const name = oneLine(input.name ?? '');
  const typedTlf = (input.tlf ?? '').trim();
  const email = normalEmail(input.email ?? '');
  const tlf = typedTlf === '' ? null : toE164(typedTlf, country);
  const fields: ReceiverField[] = [];
  // By code points: a name of 100 emoji is 100 characters for the person who typed it.
  if (name === '' || Array.from(name).length > NAME_MAX) fields.push('name');
  if (typedTlf !== '' && tlf === null) fields.push('tlf');
  if (email !== '' && !isEmail(email)) fields.push('email');
  if (typedTlf === '' && email === '') fields.push('contact');
  return fields.length > 0 ? { ok: false, fields } : { ok: true, receiver: { name, tlf, email: email === '' ? null : email } };
}

/** Whether anything can be sent to them. */
export function isContactable(receiver: Receiver | null): receiver is Receiver {
  return receiver !== null && receiver.name !== '' && (receiver.tlf !== null || receiver.email !== null);
}
