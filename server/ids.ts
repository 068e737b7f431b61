import { randomBytes, randomUUID } from 'node:crypto';

let last = 0;
let sequence = 0;

/** A UUIDv7 (RFC 9562): sorts by the time it was made, also within one millisecond of this process. */
export const newId = (now: number = Date.now()): string => {
  if (now > last) {
    last = now;
    sequence = randomBytes(1)[0] ?? 0;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      last += 1;
      sequence = 0;
    }
  }
  const time = last.toString(16).padStart(12, '0');
  // the variant and the random bits of another one, which Node makes many of at a time
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`;
};

/** No id that was made then or later sorts before it. */
export const firstIdAt = (iso: string): string => {
  const time = Date.parse(iso).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
};
