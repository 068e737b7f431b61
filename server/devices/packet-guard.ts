import type { Duplex } from 'node:stream';

/**
 * Ends a connection as soon as an MQTT packet announces more than `limit` bytes. The broker's parser would collect up to 256 MB
 * before anyone could look at it, and before the sender has even said who it is; it has no setting for this.
 * It stands in `read`, the one way by which the broker takes bytes, and follows the framing: type byte, length of 1–4 bytes, body.
 */
export function guardPackets(stream: Duplex, limit: number): void {
  const read = stream.read.bind(stream);
  let body = 0;
  let inLength = false;
  let length = 0;
  let shift = 0;

  function fits(chunk: Uint8Array): boolean {
    for (let i = 0; i < chunk.length;) {
      if (body > 0) {
        const step = Math.min(body, chunk.length - i);
        body -= step;
        i += step;
      } else if (!inLength) {
        inLength = true;
        length = 0;
        shift = 0;
        i += 1;
      } else {
        const byte = chunk[i] ?? 0;
        length += (byte & 0x7f) * 2 ** shift;
        shift += 7;
        i += 1;
        if (length > limit || shift > 28) return false;
        if ((byte & 0x80) === 0) {
          inLength = false;
          body = length;
        }
      }
    }
    return true;
  }

  stream.read = (size?: number) => {
    const chunk: unknown = read(size);
    if (chunk instanceof Uint8Array && !fits(chunk)) {
      stream.destroy(new Error(`packet of more than ${limit} bytes`));
      return null;
    }
    return chunk;
  };
}
