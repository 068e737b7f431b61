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
 * The one pattern of e-mail, for the wire and the screens (specification, section 5: a generic one): one @, no blanks, dots between words
 * alone, a dot in the domain, whose letters may be of any alphabet (RFC 5890) and whose end is no number. The mail server has the
 * last word. Without flags that change what it means, since the API's reader gets it as it stands.
 */
export const EMAIL_PATTERN =
  /^(?!\.)(?![^@]*\.[.@])[^\s\p{Cc}@<>",;:\\()[\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?(?:\.(?!\p{N}*$|[A-Za-z]$)|$)){2,}$/u;
/**
 * The one form in which an address is kept and compared: in plain signs and small letters. A mail server may tell capitals apart before
 * the @; none in use does, and people write one address both ways.
 */
export const normalEmail = (typed: string): string => plainText(typed).toLowerCase().replaceAll('。', '.');

export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && EMAIL_PATTERN.test(text);

/** What a telephone number is typed with. */
export const NUMBER_SIGNS = /^(?:tel:)?\+?[\d\s().\-/]+$/i;
const digitsOf = (typed: string): string => plainText(typed).replaceAll(/\D/g, '');

/**
 * Whether what was typed may be a telephone number, before the server has said which: it knows the plans of all countries, which are too
 * heavy for a screen.
 */
export const mayBeNumber = (typed: string): boolean => NUMBER_SIGNS.test(plainText(typed)) && /^\d{6,20}$/.test(digitsOf(typed));

/** What of E.164 is dialled at home: the country codes of one and two digits, all others have three (ITU-T E.164). */
const AT_HOME = /^\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;

/** Whether a kept number begins with what was typed of it, with its country code or without; as the server's lists search (`words_wanted`). */
export const beginsNumber = (kept: string | null, typed: string): boolean => {
  if (kept === null || !NUMBER_SIGNS.test(plainText(typed))) return false;
  const digits = digitsOf(typed.replace(/\(0\)/, ''));
  if (digits.length < 3) return false;
  const home = AT_HOME.exec(kept)?.[1] ?? '';
  return kept.startsWith(`+${digits.replace(/^00/, '')}`) || home.startsWith(digits.replace(/^0/, ''));
};

/** Whether a kept number (E.164) is the one that was typed, with its country code or without. */
export const isNumberOf = (kept: string | null, typed: string): boolean => {
  const digits = digitsOf(typed.replace(/\(0\)/, '')).replace(/^0+/, '');
  return kept !== null && mayBeNumber(typed) && kept.endsWith(digits);
};

export type ReceiverField = 'name' | 'tlf' | 'email' | 'contact';
type ReceiverAnswer =
  | { readonly ok: true; readonly receiver: Receiver }
  | { readonly ok: false; readonly fields: readonly ReceiverField[] };

/** What a screen takes for a number until the server reads it. */
const asTyped = (typed: string): string | null => (mayBeNumber(typed) ? typed : null);

/**
 * Trims, reads the number by `tlfOf` and makes the address its normal form, and says which fields are wrong: `name` (not 1 to 100
 * characters), `tlf` (given, but no number), `email` (given, but no address), `contact` (neither was given).
 */
export function checkReceiver(
  input: { name?: string | null; tlf?: string | null; email?: string | null },
  tlfOf: (typed: string) => string | null = asTyped,
): ReceiverAnswer {
  const name = oneLine(input.name ?? '');
  const typedTlf = plainText(input.tlf ?? '');
  const email = normalEmail(input.email ?? '');
  const tlf = typedTlf === '' ? null : tlfOf(typedTlf);
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
