import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { LiveServerMessage } from '@hatchway/contract/live.ts';
import type { Facts } from '@hatchway/domain/access.ts';
import type { Credential } from '../http/caller.ts';

export type Person = Credential & { kind: 'person'; issuedAt: number; expiresAt: number };
/** One open socket. `person` is renewed by a token, `facts` whenever what they hold has changed. */
export type Connection = {
  socket: WebSocket;
  /** What `socket` writes to. */
  wire: Duplex;
  tenantId: string;
  token: string;
  person: Person;
  facts: Facts;
  events: Set<string>;
  /** Messages that it may still say before this is filled up again, and when that is (ms). */
  budget: number;
  fillsAt: number;
  alive: boolean;
};

/** `drop` closes and forgets a connection: 'ended' loads the page anew, 'again' makes it connect and fetch anew. */
export type Drop = (connection: Connection, why: 'ended' | 'gone' | 'again') => void;

/** A reader that leaves so much unread is dropped: it fetches everything again when it comes back. */
const UNREAD_BYTES = 1024 * 1024;
/** Messages of one socket in ten seconds. */
export const BUDGET = 100;
export const BUDGET_MS = 10_000;
export const EVENTS_AT_MOST = 200;
/** Of one person, at one node: a shared account on every screen of a large house has fewer. */
export const SOCKETS_AT_MOST = 100;

const TEXT_WHOLE = 0x81;
/** A text as one frame of RFC 6455, as a server sends it: unmasked, so the same bytes are everybody's. */
export const frameOf = (text: string): Buffer => {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = TEXT_WHOLE;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, head);
  return frame;
};

/**
 * `frame` is made once for all who get it, and written in one piece: by `ws` each socket took a frame's head and text of its own, a quarter
 * of what a word to five hundred cost. Nothing of ours is compressed, so between its frames `ws` keeps none back.
 */
export const sendFrame = ({ socket, wire }: Connection, frame: Buffer): void => {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > UNREAD_BYTES) return socket.terminate();
  wire.write(frame);
};

export const frameWith = (message: LiveServerMessage): Buffer => frameOf(JSON.stringify(message));
export const say = (connection: Connection, message: LiveServerMessage): void => sendFrame(connection, frameWith(message));
