import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { later, MINUTE } from '@hatchway/domain/deadlines.ts';
import type { FaultKind } from '@hatchway/sandbox/woo/faults.ts';
import { signatureOf } from '@hatchway/sandbox/woo/hooks.ts';
import { mountWoo, WOO_SHOP } from '@hatchway/sandbox/woo/mount.ts';
import { createWoo, type Woo } from '@hatchway/sandbox/woo/shop.ts';
import type { Order } from '@hatchway/sandbox/woo/store.ts';
import { orderView } from '@hatchway/sandbox/woo/view.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { sweep } from '@hatchway/server/jobs/sweep.ts';
import { syncShop } from '@hatchway/server/modules/integrations/shop-commands.ts';
import { testCabinet, type TestCabinet } from '@hatchway/server/test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer, type TestServer } from '@hatchway/server/test-server.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

/** A company whose shop is the sandbox's, over HTTP in both directions. */
let woo: Woo;
let wire: FastifyInstance;
let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let shop: string;
let wall: TestCabinet;
let late = 0;
/** What the shop changes is changed a second after the change before it. */
let tick = 0;
const now = () => Date.now() + late;
beforeAll(async () => {
  woo = createWoo({ now });
  wire = Fastify({ forceCloseConnections: true });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  shop = origin + WOO_SHOP;
  mountWoo(wire, woo, { origin });
  await wire.listen({ host: '127.0.0.1', port });
  server = await testServer({ now: () => new Date(now()), config: { sandboxPorts: [port], logLevel: 'silent' } });
  company = await testCompany(server);
  admin = await company.person(['admin']);
  wall = await testCabinet(server, admin.api, 20);
});
beforeEach(() => woo.faults.clear());
afterAll(async () => {
  wall?.end();
  await server.stop();
  await wire.close();
});

const fault = (kind: FaultKind, times: number | null = 1) => woo.faults.set({ kind, times, reference: null, ms: 20_000 });
const setUp = (person = admin, url = shop) =>
  person.api('POST /integrations/{kind}', { params: { kind: 'woo' }, body: { settings: { url } } });
const state = async (person = admin) => (await person.api('GET /integrations', { query: { type: 'shop' } })).at(0);
const url = async (person = admin) => (await person.api('GET /woo/url')).url;
/** The owner presses the button. */
const approve = async (address: string) => {
  const asked = new URL(address);
  const { nonce } = (await (await fetch(`${shop}/wc-auth/v1/nonce`)).json()) as { nonce: string };
  asked.pathname = asked.pathname.replace(/authorize$/, 'access_granted');
  asked.searchParams.set('wc_auth_nonce', nonce);
  return fetch(asked, { redirect: 'manual' });
};
const order = (firstName = 'Kari', phone = '912 34 567') =>
  woo.store.addOrder({
    firstName,
    lastName: 'Kunde',
    phone,
    email: 'kari@kunde.test',
    lines: [{ name: 'Boots & laces', quantity: 2, price: 100 }],
  });
const orders = (text?: string, person = admin) => person.api('GET /orders', { query: text === undefined ? {} : { q: { $text: text } } });
const numbers = async (text?: string) => (await orders(text)).map(({ number }) => number);
/** Asks the shop, once the look that the server itself began is over: two at once would each register webhooks. */
const sync = async () => {
  const looking = `select from jobs.job where name = 'shop' and (state = 'active' or state = 'created' and start_after <= jobs.job_now())`;
  await expect.poll(() => query(server.database.ownerUrl, looking)).toEqual([]);
  await syncShop(server.deps, company.id);
};
/** Until all that the shop told has come. */
const heard = () => woo.hooks.settled();
/** As if it were so much later; whoever signed in before that is signed in now. */
const at = async (ms: number, done: () => Promise<unknown>) => {
  late = ms;
  await done().finally(() => (late = 0));
};

describe('connecting', () => {
  it('asks the owner, proves the keys, keeps them sealed and registers webhooks', async () => {
    expect(await refusal(admin.api('GET /woo/url'))).toEqual([409, 'not-connected']);
    await setUp();
    const address = await url();
    expect(address.startsWith(`${shop}/wc-auth/v1/authorize?`)).toBe(true);
    const { searchParams } = new URL(address);
    expect(searchParams.get('scope')).toBe('read_write');
    expect((await fetch(address)).status).toBe(200);
    const [held] = await query<{ grant_hash: Buffer }>(
      server.database.ownerUrl,
      'select grant_hash from integrations where tenant_id = $1',
      [company.id],
    );
    expect(held?.grant_hash.toString('utf8')).not.toContain(searchParams.get('user_id'));
    const back = await approve(address);
    expect([back.status, new URL(back.headers.get('location') ?? '').searchParams.get('success')]).toEqual([302, '1']);
    expect(await state()).toMatchObject({ state: 'active', secrets: { consumerKey: true, consumerSecret: true }, lastError: null });
    await sync();
    expect(woo.store.webhooks().map(({ topic }) => topic)).toEqual(['order.created', 'order.updated', 'order.deleted']);
    expect(await state()).toMatchObject({ hasWebhook: true, lastError: null });
    // each was pinged while it was made, and the ping was taken
    expect(woo.hooks.sent().filter(({ topic, status }) => topic === 'ping' && status === 200)).toHaveLength(3);
    // an approval holds once
    expect((await approve(address)).status).toBe(401);
    expect(woo.store.keys()).toHaveLength(1);
  });

  it('takes no approval after ten minutes, nor one that another took the place of', async () => {
    const first = await url();
    const second = await url();
    expect((await approve(first)).status).toBe(401);
    await at(11 * MINUTE, async () => expect((await approve(second)).status).toBe(401));
    expect(woo.store.keys()).toHaveLength(1);
  });

  const post = async (body: unknown) =>
    (await fetch(`${server.url}/hooks/woo/keys`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })).status;
  const keys = async (more: Record<string, unknown> = {}) => {
    const userId = new URL(await url()).searchParams.get('user_id');
    const [real] = woo.store.keys();
    return {
      key_id: 1,
      user_id: userId,
      consumer_key: real?.consumerKey,
      consumer_secret: real?.consumerSecret,
      key_permissions: 'read_write',
      ...more,
    };
  };
  it('takes no keys but right ones that read and write, under an approval that was begun here', async () => {
    for (const [more, status] of [
      [{ consumer_key: `ck_${'0'.repeat(40)}` }, 422],
      [{ consumer_secret: `cs_${'0'.repeat(40)}` }, 422],
      [{ key_permissions: 'read' }, 422],
      [{ key_permissions: 'write' }, 422],
      [{ user_id: 'x' }, 404],
      [{ user_id: 'A'.repeat(43) }, 404],
      [{ consumer_key: undefined }, 404],
      [{ consumer_key: 7 }, 404],
      [{ consumer_secret: '' }, 404],
      [{ consumer_secret: 'x'.repeat(300) }, 404],
    ] as const)
      expect([more, await post(await keys(more))]).toEqual([more, status]);
    for (const body of ['', '{', 'null', 'webhook_id=1']) expect([body, await post(body)]).toEqual([body, 404]);
  });

  it('says what is wrong with an address: not to be fetched from, or no shop', async () => {
    const other = await (await testCompany(server)).person(['admin']);
    for (const bad of [
      'http://shop.example.test',
      'http://127.0.0.1:1',
      'https://127.0.0.1',
      'https://10.0.0.1',
      'ftp://shop.example.test',
    ])
      expect((await refusal(setUp(other, bad)))[0]).toBeGreaterThanOrEqual(400);
    const made = await other.api('POST /integrations/{kind}', {
      params: { kind: 'woo' },
      body: { settings: { url: `${new URL(shop).origin}/nothing` }, secrets: { consumerKey: 'ck_1', consumerSecret: 'cs_1' } },
    });
    const seen = await other.api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'woo', _id: made._id }, body: {} });
    expect(seen).toMatchObject({ state: 'failing', lastError: 'not-a-shop' });
  });
});

describe('orders', () => {
  it('come by webhooks, and are found by number, name and any form of the phone', async () => {
    const made = order('Åse');
    await heard();
    const [first] = await orders(made.number);
    expect(first).toMatchObject({
      id: String(made.id),
      number: made.number,
      status: 'processing',
      customer: { name: 'Åse Kunde', tlf: '+4791234567', email: 'kari@kunde.test' },
      lines: [{ name: 'Boots & laces', quantity: 2 }],
      modifiedAt: new Date(made.modified).toISOString(),
    });
    for (const text of ['åse', 'kunde ås', '91234567', '+47 912 34 567', '004791234567', '912 34', 'kari@kunde.test'])
      expect(await numbers(text)).toContain(made.number);
    expect(await numbers('nobody')).toEqual([]);
    const stranger = await (await testCompany(server)).person(['admin']);
    expect(await orders(undefined, stranger)).toEqual([]);
    expect(await state()).toMatchObject({ heardAt: expect.any(String) as string });
  });

  /** In whatever order they come, what changed last holds. */
  const changed = async (one: Order, ...statuses: ('on-hold' | 'cancelled' | 'completed' | 'processing' | 'trash')[]) => {
    let last = one;
    for (const status of statuses) {
      late = tick += 1_000;
      last = woo.store.setStatus(last, status);
      await heard();
    }
    late = 0;
    return last;
  };
  it('leave the list as they end, and come back', async () => {
    const one = order();
    await changed(one, 'on-hold');
    expect(await orders(one.number)).toMatchObject([{ status: 'on-hold' }]);
    for (const status of ['completed', 'cancelled'] as const) {
      await changed(one, status);
      expect(await numbers(one.number)).toEqual([]);
    }
  });

  it('that come doubled are one', async () => {
    fault('hook-doubled');
    const one = order();
    await heard();
    expect(await numbers(one.number)).toEqual([one.number]);
  });

  it('with a lying signature are not heard, nor without one', async () => {
    fault('hook-lying');
    const one = order();
    await heard();
    expect(woo.hooks.sent()[0]).toMatchObject({ number: one.number, status: 404 });
    expect(await numbers(one.number)).toEqual([]);
    const [hook] = woo.store.webhooks();
    expect((await fetch(hook?.deliveryUrl ?? '', { method: 'POST', body: '{"id":1}' })).status).toBe(404);
    await sync();
    expect(await numbers(one.number)).toEqual([one.number]);
  });

  it('whose word is overtaken keep the newer one', async () => {
    const one = order();
    await heard();
    const held = woo.store.webhooks().find(({ topic }) => topic === 'order.updated');
    if (!held) throw new Error('no webhook');
    const newer = { ...one, status: 'cancelled' as const, modified: one.modified + 5_000 };
    const older = { ...one, status: 'on-hold' as const, modified: one.modified + 2_000 };
    const tell = async (said: Order) => {
      const body = JSON.stringify(orderView(said, shop));
      const headers = { 'x-wc-webhook-signature': signatureOf(held.secret, body), 'x-wc-webhook-topic': 'order.updated' };
      expect((await fetch(held.deliveryUrl, { method: 'POST', headers, body })).status).toBe(200);
    };
    await tell(newer);
    await tell(older);
    expect(await numbers(one.number)).toEqual([]);
  });

  it('that were never told are caught up with: new, changed and deleted ones', async () => {
    const [kept, deleted] = [order('Kept'), order('Gone')];
    await heard();
    fault('hook-none', null);
    const lost = order('Lost');
    await changed(kept, 'cancelled');
    await changed(deleted, 'trash');
    expect(await numbers(lost.number)).toEqual([]);
    await sync();
    expect(await numbers(lost.number)).toEqual([lost.number]);
    expect([...(await numbers(kept.number)), ...(await numbers(deleted.number))]).toEqual([]);
  });

  it('are all caught up with, where more of one second than a page were never told', async () => {
    fault('hook-none', null);
    const stamp = Math.floor(now() / 1000) * 1000;
    const many = Array.from({ length: 45 }, (_, n) =>
      woo.store.addOrder({ firstName: `Bulk${n}`, lastName: 'X', phone: '', email: '', lines: [] }, stamp - (n < 25 ? 0 : n * 1000)),
    );
    await sync();
    const found = await query<{ n: number }>(
      server.database.ownerUrl,
      'select count(*)::int as n from shop_orders where number = any($1)',
      [many.map(({ number }) => number)],
    );
    expect(found[0]?.n).toBe(45);
  });

  it('are shown with their age while the shop is away, which the clock notices', async () => {
    const one = order();
    await heard();
    await sync();
    const before = (await orders(one.number))[0]?.asOf ?? '';
    for (const kind of ['outage', 'cut', 'garbage'] as const) {
      woo.faults.clear();
      fault(kind, null);
      await sync();
      expect(await state()).toMatchObject({ state: 'failing', ...(kind === 'outage' ? { lastError: 'shop-closed' } : {}) });
      expect(await orders(one.number)).toMatchObject([{ asOf: before }]);
    }
    woo.faults.clear();
    await at(6 * MINUTE, async () => {
      await sweep(server.deps, company.id);
      const kept = () =>
        query<{ state: string }>(server.database.ownerUrl, 'select state from integrations where tenant_id = $1', [company.id]);
      await expect.poll(kept, { timeout: 20_000 }).toEqual([{ state: 'active' }]);
    });
    expect(Date.parse((await orders(one.number))[0]?.asOf ?? '')).toBeGreaterThan(Date.parse(before));
  });

  it('are told again after the shop gave its webhooks up', async () => {
    for (const hook of woo.store.webhooks()) woo.store.setWebhook({ ...hook, status: 'disabled' });
    await sync();
    expect(woo.store.webhooks().map(({ status }) => status)).toEqual(['active', 'active', 'active']);
    const one = order();
    await heard();
    expect(await numbers(one.number)).toEqual([one.number]);
  });

  it('are fetched by hand, and forgotten with the time that records are kept', async () => {
    fault('hook-none');
    const one = order();
    const known = await state();
    const seen = await admin.api('POST /integrations/{kind}/{_id}/sync', { params: { kind: 'woo', _id: known?._id ?? '' }, body: {} });
    expect(seen).toMatchObject({ state: 'active', lastSyncAt: expect.any(String) as string });
    expect(await numbers(one.number)).toEqual([one.number]);
    await query(server.database.ownerUrl, 'update shop_orders set modified_at = $1 where number = $2', [
      later(new Date().toISOString(), -91 * 24 * 60 * MINUTE),
      one.number,
    ]);
    await sweep(server.deps, company.id);
    expect(await numbers(one.number)).toEqual([]);
  });
});

describe('a parcel of an order', () => {
  const setting = async (settings: Record<string, string>) => {
    const known = await state();
    const body = { settings: { url: shop, ...settings }, version: known?.version ?? 0 };
    const changed = await admin.api('PUT /integrations/{kind}/{_id}', { params: { kind: 'woo', _id: known?._id ?? '' }, body });
    // What is written back says nothing of how the shop is reached.
    expect(changed).toMatchObject({ state: 'active', settings });
  };
  const packed = async (orderRef: string) => {
    const receiver = { name: 'Kari Kunde', tlf: '+4791234567' };
    const body = { type: 'delivery' as const, lockerId: (await wall.free()).id, assetText: 'Boots', orderRef, receiver };
    const { id } = await admin.api('POST /occupations', { body });
    for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
    return id;
  };
  const fetched = async (id: string) => {
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
    await admin.api('PUT /occupations', { body: { id, action: 'finnish' } });
  };
  const notes = ({ id }: Order) => (woo.store.order(id)?.notes ?? []).map(({ note }) => note.replace(/ \(.*/, ''));
  const status = ({ id }: Order) => woo.store.order(id)?.status;
  /** What the job does, done now; it may have been at it already. */
  const told = async () => {
    await sync();
    await heard();
  };

  it('is written back: a note as it is put in, and completed after the last one is fetched', async () => {
    const one = order();
    await heard();
    const [first, second] = [await packed(one.number), await packed(one.number)];
    await told();
    await expect.poll(() => notes(one), { timeout: 20_000 }).toHaveLength(2);
    expect(notes(one)[0]).toMatch(/^(Lagt i en luke|Put into a locker): .+, \w+/);
    expect(status(one)).toBe('processing');
    await fetched(first);
    await told();
    await expect.poll(() => notes(one), { timeout: 20_000 }).toHaveLength(3);
    expect(status(one)).toBe('processing');
    await fetched(second);
    await told();
    await expect.poll(() => status(one), { timeout: 20_000 }).toBe('completed');
    expect(notes(one)).toHaveLength(4);
    await expect.poll(() => numbers(one.number), { timeout: 20_000 }).toEqual([]);
  });

  it('is written back as the company chose', async () => {
    await setting({ handedOver: 'complete', fetched: 'nothing' });
    const one = order();
    await heard();
    const id = await packed(one.number);
    await told();
    await expect.poll(() => status(one), { timeout: 20_000 }).toBe('completed');
    await fetched(id);
    await told();
    expect(notes(one)).toHaveLength(1);
    await setting({});
  });

  const open = () => query<{ state: string }>(server.database.ownerUrl, `select state from shop_operations where tenant_id = $1 and state in ('wanted', 'sent', 'unknown')`, [company.id]); // prettier-ignore
  it('is written back once, whatever goes wrong first', async () => {
    const kinds = ['outage', 'answer-lost', 'garbage'] as const satisfies FaultKind[];
    const broken = kinds.map((kind) => ({ kind, one: order() }));
    await heard();
    for (const { kind, one } of broken) {
      woo.faults.set({ kind, times: 2, reference: one.number, ms: 20_000 });
      await fetched(await packed(one.number));
    }
    // One that is away ends a look, and each goes wrong twice.
    for (let n = 0; n < 6 && woo.faults.list().length > 0; n++) await told();
    // What another run was at in between, it holds for half a minute.
    for (let n = 1; n < 4; n++) await at(n * MINUTE, told);
    expect(woo.faults.list()).toEqual([]);
    await expect.poll(open, { timeout: 20_000 }).toEqual([]);
    for (const { kind, one } of broken) expect([kind, notes(one).length, status(one)]).toEqual([kind, 2, 'completed']);
  });

  it('whose order the shop always breaks down over holds nothing else up: not the others, nor what is caught up with', async () => {
    const bad = [order('Bad'), order('Worse'), order('Worst')];
    const good = order('Good');
    await heard();
    fault('hook-none', null);
    for (const { number: reference } of bad) {
      woo.faults.set({ kind: 'error', times: null, reference, ms: 0 });
      await packed(reference);
    }
    await packed(good.number);
    const lost = order('Lost');
    for (let n = 0; n < 4 && notes(good).length === 0; n++) await told();
    await expect.poll(() => notes(good), { timeout: 20_000 }).toHaveLength(1);
    expect(bad.flatMap(notes)).toEqual([]);
    expect(await numbers(lost.number)).toEqual([lost.number]);
    expect(await state()).toMatchObject({ state: 'active', lastError: null });
    woo.faults.clear();
    await at(MINUTE, told);
    await at(2 * MINUTE, told);
    await expect.poll(() => bad.flatMap(notes), { timeout: 20_000 }).toHaveLength(3);
  });

  const alerts = async (id: string) =>
    (await query<{ n: number }>(server.database.ownerUrl, `select count(*)::int as n from messages where occupation_id = $1 and kind = 'staff-order-cancelled'`, [id]))[0]?.n; // prettier-ignore
  it('that lies in a locker as its order is cancelled, refunded or thrown away is told to staff, once', async () => {
    const settings = { alerts: [{ event: 'order-cancelled' as const, channel: 'mail' as const, to: 'staff@example.test' }] };
    await server.deps.db.tenant(company.id, (tx) =>
      tx
        .updateTable('companies')
        .set({ settings: JSON.stringify(settings) as never })
        .where('id', '=', company.id)
        .execute(),
    );
    const ended = (['cancelled', 'refunded', 'trash'] as const).map((to) => ({ to, one: order() }));
    await heard();
    const there: string[] = [];
    for (const { one } of ended) there.push(await packed(one.number));
    const gone = await packed(ended[0]?.one.number ?? '');
    await fetched(gone);
    for (const { to, one } of ended) woo.store.setStatus(one, to);
    await heard();
    await told();
    await told();
    for (const id of there) await expect.poll(() => alerts(id), { timeout: 20_000 }).toBe(1);
    expect(await alerts(gone)).toBe(0);
  });

  it('completes nothing that the shop called off, and no order that nobody knows', async () => {
    const one = order();
    await heard();
    const id = await packed(one.number);
    woo.store.setStatus(one, 'cancelled');
    await heard();
    await fetched(id);
    await fetched(await packed('by hand'));
    await told();
    await expect.poll(open, { timeout: 20_000 }).toEqual([]);
    expect([notes(one).length, status(one)]).toEqual([2, 'cancelled']);
  });
});

it('disconnected, the shop tells us no more, and nothing of it is kept', async () => {
  const known = await state();
  await admin.api('DELETE /integrations/{kind}/{_id}', { params: { kind: 'woo', _id: known?._id ?? '' } });
  await expect.poll(() => woo.store.webhooks(), { timeout: 20_000 }).toEqual([]);
  expect(await query(server.database.ownerUrl, 'select id from shop_orders where tenant_id = $1', [company.id])).toEqual([]);
  expect(await orders()).toEqual([]);
});
