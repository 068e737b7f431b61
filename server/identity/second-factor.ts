import crypto from 'node:crypto';

/** Time-based one-time codes (RFC 6238) as every authenticator app makes them: SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newSecret = () => toBase32(crypto.randomBytes(20));

export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = crypto.createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac[mac.length - 1] ?? 0) & 0x0f;
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

export const stepAt = (now: Date) => Math.floor(now.getTime() / 1000 / STEP_SECONDS);

/** The step that a code belongs to, one step of clock drift either way, or null. A step at or before `lastStep` is spent: no code works twice. */
export function matchingStep(secret: string, code: string, now: Date, lastStep: number | null): number | null {
  const typed = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(typed)) return null;
  const current = stepAt(now);
  for (const step of [current, current - 1, current + 1]) {
    if (lastStep !== null && step <= lastStep) continue;
    if (crypto.timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(typed))) return step;
  }
  return null;
}

export function otpauthAddress(secret: string, account: string): string {
  const query = new URLSearchParams({
    secret,
    issuer: 'Hatchway',
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  return `otpauth://totp/${encodeURIComponent(`Hatchway:${account}`)}?${query.toString()}`;
}

/** Ten codes of 50 random bits each, shown once; only their keyed hashes are kept. */
export const newRecoveryCodes = () =>
  Array.from({ length: 10 }, () => {
    const text = toBase32(crypto.randomBytes(7)).slice(0, 10);
    return `${text.slice(0, 5)}-${text.slice(5)}`;
  });

/** As it is hashed: people type it with or without the dash, in either case. */
export const bareRecoveryCode = (code: string) => code.toUpperCase().replace(/[^A-Z2-7]/g, '');

export const looksLikeRecoveryCode = (code: string) => bareRecoveryCode(code).length === 10 && !/^[\d\s]+$/.test(code);

function toBase32(bytes: Uint8Array): string {
  let out = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += BASE32[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? out + BASE32[(value << (5 - bits)) & 31] : out;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const char of text) {
    value = (value << 5) | BASE32.indexOf(char);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >>> bits) & 255);
    }
    value &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
