import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';
import { CLOSE_GONE, CLOSE_MANY, CLOSE_RELOAD, CLOSE_TOKEN } from '@hatchway/contract/live.ts';
import { AWAY, GAP } from '../bus.ts';
import type { Deps } from '../deps.ts';
import { CHANGES, type OutboxMessage } from '../events/outbox.ts';
import { personOf } from '../http/caller.ts';
import type { Ended } from '../identity/options.ts';
import { admit, type Admitted } from './admit.ts';
import { BUDGET, BUDGET_MS, EVENTS_AT_MOST, say, SOCKETS_AT_MOST, type Connection } from './connection.ts';
import { kindOf, readMessage } from './live-schema.ts';
import { changedLately, FACTS_CHANGE } from './lately.ts';
import { createRoom, type Room } from './room.ts';

const TICK_MS = 1_000;
/** A socket that answered no ping for so many ticks is dead. */
const PING_TICKS = 15;
const PAYLOAD_BYTES = 16 * 1024;
const GOING_AWAY = 1001;
const POLICY = 1008;
const TRY_AGAIN = 1013;
const CLOSES = { ended: CLOSE_RELOAD, gone: CLOSE_GONE, again: TRY_AGAIN } as const;

const REASONS = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found', 503: 'Service Unavailable' } as const;
const refuse = (socket: Duplex, status: keyof typeof REASONS) =>
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);

/**
 * `GET /live`: what changed, to whoever may see it, after its transaction has committed.
 *
 * Which build a page is of, it says in the address that GET /config gave it (`?build=`). A new build is served only by a process that
 * was started anew, and a start cuts every socket: the page comes back with its old build and is closed with 4000.
 */
export const serveLive = (app: FastifyInstance, deps: Deps, build: string): void => {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: PAYLOAD_BYTES,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  const rooms = new Map<string, Room>();
  const lately = changedLately();
  const everybody = new Set<Connection>();
  let stopping = false;
  /** Grows with every event after which somebody may hold less. */
  let epoch = 0;

  const leave = (connection: Connection) => {
    if (!everybody.delete(connection)) return;
    deps.metrics.sockets.dec();
    const room = rooms.get(connection.tenantId);
    room?.remove(connection);
    if (room?.connections.size === 0) rooms.delete(connection.tenantId);
  };
  const close = (connection: Connection, code: number) => {
    leave(connection);
    connection.socket.close(code);
  };
  const roomOf = (tenantId: string): Room => {
    const known = rooms.get(tenantId);
    if (known) return known;
    const room = createRoom(deps, tenantId, (connection, why) => close(connection, CLOSES[why]));
    rooms.set(tenantId, room);
    return room;
  };

  const renew = async (connection: Connection, token: string): Promise<string | undefined> => {
    const person = await personOf(deps, token).catch(() => null);
    if (!person) return 'unauthenticated';
    if (person.subject !== connection.person.subject || person.tenantId !== connection.tenantId) {
      // Another company was chosen: neither this socket nor the page that shows the first one can follow.
      setImmediate(() => close(connection, CLOSE_RELOAD));
      return 'other-company';
    }
    connection.person = person;
    connection.token = token;
    rooms.get(connection.tenantId)?.refresh(connection);
    return undefined;
  };

  const hear = async (connection: Connection, raw: string): Promise<void> => {
    const now = deps.now().getTime();
    if (now >= connection.fillsAt) Object.assign(connection, { budget: BUDGET, fillsAt: now + BUDGET_MS });
    if ((connection.budget -= 1) < 0) return close(connection, POLICY);
    const heard = readMessage(raw);
    if ('error' in heard) return say(connection, { topic: 'response', ...heard });
    const { message } = heard;
    const id = message.id ?? ('event' in message ? message.event : message.topic);
    const answer = (error?: string, more: { quiet?: number } = {}) =>
      say(connection, { topic: 'response', id, ...(error ? { error } : {}), ...more });
    if (message.topic === 'token') return answer(await renew(connection, message.token));
    if (message.topic === 'ping') return answer();
    const kind = kindOf(message.event);
    if (kind === null) return answer('unknown-event');
    const room = rooms.get(connection.tenantId);
    if (!room?.connections.has(connection)) return;
    if (message.topic === 'unsubscribe') room.unsubscribe(connection, message.event);
    else if (connection.events.size >= EVENTS_AT_MOST && !connection.events.has(message.event)) return answer('too-many');
    else {
      room.subscribe(connection, message.event);
      return answer(undefined, { quiet: lately.quiet(connection.tenantId, kind) });
    }
    answer();
  };

  const isOneTooMany = (subject: string): boolean => {
    let theirs = 0;
    for (const { person } of everybody) if (person.subject === subject) theirs += 1;
    return theirs >= SOCKETS_AT_MOST;
  };

  const open = (socket: WebSocket, wire: Duplex, admitted: Admitted, since: number, oldBuild: boolean) => {
    const { token, person, tenantId, caller } = admitted;
    if (isOneTooMany(person.subject)) {
      socket.on('error', () => {});
      return socket.close(CLOSE_MANY, `${SOCKETS_AT_MOST} sockets of this person are open`);
    }
    const connection: Connection = {
      socket,
      wire,
      tenantId,
      token,
      person,
      facts: caller.facts,
      events: new Set(),
      budget: BUDGET,
      fillsAt: deps.now().getTime() + BUDGET_MS,
      alive: true,
    };
    everybody.add(connection);
    deps.metrics.sockets.inc();
    const room = roomOf(tenantId);
    room.add(connection);
    socket.on('error', () => {});
    socket.on('pong', () => (connection.alive = true));
    socket.once('close', () => leave(connection));
    socket.on('message', (data, binary) => {
      if (!everybody.has(connection)) return;
      if (binary) return close(connection, POLICY);
      hear(connection, (data as Buffer).toString()).catch((error: unknown) => {
        deps.log.error({ err: error }, 'a live request failed');
        close(connection, TRY_AGAIN);
      });
    });
    if (oldBuild) return close(connection, CLOSE_RELOAD);
    // Something ended, or was withdrawn, while this socket was being let in.
    if (since !== epoch) {
      room.refresh();
      personOf(deps, token).catch(() => close(connection, CLOSE_TOKEN));
    }
  };

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const since = epoch;
    const [path, query] = (request.url ?? '/').split('?');
    if (path !== '/live') return void refuse(socket, 404);
    // With the bus away it would show what is old as if it were live: the page says that it is not connected, and tries again.
    const isDeaf = () => stopping || deps.bus.away;
    if (isDeaf()) return void refuse(socket, 503);
    const admitted = await admit(deps, request);
    if ('status' in admitted) return void refuse(socket, admitted.status);
    if (isDeaf()) return void refuse(socket, 503);
    if (socket.destroyed) return;
    const pageBuild = new URLSearchParams(query).get('build');
    server.handleUpgrade(request, socket, head, (ws) => open(ws, socket, admitted, since, pageBuild !== null && pageBuild !== build));
  };
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      deps.log.error({ err: error }, 'a live socket could not be opened');
      refuse(socket, 503);
    });
  });
  app.get('/live', (_request, reply) => reply.code(426).header('upgrade', 'websocket').send());

  const ended = (whom: (connection: Connection) => boolean, code: number = CLOSE_RELOAD) => {
    epoch += 1;
    for (const connection of everybody) if (whom(connection)) close(connection, code);
  };
  const beginAnew = () => {
    lately.forget();
    epoch += 1;
    for (const connection of everybody) close(connection, TRY_AGAIN);
  };
  const stops = [
    deps.bus.subscribe(CHANGES, (payload) => {
      const message = payload as OutboxMessage;
      const kinds = message.changes.map(({ kind }) => kind);
      if (kinds.some((kind) => FACTS_CHANGE.has(kind))) epoch += 1;
      lately.hear(message.tenantId, message.events.length > 0 ? [...kinds, 'history'] : kinds);
      rooms.get(message.tenantId)?.hear(message);
    }),
    deps.bus.subscribe('revoked', (payload) => {
      const event = payload as Ended;
      ended(({ person, tenantId }) => {
        // As the verifier has it: of the same second, it may be the old one.
        if (person.issuedAt * 1000 > event.at) return false;
        if (event.kind === 'session') return person.session === event.sessionUid;
        return person.subject === event.accountId && (event.kind === 'account' || event.tenantId === tenantId);
      });
    }),
    deps.bus.subscribe('company-ended', (payload) => {
      const company = payload as { tenantId: string; gone: boolean };
      ended(({ tenantId }) => tenantId === company.tenantId, company.gone ? CLOSE_GONE : CLOSE_RELOAD);
    }),
    // What others say from now on is lost, and what they said meanwhile: everybody fetches anew.
    deps.bus.subscribe(AWAY, beginAnew),
    deps.bus.subscribe(GAP, beginAnew),
  ];

  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    const now = deps.now().getTime();
    for (const connection of everybody) {
      if (connection.person.expiresAt * 1000 <= now) close(connection, CLOSE_TOKEN);
      else if (ticks % PING_TICKS === 0) {
        if (!connection.alive) connection.socket.terminate();
        connection.alive = false;
        connection.socket.ping();
      }
    }
  }, TICK_MS);
  timer.unref();

  app.addHook('preClose', async () => {
    stopping = true;
    clearInterval(timer);
    for (const stop of stops) stop();
    for (const connection of everybody) close(connection, GOING_AWAY);
    const late = setTimeout(() => {
      for (const socket of server.clients) socket.terminate();
    }, TICK_MS);
    late.unref();
  });
};
