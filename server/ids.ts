import { randomBytes } from 'node:crypto';

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
  const bytes = randomBytes(16);
  bytes.writeUIntBE(last, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
