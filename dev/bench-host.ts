import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Company, Questions } from '@hatchway/bench/host.ts';
import { lockers as lockerRoutes } from '@hatchway/contract/lockers.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Tx } from '@hatchway/server/db/database.ts';
import { loadCaller, personOf, type Caller } from '@hatchway/server/http/caller.ts';
import { listLockers } from '@hatchway/server/modules/lockers/queries.ts';
import { free, grow, ownerUrlOf } from './bench-rows.ts';
import { acceptInvitation, asOperator, signIn } from './person.ts';
import { actOn, plugIn } from './plug-in.ts';
import { startHatchway } from './start.ts';

/** The bench's other process: a whole Hatchway, the same statements without HTTP, and bare bytes over ws. Answers bench/host.ts. */
const folder = mkdtempSync(path.join(tmpdir(), 'hatchway-bench-'));
const hatchway = await startHatchway({ port: 0, folder, demo: false, logLevel: 'error' });
const { origin, deps } = hatchway;
const ownerUrl = ownerUrlOf(folder);

const password = 'a-door-that-opens';
const columns = (doors: number) => [
  {
    width: 450,
    doors: Array.from({ length: doors }, (_, at) => ({ doorTag: `D${at + 1}`, compartment: at + 1, size: 'S' as const, height: 150 })),
  },
];

type Grown = Company & { ownToken: () => Promise<string>; cabinet: string };

async function companyOf(name: string, doors: number, rows: { lockers: number; events: number }): Promise<Grown> {
  const email = `${name}@bench.test`;
  const operator = asOperator(origin, hatchway.operatorKey);
  const made = await operator('POST /operator/companies', { body: { name, licenses: ['delivery'], admin: { name: 'Ada Admin', email } } });
  await acceptInvitation(made.invitationUrl, { name: 'Ada Admin', password });
  const { api, token } = await signIn(origin, { email, password });
  const site = await api('POST /sites', { body: { name: 'Site' } });
  const cabinet = await api('POST /cabinets', { body: { siteId: site.id, name: 'Cabinet', columns: columns(doors) } });
  const { code } = await api('POST /cabinets/{id}/pair', { params: { id: cabinet.id } });
  const virtual = await plugIn(origin, { name, code, columns: columns(doors), canLock: false, hasSensors: true });
  await grow(ownerUrl, made.id, cabinet.id, rows);
  const lockers = await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
  return { tenantId: made.id, token: await token(), ownToken: token, cabinet: virtual, lockerIds: lockers.map((locker) => locker.id) };
}

const small = await companyOf('small', 100, { lockers: 0, events: 1_000 });
const large = await companyOf('large', 10, { lockers: 50_000, events: 1_000_000 });
const asWire = async ({ tenantId, ownToken, lockerIds }: Grown): Promise<Company> => ({ tenantId, token: await ownToken(), lockerIds });

const listRoute = lockerRoutes.find((route) => route.method === 'GET' && route.path === '/lockers');
const listQuery = (listRoute && 'query' in listRoute ? listRoute.query.parse({ limit: '50' }) : {}) as ListQuery;

const statements: Record<Questions['baseline']['ask']['what'], (tx: Tx, caller: Caller) => Promise<unknown>> = {
  lockers: (tx, caller) => listLockers(tx, caller.tenantId, caller.facts, listQuery),
  occupations: () => Promise.reject(new Error('The command that registers an occupation is not measured yet.')),
};

/** What a request does to the database and nothing else: one transaction that loads the caller and runs the call's own command or query. */
async function baseline({ what, connections, seconds }: Questions['baseline']['ask']): Promise<number> {
  const credential = await personOf(deps, await small.ownToken());
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const work = async () => {
    while (performance.now() < end) {
      await deps.db.tenant(small.tenantId, async (tx) => statements[what](tx, await loadCaller(tx, credential, deps.now().toISOString())));
      done++;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return done / seconds;
}

const listeners = new Set<WebSocket>();
const bare = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
bare.on('connection', (socket) => listeners.add(socket));

const answers: { [Q in keyof Questions]: (ask: Questions[Q]['ask']) => Promise<Questions[Q]['answer']> } = {
  where: async () => ({ origin, small: await asWire(small), large: await asWire(large) }),
  baseline,
  free: async () => {
    await free(ownerUrl, small.tenantId);
    return null;
  },
  bare: async () => ({ url: `ws://127.0.0.1:${(bare.address() as AddressInfo).port}` }),
  say: async ({ text }) => {
    for (const socket of listeners) socket.send(text);
    return null;
  },
  door: async ({ open }) => {
    await actOn(origin, small.cabinet, { do: open ? 'force' : 'close', door: 1 });
    return { lockerId: small.lockerIds[0] ?? '' };
  },
};

process.on('message', ({ id, question, ask }: { id: number; question: keyof Questions; ask: never }) => {
  answers[question](ask).then(
    (answer) => process.send?.({ id, answer }),
    (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => {
  bare.close();
  void hatchway.stop().finally(() => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
});
