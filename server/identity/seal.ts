import crypto from 'node:crypto';

/** Encrypts small secrets before they reach the database. `open` gives null for what was sealed with another key or tampered with. */
export type Seal = { close(plain: string): string; open(sealed: string): string | null };

const PLAIN = 'plain.';
const SEALED = 'v1.';

export function createSeal(secretKey: string | undefined): Seal {
  if (!secretKey) {
    return {
      close: (plain) => PLAIN + Buffer.from(plain).toString('base64url'),
      open: (sealed) => (sealed.startsWith(PLAIN) ? Buffer.from(sealed.slice(PLAIN.length), 'base64url').toString() : null),
    };
  }
  const key = Buffer.from(crypto.hkdfSync('sha256', secretKey, 'hatchway', 'identity', 32));
  return {
    close(plain) {
      const iv = crypto.randomBytes(12);
      const cipher = crypto.createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return SEALED + Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed) {
      // A database begun without a key stays readable once a key is given.
      if (sealed.startsWith(PLAIN)) return Buffer.from(sealed.slice(PLAIN.length), 'base64url').toString();
      if (!sealed.startsWith(SEALED)) return null;
      const bytes = Buffer.from(sealed.slice(SEALED.length), 'base64url');
      try {
        const decipher = crypto.createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
      } catch {
        return null;
      }
    },
  };
}
