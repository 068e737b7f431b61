import { troubleOf } from './trouble.ts';

/** An opening is sent again by itself only while the person still stands there with the phone in hand. */
const REPEAT_WITHIN = 5000;

/** Random, so that a press sent twice is known as one; works without a secure context too. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Sends a press once more, as the same press, where its answer got lost at once. */
export const twice = async <T>(send: () => Promise<T>): Promise<T> => {
  const pressed = Date.now();
  try {
    return await send();
  } catch (error) {
    if (troubleOf(error).kind !== 'line' || Date.now() - pressed > REPEAT_WITHIN) throw error;
    return send();
  }
};
