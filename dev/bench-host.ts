import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Company, Questions } from '@hatchway/bench/host.ts';
import type { BareAnswer, BareAsk } from './bench-bare.ts';
import { free, grow, ownerUrlOf, type Rows } from './bench-rows.ts';
import { invitationFor } from './demo/seed.ts';
import { acceptInvitation, asOperator, signIn, type Person } from './person.ts';
import { actOn, plugIn } from './plug-in.ts';
import { startHatchway } from './start.ts';

/** The bench's other process: a whole Hatchway, and a bare server on its database. Answers bench/host.ts. */
const folder = mkdtempSync(path.join(tmpdir(), 'hatchway-bench-'));
const hatchway = await startHatchway({ port: 0, folder, demo: false, logLevel: 'error' });
const { origin } = hatchway;
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
const watchers: Person[] = [];
for (let n = 0; n < 10; n++) {
  const watcher = { email: `watcher-${n}@bench.test`, password };
  const before = new Date();
  await small.admin.api('POST /companies/{tenant}/invitations', {
    params: { tenant: small.tenantId },
    body: { email: watcher.email, roles: ['admin'] },
  });
  await acceptInvitation(await invitationFor(origin, watcher.email, before), { name: `Wim Watcher ${n}`, password });
  watchers.push(await signIn(origin, watcher));
}
const asWire = async ({ tenantId, lockerIds, admin, narrow }: Grown): Promise<Company> => ({
  tenantId,
  token: await admin.token(),
  narrowToken: await narrow.token(),
  lockerIds,
});

const child = fork(path.join(import.meta.dirname, 'bench-bare.ts'), [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
const bare = new Promise<BareAnswer>((resolve) => child.once('message', resolve));
child.send({ databaseUrl: ownerUrl } satisfies BareAsk);

const answers: { [Q in keyof Questions]: (ask: Questions[Q]['ask']) => Promise<Questions[Q]['answer']> } = {
  where: async () => ({
    origin,
    bare: (await bare).origin,
    small: await asWire(small),
    large: await asWire(large),
    busy: await asWire(busy),
  }),
  watchers: async () => Promise.all(watchers.map((one) => one.token())),
  free: async () => {
    await free(
      ownerUrl,
      [small, large, busy].map((company) => company.tenantId),
    );
    return null;
  },
  door: async ({ open }) => {
    await actOn(origin, small.cabinet, { do: open ? 'force' : 'close', door: 1 });
    return null;
  },
};

process.on('message', ({ id, question, ask }: { id: number; question: keyof Questions; ask: never }) => {
  answers[question](ask).then(
    (answer) => process.send?.({ id, answer }),
    (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => {
  child.disconnect();
  void hatchway.stop().finally(() => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
});
