import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { lowerSession } from '@hatchway/server/db/embedded.ts';
import { NICE } from '@hatchway/server/db/store.ts';
import { type WebSocket, WebSocketServer } from 'ws';

/**
 * What the bench holds Hatchway against: node:http, `pg` with prepared statements, and JSON. The same rows out of the same tables, without
 * token, company, rights, history's words or any check. A process of its own, as Hatchway is one.
 */
export type BareAsk = { databaseUrl: string };
export type BareAnswer = { origin: string };

const LOCKERS = `select id, cabinet_id, compartment, door_tag, size, door, door_at, content, version, created_at
  from lockers where tenant_id = $1 order by created_at desc, id desc limit 50`;
const EVENT = `select id, tenant_id, type, at, actor_kind, actor_id, actor_name, locker_id, door_tag, occupation_id, payment_id, asset_id, data
  from events where tenant_id = $1`;
const NEWEST = `${EVENT} order by at desc, id desc limit 50`;
const AFTER = `${EVENT} and (at, id) < ($2::timestamptz, $3::uuid) order by at desc, id desc limit 50`;
/** The locker is locked and found free, the occupation and its event are written, and nothing else. */
const REGISTER = `with door as (
    select id, cabinet_id, door_tag from lockers where tenant_id = $1 and id = $2 for update
  ), made as (
    insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, asset_text, receiver_name, receiver_email, quantity,
      held, reserved_from, created_by, created_at, updated_at)
    select $1, uuidv7(), $3, $3, 1, now(), id, door_tag, $4, $5, $6, 1, 0, now(), '{"kind":"system","id":null,"name":"bare"}', now(), now() from door
    returning *
  ), told as (
    insert into events (tenant_id, id, type, at, actor_kind, actor_name, locker_id, door_tag, occupation_id, occupation_type, data)
    select $1, uuidv7(), 'occupation_reserved', now(), 'system', 'bare', locker_id, door_tag, id, type, '{}' from made
  )
  select * from made`;
const SERVICE = `update lockers set out_of_service = $3, version = version + 1, updated_at = now() where tenant_id = $1 and id = $2
  returning id, cabinet_id, compartment, door_tag, size, door, door_at, content, version, created_at`;

type Registration = { lockerId: string; type: string; assetText: string; receiver: { name: string; email: string } };
type Query = { tenant: string; at?: string; id?: string };

function serve(pool: pg.Pool, said: Set<WebSocket>) {
  const rows = async (name: string, text: string, values: unknown[]) => (await pool.query({ name, text, values })).rows as unknown[];
  const calls: Record<string, (query: Query, body: never) => Promise<unknown>> = {
    'GET /lockers': ({ tenant }) => rows('lockers', LOCKERS, [tenant]),
    'GET /history': ({ tenant, at, id }) => (at ? rows('after', AFTER, [tenant, at, id]) : rows('newest', NEWEST, [tenant])),
    'POST /occupations': async ({ tenant }, { lockerId, type, assetText, receiver }: Registration) =>
      (await rows('register', REGISTER, [tenant, lockerId, type, assetText, receiver.name, receiver.email]))[0],
    // a change and its word to everybody: the words are as long as those that Hatchway says
    'PUT /service': async ({ tenant, id }, { outOfService, text }: { outOfService: unknown; text: string }) => {
      const [row] = await rows('service', SERVICE, [tenant, id, outOfService]);
      for (const socket of said) socket.send(text);
      return row;
    },
    'POST /say': async (_query, { text }: { text: string }) => {
      for (const socket of said) socket.send(text);
      return {};
    },
  };
  return createServer((request, response) => {
    void read(request).then(async (body) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
      const call = calls[`${request.method} ${pathname}`];
      const [status, answer] = await (
        call ? call(Object.fromEntries(searchParams) as Query, body as never) : Promise.reject(new Error(pathname))
      )
        .then((found) => [200, found] as const)
        .catch((error: Error) => [500, { error: error.message }] as const);
      const text = JSON.stringify(answer);
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
    });
  });
}

async function read(request: IncomingMessage): Promise<unknown> {
  if (request.method === 'GET') return undefined;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as unknown;
}

process.once('message', ({ databaseUrl }: BareAsk) => {
  const listeners = new Set<WebSocket>();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 16 });
  // its connections stand behind it as Hatchway's do
  pool.on('connect', (client) => void lowerSession((client as unknown as { processID: number }).processID, NICE));
  const server = serve(pool, listeners);
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => listeners.add(socket));
  server.listen(0, '127.0.0.1', () => process.send?.({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
process.on('disconnect', () => process.exit(0));
