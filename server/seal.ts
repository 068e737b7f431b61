import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Secrets at rest: sealed (AES-256-GCM) where they must be read again, hashed with a key (HMAC-SHA-256) where they must be found. */
export type Seal = {
  close(plain: string): Buffer;
  /** Null for what was sealed with another key, or tampered with. */
  open(sealed: Uint8Array): string | null;
  /** Keyed, so that six digits cannot be tried out against a stolen table. */
  hash(secret: string): Buffer;
};

/** How long it takes tells nobody how much of it was right. */
export const isSame = (a: string | Buffer, b: string | Buffer): boolean => {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
};

const derive = (secretKey: string, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, 'hatchway', purpose, 32));

export const createSeal = (secretKey: string): Seal => {
  const sealing = derive(secretKey, 'seal');
  const finding = derive(secretKey, 'find');
  return {
    close: (plain) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv);
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed);
      try {
        const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12));
        decipher.setAuthTag(bytes.subarray(12, 28));
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
    hash: (secret) => createHmac('sha256', finding).update(secret).digest(),
  };
};
