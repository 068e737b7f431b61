import { createHmac } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { mountWoo, WOO_SHOP } from './mount.ts';
import { createWoo, type Woo } from './shop.ts';
import type { FaultKind } from './faults.ts';

// Shapes: woocommerce/woocommerce-rest-api-docs (wp-api-v3), woocommerce/woocommerce (class-wc-auth.php, class-wc-webhook.php,
// Controllers/Version3/class-wc-rest-crud-controller.php, Version1/class-wc-rest-webhooks-v1-controller.php).

const START = Date.UTC(2026, 10, 28, 12);
let now = START;
let woo: Woo;
let app: FastifyInstance;
let origin: string;
let shop: string;
/** What came to the client: webhooks, pings and keys. */
let heard: { url: string; headers: Record<string, unknown>; body: string }[];
let answers: number;
beforeEach(async () => {
  now = START;
  heard = [];
  answers = 200;
  woo = createWoo({ now: () => now });
  app = Fastify({ forceCloseConnections: true });
  void app.register((client, _options, done) => {
    client.removeAllContentTypeParsers();
    client.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
    client.post('/client/*', (request, reply) => {
      heard.push({ url: request.url, headers: request.headers, body: String(request.body) });
      return reply.code(answers).send();
    });
    done();
  });
  // The address is known once it listens, and routes are made before that.
  const port = await new Promise<number>((resolve) => {
    const probe = Fastify();
    void probe.listen({ host: '127.0.0.1', port: 0 }).then(async (at) => {
      await probe.close();
      resolve(Number(new URL(at).port));
    });
  });
  origin = `http://127.0.0.1:${port}`;
  shop = origin + WOO_SHOP;
  mountWoo(app, woo, { origin });
  await app.listen({ host: '127.0.0.1', port });
});
afterEach(() => app.close());

const order = (firstName = 'Kari', name = 'Boots') =>
  woo.store.addOrder({
    firstName,
    lastName: 'Kunde',
    phone: '912 34 567',
    email: 'kari@kunde.test',
    lines: [{ name, quantity: 2, price: 100 }],
  });
const call = async (method: string, path: string, body?: unknown, key = woo.store.keys()[0] ?? woo.store.addKey('Test', 'read_write')) => {
  const authorization = `Basic ${Buffer.from(`${key.consumerKey}:${key.consumerSecret}`).toString('base64')}`;
  const more = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(`${shop}/wp-json/wc/v3/${path}`, { method, headers, ...more });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
};
const webhook = (topic = 'order.updated') =>
  call('POST', 'webhooks', { name: 'T', topic, delivery_url: `${origin}/client/hook`, secret: 's3cret' });
const fault = (kind: FaultKind, times: number | null = 1, ms = 30) => woo.faults.set({ kind, times, reference: null, ms });

describe('orders', () => {
  it('are told as the documents have them', async () => {
    const { id, number } = order('Kari', 'Boots & laces');
    const { body } = await call('GET', `orders/${id}`);
    expect(body).toMatchObject({
      id,
      number,
      status: 'processing',
      date_created: '2026-11-28T13:00:00',
      date_created_gmt: '2026-11-28T12:00:00',
      total: '200.00',
      billing: { first_name: 'Kari', last_name: 'Kunde', phone: '912 34 567', email: 'kari@kunde.test' },
      line_items: [{ name: 'Boots &amp; laces', quantity: 2, total: '200.00' }],
    });
    expect((await call('GET', 'orders/99999')).body).toMatchObject({
      code: 'woocommerce_rest_shop_order_invalid_id',
      data: { status: 404 },
    });
    expect((await call('PUT', 'orders/99999', { status: 'completed' })).status).toBe(400);
  });

  it('are listed in pages, by when they were changed, on the clock that was named', async () => {
    const all = Array.from({ length: 5 }, (_, at) => {
      now = START + at * 60_000;
      return order(`Kari ${at}`);
    });
    const list = async (query: string) => {
      const { body, headers } = await call('GET', `orders?${query}`);
      return {
        ids: (body as { id: number }[]).map(({ id }) => id),
        total: headers.get('x-wp-total'),
        pages: headers.get('x-wp-totalpages'),
      };
    };
    const ids = all.map(({ id }) => id);
    expect(await list('per_page=2&orderby=modified&order=asc&page=2')).toEqual({ ids: ids.slice(2, 4), total: '5', pages: '3' });
    // strictly after
    const since = 'orderby=modified&order=asc&modified_after=2026-11-28T12:01:00';
    expect((await list(`${since}&dates_are_gmt=true`)).ids).toEqual(ids.slice(2));
    expect((await list(since)).ids).toEqual(ids);
    expect((await list('search=kari%203')).ids).toEqual([ids[3]]);
    const [first] = all;
    if (first) woo.store.setStatus(first, 'trash');
    expect((await list('order=asc')).ids).toEqual(ids.slice(1));
    expect((await list('status=trash')).ids).toEqual([ids[0]]);
    expect((await call('GET', 'orders?per_page=1&_fields=id')).body).toEqual([{ id: ids[4] }]);
  });

  test.each(['per_page=101', 'per_page=0', 'page=x', 'orderby=total', 'order=up', 'status=sold', 'modified_after=yesterday'])(
    'are not listed by %s',
    async (query) => expect((await call('GET', `orders?${query}`)).body).toMatchObject({ code: 'rest_invalid_param' }),
  );

  it('take a status and notes, of which a note changes no time', async () => {
    const { id } = order();
    now += 5_000;
    expect((await call('PUT', `orders/${id}`, { status: 'completed' })).body).toMatchObject({
      status: 'completed',
      date_modified_gmt: '2026-11-28T12:00:05',
    });
    now += 5_000;
    expect(await call('POST', `orders/${id}/notes`, { note: 'In A1' })).toMatchObject({
      status: 201,
      body: { note: 'In A1', customer_note: false },
    });
    expect((await call('GET', `orders/${id}/notes`)).body).toMatchObject([{ note: 'In A1' }]);
    expect((await call('GET', `orders/${id}`)).body).toMatchObject({ date_modified_gmt: '2026-11-28T12:00:05' });
    expect((await call('PUT', `orders/${id}`, { status: 'sold' })).status).toBe(400);
    expect((await call('POST', 'orders/99999/notes', { note: 'x' })).status).toBe(404);
  });

  it('are for the right keys alone', async () => {
    const key = woo.store.addKey('Read', 'read');
    expect((await call('GET', 'orders', undefined, key)).status).toBe(200);
    expect((await call('PUT', `orders/${order().id}`, { status: 'completed' }, key)).body).toMatchObject({
      code: 'woocommerce_rest_authentication_error',
    });
    const wrong = await call('GET', 'orders', undefined, { ...key, consumerSecret: `cs_${'0'.repeat(40)}` });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'woocommerce_rest_authentication_error' } });
    const unknown = await call('GET', 'orders', undefined, { ...key, consumerKey: 'ck_none' });
    expect(unknown).toMatchObject({ status: 401, body: { code: 'woocommerce_rest_cannot_view' } });
    expect((await call('GET', 'products')).body).toMatchObject({ code: 'rest_no_route' });
  });
});

describe('webhooks', () => {
  it('are pinged at once, unsigned, and then told with a signature', async () => {
    const made = await webhook('order.created');
    expect(made).toMatchObject({ status: 201, body: { topic: 'order.created', status: 'active', resource: 'order', event: 'created' } });
    expect(made.body).not.toHaveProperty('secret');
    expect(heard).toMatchObject([{ body: `webhook_id=${(made.body as { id: number }).id}` }]);
    expect(heard[0]?.headers).not.toHaveProperty('x-wc-webhook-signature');
    const { id } = order();
    await woo.hooks.settled();
    const [, told] = heard;
    expect(JSON.parse(told?.body ?? '')).toMatchObject({ id, status: 'processing' });
    expect(told?.headers).toMatchObject({
      'x-wc-webhook-topic': 'order.created',
      'x-wc-webhook-source': `${shop}/`,
      'x-wc-webhook-signature': createHmac('sha256', 's3cret')
        .update(told?.body ?? '')
        .digest('base64'),
    });
  });

  it('tell nothing but the id of what was deleted', async () => {
    await webhook('order.deleted');
    const { id, ...rest } = order();
    woo.store.setStatus({ id, ...rest }, 'trash');
    await woo.hooks.settled();
    expect(heard[1]?.body).toBe(`{"id":${id}}`);
  });

  it('are tried once each, and switched off after six that failed', async () => {
    await webhook();
    answers = 500;
    let one = order();
    for (let n = 0; n < 8; n++) {
      one = woo.store.setStatus(one, 'processing');
      await woo.hooks.settled();
    }
    expect(heard).toHaveLength(1 + 6);
    expect((await call('GET', 'webhooks')).body).toMatchObject([{ status: 'disabled' }]);
  });

  it('are deleted by force alone', async () => {
    const { id } = (await webhook()).body as { id: number };
    expect((await call('DELETE', `webhooks/${id}`)).status).toBe(501);
    expect((await call('DELETE', `webhooks/${id}?force=true`)).status).toBe(200);
    expect((await call('DELETE', `webhooks/${id}?force=true`)).status).toBe(404);
  });

  test.each<[FaultKind, number, boolean]>([
    ['hook-none', 0, true],
    ['hook-doubled', 2, true],
    ['hook-late', 1, true],
    ['hook-lying', 1, false],
  ])('%s: come %i times, rightly signed: %s', async (kind, times, isRight) => {
    await webhook();
    const one = order();
    fault(kind);
    woo.store.setStatus(one, 'cancelled');
    await woo.hooks.settled();
    const told = heard.slice(1);
    expect(told).toHaveLength(times);
    const right = told.map(
      ({ headers, body }) => headers['x-wc-webhook-signature'] === createHmac('sha256', 's3cret').update(body).digest('base64'),
    );
    expect(right.every((is) => is === isRight)).toBe(true);
  });
});

describe('a bad day', () => {
  it('of a change: fails, or is carried out all the same', async () => {
    const { id } = order();
    fault('error');
    expect((await call('PUT', `orders/${id}`, { status: 'completed' })).status).toBe(500);
    expect(woo.store.order(id)?.status).toBe('processing');
    fault('answer-lost');
    expect((await call('PUT', `orders/${id}`, { status: 'completed' })).status).toBe(500);
    expect(woo.store.order(id)?.status).toBe('completed');
  });

  it('of any call: closed, cut, or no JSON', async () => {
    woo.store.addKey('Test', 'read_write');
    fault('outage');
    await expect(call('GET', 'orders')).rejects.toThrow(/JSON/);
    fault('garbage');
    await expect(call('GET', 'orders')).rejects.toThrow(/JSON/);
    fault('cut');
    await expect(call('GET', 'orders')).rejects.toThrow(/fetch failed/);
    fault('slow');
    expect((await call('GET', 'orders')).status).toBe(200);
  });
});

describe('the handshake of keys', () => {
  const asked = (more: Record<string, string> = {}) =>
    new URLSearchParams({
      app_name: 'Hatchway',
      scope: 'read_write',
      user_id: 'opaque',
      return_url: `${origin}/back`,
      callback_url: `${origin}/client/keys`,
      ...more,
    });
  const auth = (path: string, query: URLSearchParams) => fetch(`${shop}/wc-auth/v1/${path}?${query.toString()}`, { redirect: 'manual' });
  const granted = async () => {
    const { nonce } = (await (await fetch(`${shop}/wc-auth/v1/nonce`)).json()) as { nonce: string };
    return auth('access_granted', asked({ wc_auth_nonce: nonce }));
  };

  it('posts keys that work, and goes back', async () => {
    expect((await auth('authorize', asked())).status).toBe(200);
    const answer = await granted();
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${origin}/back?success=1&user_id=opaque`]);
    const told = JSON.parse(heard[0]?.body ?? '') as Record<string, string>;
    expect(told).toMatchObject({ user_id: 'opaque', key_permissions: 'read_write' });
    expect(told['consumer_key']).toMatch(/^ck_[0-9a-f]{40}$/);
    expect((await call('GET', 'orders')).status).toBe(200);
  });

  test.each([201, 204, 302, 404, 500])('takes the keys back where they are answered by %i', async (status) => {
    answers = status;
    expect((await granted()).status).toBe(401);
    expect(woo.store.keys()).toEqual([]);
  });

  test.each([
    [{ scope: 'all' }],
    [{ user_id: '' }],
    [{ callback_url: 'http://192.0.2.1/keys' }],
    [{ callback_url: 'nowhere' }],
    [{ return_url: 'nowhere' }],
    [{ app_name: '' }],
  ])('is refused for %j', async (more) => expect((await auth('authorize', asked(more))).status).toBe(401));

  it('takes one approval of its own page once', async () => {
    expect((await auth('access_granted', asked({ wc_auth_nonce: 'made up' }))).status).toBe(401);
    expect(heard).toEqual([]);
  });
});

it('the page makes orders and changes them', async () => {
  const post = (path: string, body: unknown) =>
    fetch(`${origin}/sandbox/woo/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const made = (await (await post('orders', { firstName: 'Åse', lines: [{ name: 'Coffee', quantity: 3 }, { name: '' }] })).json()) as {
    id: number;
  };
  expect(woo.store.order(made.id)?.lines).toMatchObject([{ name: 'Coffee', quantity: 3 }]);
  expect((await post('orders', { firstName: 'Åse', lines: [] })).status).toBe(400);
  expect((await post(`orders/${made.id}`, { status: 'refunded' })).status).toBe(200);
  expect((await post(`orders/${made.id}`, { status: 'sold' })).status).toBe(400);
  expect((await post('orders/1', { status: 'refunded' })).status).toBe(404);
  expect((await post('faults', { kind: 'earthquake' })).status).toBe(400);
  expect((await post('faults', { kind: 'outage' })).status).toBe(201);
  expect(await (await fetch(`${origin}/sandbox/woo/books`)).json()).toMatchObject({
    orders: [{ id: made.id, status: 'refunded' }],
    address: shop,
  });
});
