import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STANDINGS, standingOf } from '@hatchway/domain/locker.ts';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { sinceNoon, testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let seller: TestPerson;
let lender: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer({ now: sinceNoon() });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  seller = await ours.person(['sale_manager']);
  lender = await ours.person(['lending_manager']);
  wall = await testCabinet(server, admin.api, 16);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const act = (id: string, action: 'fill' | 'publish' | 'finnish') => admin.api('PUT /occupations', { body: { id, action } });
/** Goods that were paid for and taken out. */
const sell = async (quantity: number, amount: number, currency: string) => {
  const body = { type: 'sale' as const, lockerId: (await wall.free()).id, quantity: 9, price: { amount, currency } };
  const { id } = await admin.api('POST /occupations', { body });
  await act(id, 'fill');
  await act(id, 'publish');
  const { _id } = await seller.api('POST /payments', { body: { occupationId: id, quantity, received: true } });
  await admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
  await act(id, 'finnish');
  return _id;
};

describe('money', () => {
  it('is summed by currency and day, what went back beside what came in', async () => {
    expect(await seller.api('GET /stats/sales')).toEqual({ sold: 0, wanting: 0, currencies: [] });
    const _id = await sell(2, 5_000, 'NOK');
    await sell(1, 5_000, 'NOK');
    await sell(3, 100, 'EUR');
    await seller.api('PUT /payments/refund', { body: { _id, amount: 2_500 } });
    await seller.api('PUT /payments/refund', { body: { _id, amount: 500 } });
    const { sold, currencies } = await seller.api('GET /stats/sales', { query: { days: 7 } });
    expect(sold).toBe(6);
    expect(currencies.map(({ days, ...sums }) => [sums, days.length, days.at(-1)])).toEqual([
      [{ currency: 'EUR', captured: 300, refunded: 0 }, 7, expect.objectContaining({ captured: 300, refunded: 0 })],
      [{ currency: 'NOK', captured: 15_000, refunded: 3_000 }, 7, expect.objectContaining({ captured: 15_000, refunded: 3_000 })],
    ]);
  });

  it('is of their own company', async () => {
    const stranger = await (await testCompany(server)).person(['admin']);
    expect(await stranger.api('GET /stats/sales')).toEqual({ sold: 0, wanting: 0, currencies: [] });
    expect(await stranger.api('GET /stats/services')).toEqual([]);
  });
});

describe('services', () => {
  it('are counted one by one: what was started, filled and taken, and what runs', async () => {
    const lockerId = (await wall.free()).id;
    const made = await admin.api('POST /occupations', { body: { type: 'delivery', service: 'selfservice', lockerId } });
    await act(made.id, 'fill');
    const rows = await admin.api('GET /stats/services', { query: { days: 1 } });
    expect(rows).toEqual([
      { service: 'sale', started: 3, filled: 3, taken: 3, running: 3, overdue: 0 },
      { service: 'selfservice', started: 1, filled: 1, taken: 0, running: 1, overdue: 0 },
    ]);
    expect((await seller.api('GET /stats/services')).map((row) => row.service)).toEqual(['sale']);
    expect(await lender.api('GET /stats/services')).toEqual([]);
    const scoped = await ours.scoped(['delivery'], [lockerId]);
    expect(await scoped.api('GET /stats/services')).toMatchObject([{ service: 'selfservice', started: 1, running: 1 }]);
  });
});

describe('hours', () => {
  it('are the twenty-four of the company’s clock, and add up to the days', async () => {
    const by = (how: 'day' | 'hour') => admin.api('GET /stats/usage', { query: { days: 2, by: how } });
    const [days, hours] = await Promise.all([by('day'), by('hour')]);
    expect(hours.map((row) => row.hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    const filled = (rows: { filled: number }[]) => rows.reduce((sum, row) => sum + row.filled, 0);
    expect([filled(days), filled(hours)]).toEqual([4, 4]);
    // Of every service, as filling is: nothing was delivered here.
    const taken = (rows: { taken: number }[]) => rows.reduce((sum, row) => sum + row.taken, 0);
    expect([taken(days), taken(hours)]).toEqual([3, 3]);
    expect((await admin.api('GET /stats/now')).today.taken).toBe(days.at(-1)?.taken);
    const inOslo = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/Oslo' });
    const hourNow = Number(inOslo.format(server.deps.now()));
    expect(hours.filter((row) => row.filled > 0).map((row) => row.hour)).toEqual([hourNow]);
  });
});

describe('the list behind a figure', () => {
  const listed = async (q: Record<string, unknown>) => (await admin.api('GET /history', { query: { q, limit: 500 } })).length;

  it('of an hour holds as much as its bar, and no other hour holds any', async () => {
    const hours = await admin.api('GET /stats/usage', { query: { days: 2, by: 'hour' } });
    expect(hours.some((row) => row.filled > 0)).toBe(true);
    for (const { hour, filled } of hours) expect([hour, await listed({ type: 'occupation_filled', hour })]).toEqual([hour, filled]);
  });

  it('of a service holds what was taken of it', async () => {
    const services = await admin.api('GET /stats/services', { query: { days: 2 } });
    expect(services.some((row) => row.taken > 0)).toBe(true);
    for (const { service, taken } of services)
      expect([service, await listed({ type: 'occupation_claimed', service })]).toEqual([service, taken]);
  });

  it('of a currency holds its own payments', async () => {
    const currencies = (await admin.api('GET /stats/sales', { query: { days: 2 } })).currencies.map((one) => one.currency);
    expect(currencies.length).toBeGreaterThan(1);
    for (const currency of currencies) {
      const rows = await admin.api('GET /history', { query: { q: { type: 'payment_captured', currency } } });
      expect(new Set(rows.map((row) => row.data['currency']))).toEqual(new Set([currency]));
    }
  });
});

it('what is to be fetched today is counted for those who see it, what is for tomorrow is not', async () => {
  const ready = async (pickupBy: string) => {
    const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: (await wall.free()).id } });
    await act(id, 'fill');
    const { version } = await act(id, 'publish');
    await admin.api('PUT /occupations/{id}', { params: { id }, body: { version, pickupBy } });
  };
  const inHours = (hours: number) => new Date(server.deps.now().getTime() + hours * 3600_000).toISOString();
  await ready(inHours(1));
  await ready(inHours(24));
  expect((await admin.api('GET /stats/now')).today.due).toBe(1);
  expect((await lender.api('GET /stats/now')).today.due).toBe(0);
});

it('what somebody was asked to bring is counted once it has come, for those who may take it out, until somebody has', async () => {
  const brought = async (person = admin) => (await person.api('GET /stats/now')).brought;
  const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
  const lot = await wall.free();
  const made = await admin.api('POST /occupations', { body: { type: 'drop-off', lockerId: lot.id, assetText: 'Keys', receiver } });
  const [here, beside] = [await ours.scoped(['manage'], [lot.id]), await ours.scoped(['manage'], [(await wall.free()).id])];
  const reader = await ours.scoped(['delivery'], [lot.id]);
  expect(await brought()).toBe(0);
  await act(made.id, 'fill');
  expect([await brought(), await brought(lender)]).toEqual([1, 0]);
  // who sees it and may not act on it is told of nothing to be done
  expect(await Promise.all([here, beside, reader].map(brought))).toEqual([1, 0, 0]);
  const listed = await admin.api('GET /occupations', { query: { q: { stage: 3, type: { $in: ['recall', 'drop-off'] } } } });
  expect(listed.map(({ id }) => id)).toEqual([made.id]);
  await admin.api('POST /occupations/{id}/retrieve', { params: { id: made.id }, body: {} });
  expect(await brought()).toBe(0);
});

it('each locker is counted once: free, in use, out of service or to be checked', async () => {
  const now = async () => (await admin.api('GET /stats/now')).lockers;
  const [out, other] = [(await wall.free()).id, (await wall.free()).id];
  const before = await now();
  await admin.api('PUT /lockers/{id}/service', { params: { id: out }, body: { outOfService: true, reason: 'Bent' } });
  await admin.api('PUT /lockers/{id}/content', { params: { id: other }, body: { content: 'occupied' } });
  const after = await now();
  expect(after).toMatchObject({ free: before.free - 2, outOfService: before.outOfService + 1, inDoubt: before.inDoubt + 1 });
  expect(after.free + after.inUse + after.outOfService + after.inDoubt).toBe(after.total);
  // Out of service and full of something that nobody explains: it is looked at before it is mended.
  await admin.api('PUT /lockers/{id}/content', { params: { id: out }, body: { content: 'occupied' } });
  expect(await now()).toMatchObject({ outOfService: before.outOfService, inDoubt: before.inDoubt + 2 });
});

describe('what is offline', () => {
  it('is free to nobody and counted as not ready: the figures still add up, and the list finds each by the same rule', async () => {
    const away = await testCabinet(server, admin.api, 3);
    const held = away.lockers[0]?.id ?? '';
    await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: held } });
    const now = async () => (await admin.api('GET /stats/now')).lockers;
    const before = await now();
    await away.cut();
    await expect.poll(async () => (await admin.api('GET /cabinets/{id}', { params: { id: away.id } })).connection).toBe('offline');
    const after = await now();
    expect(after).toMatchObject({ free: before.free - 2, unready: before.unready + 2, inUse: before.inUse, total: before.total });
    expect(after.free + after.inUse + after.outOfService + after.inDoubt + after.unready).toBe(after.total);
    const sizes = after.bySize.map((row) => row.free + row.inUse + row.outOfService + row.inDoubt + row.unready);
    expect(sizes.reduce((sum, count) => sum + count, 0)).toBe(after.total);
    for (const standing of STANDINGS) {
      const found = await admin.api('GET /lockers', { query: { q: { standing }, limit: 500 } });
      expect([standing, found.length]).toEqual([standing, after[standing]]);
      expect(found.filter((locker) => standingOf(locker) !== standing)).toEqual([]);
    }
    away.end();
  });

  it('is so since its connection ended, here and of the cabinet alike, however long it was quiet before', async () => {
    const away = await testCabinet(server, admin.api, 1);
    const cabinet = () => admin.api('GET /cabinets/{id}', { params: { id: away.id } });
    const long = new Date(Date.now() - 3_600_000).toISOString();
    await query(server.database.ownerUrl, 'update cabinets set last_seen_at = $2, connection_at = $2 where id = $1', [away.id, long]);
    expect(await cabinet()).toMatchObject({ connection: 'online', connectionAt: long });
    await away.cut();
    await expect.poll(async () => (await cabinet()).connection).toBe('offline');
    const { connectionAt } = await cabinet();
    expect(Date.parse(connectionAt ?? long)).toBeGreaterThan(Date.parse(long));
    const { offlineCabinets } = await admin.api('GET /stats/now');
    expect(offlineCabinets.find(({ id }) => id === away.id)).toMatchObject({ since: connectionAt });
    away.end();
  });

  it('is no cabinet that no controller was paired with: it is not paired, as its lockers are', async () => {
    const { id: siteId } = await admin.api('POST /sites', { body: { name: 'Yard' } });
    const columns = [{ width: 400, doors: [{ doorTag: 'Y01', compartment: 1, size: 'M' as const, height: 300 }] }];
    const made = await admin.api('POST /cabinets', { body: { siteId, name: 'Unpaired', columns } });
    await admin.api('POST /cabinets', { body: { siteId, name: 'No doors yet', columns: [] } });
    const { offlineCabinets } = await admin.api('GET /stats/now');
    expect(offlineCabinets.map(({ name }) => name)).not.toContain('No doors yet');
    // never paired, it is not away: nothing was ever to be heard of it
    expect(offlineCabinets.map(({ name }) => name)).not.toContain('Unpaired');
    expect(await admin.api('GET /lockers', { query: { q: { cabinetId: made.id, paired: false } } })).toMatchObject([
      { connection: 'offline', paired: false },
    ]);
  });
});

describe('what runs', () => {
  it('is counted as the list shows it: to a role its own types, to a scope its own lockers', async () => {
    const mine = [(await wall.free()).id, (await wall.free()).id];
    const scoped = await ours.scoped(['delivery'], mine);
    const lent = await admin.api('POST /occupations', { body: { type: 'lending', lockerId: mine[0] ?? '', assetText: 'Drill' } });
    await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: (await wall.free()).id } });
    await server.deps.db.tenant(ours.id, (tx) => tx.updateTable('occupations').set({ overdue: true }).where('id', '=', lent.id).execute());
    for (const person of [admin, seller, lender, scoped]) {
      const { running, overdue } = await person.api('GET /stats/now');
      const list = await person.api('GET /occupations', { query: { q: { stage: { $lt: 98 } }, limit: 500 } });
      expect([running, overdue]).toEqual([list.length, list.filter((one) => one.overdue).length]);
    }
    expect(await scoped.api('GET /stats/now')).toMatchObject({ running: 1, overdue: 1, lockers: { total: 2, inUse: 1 } });
  });
});
