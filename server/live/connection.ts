import type { WebSocket } from 'ws';
import type { LiveServerMessage } from '@hatchway/contract/live.ts';
import type { Facts } from '@hatchway/domain/access.ts';
import type { Credential } from '../http/caller.ts';

export type Person = Credential & { kind: 'person'; issuedAt: number; expiresAt: number };
/** One open socket. `person` is renewed by a token, `facts` whenever what they hold has changed. */
export type Connection = {
  socket: WebSocket;
  tenantId: string;
  token: string;
  person: Person;
  facts: Facts;
  events: Set<string>;
  /** Messages that it may still say before the next tick fills this up again. */
  budget: number;
  alive: boolean;
};

/** `drop` closes and forgets a connection: 'ended' loads the page anew, 'again' makes it connect and fetch anew. */
export type Drop = (connection: Connection, why: 'ended' | 'gone' | 'again') => void;

/** A reader that leaves so much unread is dropped: it fetches everything again when it comes back. */
const UNREAD_BYTES = 1024 * 1024;
export const BUDGET = 100;
export const EVENTS_AT_MOST = 200;
/** Of one person, at one node: a shared account on every screen of a large house has fewer. */
export const SOCKETS_AT_MOST = 100;

const TEXT = { binary: false };
/** `bytes` are made once for all who get them. */
export const sendBytes = (connection: Connection, bytes: Buffer): void => {
  const { socket } = connection;
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > UNREAD_BYTES) return socket.terminate();
  socket.send(bytes, TEXT);
};

export const bytesOf = (message: LiveServerMessage): Buffer => Buffer.from(JSON.stringify(message));
export const say = (connection: Connection, message: LiveServerMessage): void => sendBytes(connection, bytesOf(message));
