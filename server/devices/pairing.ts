import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  deviceUsername,
  PAIRING_ALPHABET,
  PAIRING_CODE_LENGTH,
  PAIRING_MINUTES,
  type ControllerRef,
  type PairingAnswer,
  type PairingRequest,
} from '@hatchway/contract/devices.ts';
import { isSame } from '../seal.ts';

/**
 * How a cabinet gets its credential: staff take a code from the portal and type it at the controller, which posts it once.
 * Codes and passwords are stored as hashes alone. Both are random, so a plain SHA-256 is enough: 256 bits for the password;
 * 39 bits for a code that lives ten minutes, is spent at its first use, and may be guessed at only as often as the route's rate limit allows.
 */
interface PairingCode {
  code: string;
  codeHash: string;
  expiresAt: Date;
}

export function newPairingCode(now: Date): PairingCode {
  const code = Array.from({ length: PAIRING_CODE_LENGTH }, () => PAIRING_ALPHABET[randomInt(PAIRING_ALPHABET.length)]).join('');
  return { code, codeHash: hashSecret(code), expiresAt: new Date(now.getTime() + PAIRING_MINUTES * 60_000) };
}

export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex');

export const secretMatches = (secret: string, hash: string): boolean => isSame(hashSecret(secret), hash);

/** `XXXX-XXXX`, as people read it out. */
export const showPairingCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;

export interface PairingStore {
  /**
   * Takes the code away, gives its cabinet the credential in place of whatever it had, and says whose it is: all at once, so that two
   * presses yield one credential, and one that was cut off has spent no code. Null when unknown or past `pairedAt`.
   */
  trade(codeHash: string, credential: { passwordHash: string; fw: string; pairedAt: Date }): Promise<ControllerRef | null>;
}

/** The answer for the controller, or null: unknown, spent or expired are one and the same to who asks. After it, kick the cabinet's old connection. */
export async function pair(request: PairingRequest, store: PairingStore, mqttUrl: string, now: Date): Promise<PairingAnswer | null> {
  const password = randomBytes(32).toString('base64url');
  const ref = await store.trade(hashSecret(request.code), { passwordHash: hashSecret(password), fw: request.fw, pairedAt: now });
  return ref && { ...ref, username: deviceUsername(ref), password, mqttUrl };
}
