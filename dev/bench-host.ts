import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Company, Questions } from '@hatchway/bench/host.ts';
import { lockers as lockerRoutes } from '@hatchway/contract/lockers.ts';
import { occupations as occupationRoutes } from '@hatchway/contract/occupations.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Tx } from '@hatchway/server/db/database.ts';
import { loadCaller, personOf, type Caller } from '@hatchway/server/http/caller.ts';
import { listLockers } from '@hatchway/server/modules/lockers/queries.ts';
import { registeredFor } from '@hatchway/server/modules/occupations/registration-commands.ts';
import { free, grow, ownerUrlOf, type Rows } from './bench-rows.ts';
import { invitationFor } from './demo/seed.ts';
import { acceptInvitation, asOperator, signIn, type Person } from './person.ts';
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

type Grown = { tenantId: string; lockerIds: string[]; cabinet: string; admin: Person; narrow: Person };

/** With an administrator, and somebody who reads the history of sales alone. */
async function companyOf(name: string, doors: number, rows: Rows): Promise<Grown> {
  const email = `${name}@bench.test`;
  const operator = asOperator(origin, hatchway.operatorKey);
  const made = await operator('POST /operator/companies', {
    body: { name, licenses: ['delivery', 'sale'], admin: { name: 'Ada Admin', email } },
  });
  await acceptInvitation(made.invitationUrl, { name: 'Ada Admin', password });
  const admin = await signIn(origin, { email, password });
  const { api } = admin;
  const seller = { email: `narrow-${email}`, password };
  const before = new Date();
  await api('POST /companies/{tenant}/invitations', {
    params: { tenant: made.id },
    body: { email: seller.email, roles: ['sale_manager'] },
  });
  await acceptInvitation(await invitationFor(origin, seller.email, before), { name: 'Sam Seller', password });
  const site = await api('POST /sites', { body: { name: 'Site' } });
  const cabinet = await api('POST /cabinets', { body: { siteId: site.id, name: 'Cabinet', columns: columns(doors) } });
  const { code } = await api('POST /cabinets/{id}/pair', { params: { id: cabinet.id } });
  const virtual = await plugIn(origin, { name, code, columns: columns(doors), canLock: false, hasSensors: true });
  const narrow = await signIn(origin, seller);
  const grown = await grow(ownerUrl, made.id, cabinet.id, rows);
  const lockers = await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
  return { tenantId: made.id, lockerIds: [...lockers.map((locker) => locker.id), ...grown], cabinet: virtual, admin, narrow };
}

const small = await companyOf('small', 100, { lockers: 0, events: 1_000, saleEvery: 10 });
const large = await companyOf('large', 10, { lockers: 50_000, events: 1_000_000, saleEvery: 1_000 });
/** Where occupations are registered: enough lockers for as many as take a while. */
const busy = await companyOf('busy', 10, { lockers: 2_000, events: 1_000, saleEvery: 10 });
const asWire = async ({ tenantId, lockerIds, admin, narrow }: Grown): Promise<Company> => ({
  tenantId,
  token: await admin.token(),
  narrowToken: await narrow.token(),
  lockerIds,
});

const listQuery: ListQuery = lockerRoutes[0].query.parse({ limit: '50' });
const registration = occupationRoutes[0];

/** What a request does to the database and nothing else: one transaction that loads the caller and runs the call's own command or query. */
async function inTransactions(
  company: Grown,
  { connections, more }: { connections: number; more: () => boolean },
  act: (tx: Tx, caller: Caller, now: string) => Promise<unknown>,
): Promise<number> {
  const credential = await personOf(deps, await company.admin.token());
  const began = performance.now();
  let done = 0;
  const work = async () => {
    while (more()) {
      const now = deps.now().toISOString();
      await deps.db.tenant(company.tenantId, async (tx) => act(tx, await loadCaller(tx, credential, now), now));
      done++;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return done / ((performance.now() - began) / 1000);
}

const listed = ({ connections, seconds }: Questions['listed']['ask']) => {
  const end = performance.now() + seconds * 1000;
  return inTransactions(small, { connections, more: () => performance.now() < end }, (tx, caller) =>
    listLockers(tx, caller.tenantId, caller.facts, listQuery),
  );
};

const registered = ({ connections, bodies }: Questions['registered']['ask']) => {
  const left = bodies.map((body) => registration.body.parse(body));
  return inTransactions(busy, { connections, more: () => left.length > 0 }, async (tx, caller, now) => {
    const body = left.pop();
    if (body) await registeredFor(tx, deps, caller, now, body);
  });
};

const listeners = new Set<WebSocket>();
const bare = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
bare.on('connection', (socket) => listeners.add(socket));

const answers: { [Q in keyof Questions]: (ask: Questions[Q]['ask']) => Promise<Questions[Q]['answer']> } = {
  where: async () => ({ origin, small: await asWire(small), large: await asWire(large), busy: await asWire(busy) }),
  listed,
  registered,
  free: async () => {
    await free(
      ownerUrl,
      [small, large, busy].map((company) => company.tenantId),
    );
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
