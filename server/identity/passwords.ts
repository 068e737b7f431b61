import crypto from 'node:crypto';
import { isSame } from '../seal.ts';

/** What scrypt is asked for: 2 to the power of `logN` blocks of 128 × `r` bytes, `p` times. A hash carries its own. */
export type PasswordCost = { logN: number; r: number; p: number };
/** scrypt at 32 MiB and three lanes: what OWASP counts as strong, and small enough that several sign-ins at once do not starve the server. */
export const STRONG: PasswordCost = { logN: 15, r: 8, p: 3 };
/** For what signs its own people in thousands of times, and keeps none of them: tests. */
export const QUICK: PasswordCost = { logN: 4, r: 8, p: 1 };
const KEY_BYTES = 32;

function derive(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r };
  return new Promise((resolve, reject) => {
    // NFKC, so that the same characters typed on another keyboard give the same bytes.
    crypto.scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = crypto.randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [kind, logN, r, p, salt, key] = hash.split('$');
  if (kind !== 'scrypt' || !salt || !key) return false;
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), { logN: Number(logN), r: Number(r), p: Number(p) });
  return isSame(expected, actual);
}

/** The same work as for a real account, so that the time an answer takes does not tell whether the account exists. */
export function decoyOf(cost: PasswordCost): (password: string) => Promise<false> {
  let decoy: Promise<string> | undefined;
  return async (password) => {
    decoy ??= hashPassword(crypto.randomUUID(), cost);
    await verifyPassword(await decoy, password);
    return false;
  };
}

type PasswordFault = 'too-short' | 'too-long' | 'too-common';

const SHORTEST = 10;
const LONGEST = 200;
const COMMON = [
  'password',
  'passord',
  'hatchway',
  'qwerty',
  '1234567890',
  '0123456789',
  'letmein',
  'velkommen',
  'welcome',
  'iloveyou',
  'abcdefghij',
];

/** Length over odd characters; only what people are known to type first, or their own address, is refused beyond that. */
export function passwordFault(password: string, own: (string | null)[] = []): PasswordFault | null {
  if (password.length < SHORTEST) return 'too-short';
  if (password.length > LONGEST) return 'too-long';
  const low = password.toLowerCase();
  const bare = low.replace(/[^\p{L}]+$/u, '');
  const mine = own.filter((value): value is string => Boolean(value)).map((value) => value.toLowerCase());
  if (new Set(low).size < 4 || COMMON.includes(low) || COMMON.includes(bare) || mine.includes(low)) return 'too-common';
  return null;
}
