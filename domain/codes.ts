import { plainText } from './text.ts';

/** Formats of what is printed, typed and scanned. */

/** Letters, digits and single dashes, at most 20: short enough for a label, plain enough to be typed. */
const DOOR_TAG_PATTERN = /^[A-Z0-9ÆØÅ]+(?:-[A-Z0-9ÆØÅ]+)*$/;
export const DOOR_TAG_MAX = 20;
/** How tags are compared, also one that is on a door already and could not be given to a new one. */
export const sameTag = (tag: string): string => plainText(tag).toUpperCase();
/** A tag as a door is given it: trimmed, capitals; null where it could not be typed or scanned. */
export function doorTagOf(typed: string): string | null {
  const tag = sameTag(typed);
  return tag.length <= DOOR_TAG_MAX && DOOR_TAG_PATTERN.test(tag) ? tag : null;
}

const PICKUP_CODE_PATTERN = /^\d{6}$/;
export const PICKUP_CODE_DIGITS = 6;
/** A typed pick-up code, blanks and dashes ignored; null where it is none. */
export function pickupCodeOf(typed: string): string | null {
  const code = plainText(typed).replaceAll(/[\s-]/g, '');
  return PICKUP_CODE_PATTERN.test(code) ? code : null;
}

export const CABINET_NUMBER_PATTERN = /^[1-9]\d{2,7}$/;
/** At least 128 random bits in base64url beside the tenant. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{22,200}$/;

export type Scan = { readonly kind: 'token' | 'link' | 'cabinet' | 'code' | 'tag' | 'text'; readonly value: string };

const PATHS = { p: ['token', TOKEN_PATTERN], l: ['link', TOKEN_PATTERN], c: ['cabinet', CABINET_NUMBER_PATTERN] } as const;

/** What a scanned or typed text is: an address of ours (whatever its host), a pick-up code, a door tag, or just text (a barcode). */
export function readScan(text: string): Scan {
  const trimmed = plainText(text);
  const path = /^https?:\/\/[^/]+\/([plc])\/([^/?#]+)$/.exec(trimmed);
  if (path !== null) {
    const [kind, pattern] = PATHS[path[1] as keyof typeof PATHS];
    const value = path[2] ?? '';
    return pattern.test(value) ? { kind, value } : { kind: 'text', value: trimmed };
  }
  const code = pickupCodeOf(trimmed);
  if (code !== null) return { kind: 'code', value: code };
  // Digits alone are a tag while they are few; more of them are a barcode.
  const tag = doorTagOf(trimmed);
  return tag !== null && (tag.length < PICKUP_CODE_DIGITS || /\D/.test(tag))
    ? { kind: 'tag', value: tag }
    : { kind: 'text', value: trimmed };
}
