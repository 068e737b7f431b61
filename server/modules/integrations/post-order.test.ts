import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@hatchway/contract/client.ts';
import { query } from '../../db/test-database.ts';
import { listen } from '../../live/test-listener.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { testDoors, type TestDoors } from '../occupations/test-doors.ts';

// What an outside shop tells of its orders by an API key.

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestDoors;
let shop: Client;
let late = 0;
const keyOf = async (person: TestPerson, scopes: string[]) =>
  server.as((await person.api('POST /key', { body: { name: `Key ${unique()}`, scopes } })).secret);
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + late) });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  wall = await testDoors(admin.api, 14);
  shop = await keyOf(admin, ['delivery']);
});
afterAll(async () => {
  await server.stop();
});

let last = 1000;
const fresh = (more: object = {}) => ({
  shop: 'boots.example.com',
  number: String(++last),
  customer: { name: 'Kari Berg', tlf: '912 34 567', email: 'kari@example.com' },
  lines: [{ name: 'Boots', quantity: 2 }],
  ...more,
});
const post = (body: Parameters<typeof shop<'POST /orders'>>[1]['body'], by = shop) => by('POST /orders', { body });
const listed = async (text?: string, by = admin.api) =>
  (await by('GET /orders', { query: text === undefined ? {} : { q: { $text: text } } })).map(({ number }) => number);
const registered = async (orderRef: string) => {
  const body = { type: 'delivery' as const, lockerId: (await wall.free()).id, assetText: 'Boots', orderRef };
  return (await admin.api('POST /occupations', { body })).id;
};
const packed = async (orderRef: string) => {
  const id = await registered(orderRef);
  await admin.api('PUT /occupations', { body: { id, action: 'fill' } });
  return id;
};
const staffHear = async () => {
  const settings = { alerts: [{ event: 'order-cancelled' as const, channel: 'mail' as const, to: 'staff@example.test' }] };
  const { version } = await admin.api('GET /companies/{tenant}', { params: { tenant: ours.id } });
  await admin.api('PUT /companies/{tenant}', { params: { tenant: ours.id }, body: { version, settings } });
};
const alerts = async (id: string) =>
  (await admin.api('GET /messages', { query: { q: { occupationId: id } } })).filter(({ cause }) => cause.includes('order-cancelled'))
    .length;

describe('an order that a shop posts', () => {
  it('is found by its number, its customer and any form of the phone, with the name of its shop', async () => {
    const told = fresh();
    const one = await post(told);
    const number = `boots.example.com:${told.number}`;
    expect(one).toMatchObject({ id: number, number, shop: 'boots.example.com', status: 'open', lines: told.lines });
    expect(one.customer).toEqual({ name: 'Kari Berg', tlf: '+4791234567', email: 'kari@example.com' });
    for (const words of [told.number, 'berg', '4791234567', 'boots']) expect(await listed(words)).toContain(number);
    expect(await admin.api('GET /orders/shops')).toEqual([{ shop: 'boots.example.com', asOf: one.asOf }]);
  });

  it('told again, and many times at once, is one order; what is left out stays', async () => {
    const told = fresh();
    const all = await Promise.all(Array.from({ length: 6 }, () => post(told)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    const [rows] = await query<{ n: number }>(server.database.ownerUrl, 'select count(*)::int as n from shop_orders where ref = $1', [
      all[0]?.id,
    ]);
    expect(rows?.n).toBe(1);
    const { shop: name, number } = told;
    const changed = await post({ shop: name, number, lines: [{ name: 'Laces', quantity: 1 }] });
    expect(changed).toMatchObject({ customer: { name: 'Kari Berg' }, lines: [{ name: 'Laces', quantity: 1 }], status: 'open' });
  });

  it('holds as it was changed last, in whatever order that is told, and no time that lies ahead holds against what follows', async () => {
    const told = fresh({ modifiedAt: '2026-01-01T10:00:00+01:00' });
    await post(told);
    const { shop: name, number } = told;
    const is = async (modifiedAt: string | undefined, status: 'open' | 'completed') =>
      (await post({ shop: name, number, status, ...(modifiedAt === undefined ? {} : { modifiedAt }) })).status;
    expect(await is('2026-01-01T09:30:00Z', 'completed')).toBe('completed');
    expect(await is('2026-01-01T09:15:00Z', 'open')).toBe('completed');
    expect(await is('2999-01-01T00:00:00Z', 'open')).toBe('open');
    late = 1000;
    expect(await is(undefined, 'completed')).toBe('completed');
    late = 0;
  });

  it('leaves the list as it ends, and its shop stays one whose orders can be picked', async () => {
    const told = fresh();
    await post(told);
    for (const status of ['completed', 'cancelled', 'refunded'] as const) {
      late += 1000;
      await post({ shop: told.shop, number: told.number, status });
      expect(await listed(told.number)).toEqual([]);
      late += 1000;
      await post({ shop: told.shop, number: told.number, status: 'open' });
      expect(await listed(told.number)).toHaveLength(1);
    }
    late = 0;
    expect(await admin.api('GET /orders/shops')).toHaveLength(1);
  });

  it('of two shops with one number is two, also for the parcels of each', async () => {
    const told = fresh();
    const mine = await post(told);
    const other = await post({ ...told, shop: 'other-shop' });
    expect(new Set(await listed(told.number))).toEqual(new Set([mine.number, other.number]));
    await staffHear();
    const [a, b] = [await packed(mine.number), await packed(other.number)];
    for (let n = 0; n < 2; n++) await post({ shop: 'other-shop', number: told.number, status: 'cancelled' });
    await expect.poll(() => alerts(b)).toBe(1);
    expect(await alerts(a)).toBe(0);
  });

  it('and was called off between the registering and the filling of its parcel is told to staff as that is filled, once', async () => {
    await staffHear();
    const told = fresh();
    const { number } = await post(told);
    const id = await registered(number);
    await post({ shop: told.shop, number: told.number, status: 'refunded' });
    expect(await alerts(id)).toBe(0);
    for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
    expect(await alerts(id)).toBe(1);
    await post({ shop: told.shop, number: told.number, status: 'refunded' });
    expect(await alerts(id)).toBe(1);
  });

  it('and is called off in the moment in which its parcel is filled is told to staff, whoever was first', async () => {
    await staffHear();
    for (let n = 0; n < 4; n++) {
      const told = fresh();
      const id = await registered((await post(told)).number);
      await Promise.all([
        post({ shop: told.shop, number: told.number, status: 'cancelled' }),
        admin.api('PUT /occupations', { body: { id, action: 'fill' } }),
      ]);
      await expect.poll(() => alerts(id)).toBe(1);
      await admin.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} });
    }
  });

  it('and how it stands is shown with what runs for it, at once to whoever looks, and not once that is over', async () => {
    const told = fresh();
    const { number } = await post(told);
    const [id, apart] = [await registered(number), await registered('by hand')];
    const off = async () => (await admin.api('GET /occupations', { query: { q: { id: { $in: [id, apart] } } } }))
      .toSorted((a) => (a.id === id ? -1 : 1)).map((one) => one.orderCalledOff); // prettier-ignore
    expect(await off()).toEqual([false, false]);
    const live = await listen(server.url, admin.token);
    await live.ask({ topic: 'subscribe', id: '1', event: 'occupations' });
    const seen = () => live.events.filter(({ data }) => data['id'] === id).map(({ data }) => data['orderCalledOff']);
    for (const status of ['cancelled', 'open', 'refunded'] as const) {
      late += 1000;
      await post({ shop: told.shop, number: told.number, status });
    }
    await expect.poll(() => seen().at(-1)).toBe(true);
    live.close();
    expect(await off()).toEqual([true, false]);
    expect(await admin.api('GET /occupations/{id}', { params: { id } })).toMatchObject({ orderCalledOff: true });
    await admin.api('DELETE /occupations/{id}', { params: { id }, body: {} });
    expect(await off()).toEqual([false, false]);
    late = 0;
  });

  it('is refused where it says nothing that can be kept, and by whoever delivers nothing', async () => {
    const { shop: name, number } = fresh();
    expect(await refusal(post({ shop: name, number, status: 'cancelled' }))).toEqual([422, 'rule']);
    expect(await refusal(post(fresh({ customer: { name: 'Kari', tlf: '12' } })))).toEqual([422, 'rule']);
    for (const wrong of [
      { shop: 'Boots & Co' },
      { shop: 'a:b' },
      { number: '' },
      // No receiver's may be longer.
      { customer: { name: 'x'.repeat(101) } },
      { lines: [{ name: 'x', quantity: 0 }] },
      { status: 'trash' as never },
    ])
      expect(await refusal(post(fresh(wrong)))).toEqual([400, 'malformed']);
    for (const scopes of [['read'], ['sale'], ['admin:integrations']])
      expect(await refusal(post(fresh(), await keyOf(admin, scopes)))).toEqual([403, 'forbidden']);
    const scoped = await ours.scoped(['delivery'], [wall.lockers[0]?.id ?? '']);
    expect(await refusal(post(fresh(), scoped.api))).toEqual([403, 'forbidden']);
    expect(await refusal(post(fresh(), server.as(null)))).toEqual([401, 'unauthenticated']);
  });

  it('is nobody else’s', async () => {
    const told = fresh();
    await post(told);
    const stranger = await (await testCompany(server)).person(['admin']);
    expect(await listed(undefined, stranger.api)).toEqual([]);
    expect(await stranger.api('GET /orders/shops')).toEqual([]);
    const theirs = await post({ ...told, lines: [] }, await keyOf(stranger, ['delivery']));
    expect(theirs.lines).toEqual([]);
    expect((await admin.api('GET /orders', { query: { q: { number: theirs.number } } }))[0]?.lines).toEqual(told.lines);
  });
});
