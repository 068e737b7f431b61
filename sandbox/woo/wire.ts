import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { befallen } from '../befall.ts';
import type { Key, Order, Status, Topic } from './store.ts';
import { STATUSES, TOPICS } from './store.ts';
import type { Woo } from './shop.ts';
import { gmt, local, noteView, orderView, webhookView } from './view.ts';

/**
 * REST v3 of the shop below `prefix`, by woocommerce/woocommerce (includes/rest-api/Controllers, class-wc-rest-authentication.php) and its
 * REST documents. A real shop takes these keys over TLS alone; this one takes them on the loopback without.
 */

type Body = Record<string, unknown>;
type Answer = { status: number; body: unknown; headers?: Record<string, string> };
type Call = { key: Key; query: URLSearchParams; body: Body; id: number };

const failure = (status: number, code: string, message: string, more: Body = {}): Answer => ({
  status,
  body: { code, message, data: { status, ...more } },
});
const invalid = (...names: string[]): Answer =>
  failure(400, 'rest_invalid_param', `Wrong: ${names.join(', ')}`, {
    params: Object.fromEntries(names.map((name) => [name, `${name} is wrong`])),
  });
const noOrder = (status: number) => failure(status, 'woocommerce_rest_shop_order_invalid_id', 'There is none with this id.');

const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);
const ALL: readonly Status[] = [...STATUSES, 'trash'];
const VERBS: Record<string, string> = { GET: 'view', POST: 'create', PUT: 'edit', DELETE: 'delete' };
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
const SORTS = {
  date: ({ created }: Order) => created,
  modified: ({ modified }: Order) => modified,
  id: ({ id }: Order) => id,
} as const;

/** The orders that were asked for, and how many there are in all; or which parameters are wrong. */
function listed(orders: readonly Order[], query: URLSearchParams): { rows: Order[]; total: number; perPage: number } | Answer {
  const number = (name: string, otherwise: number, most: number) => {
    const value = query.get(name);
    return value === null ? otherwise : /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= most ? Number(value) : null;
  };
  const page = number('page', 1, Infinity);
  const perPage = number('per_page', 10, 100);
  const sort = query.get('orderby') ?? 'date';
  const direction = query.get('order') ?? 'desc';
  const statuses = [...query.getAll('status'), ...query.getAll('status[]')].flatMap((one) => one.split(','));
  const dates = ['after', 'before', 'modified_after', 'modified_before'] as const;
  const wrong = [
    ...(page === null ? ['page'] : []),
    ...(perPage === null ? ['per_page'] : []),
    ...(sort in SORTS ? [] : ['orderby']),
    ...(['asc', 'desc'].includes(direction) ? [] : ['order']),
    ...(statuses.every((one) => one === 'any' || ALL.includes(one as Status)) ? [] : ['status']),
    ...dates.filter((name) => query.has(name) && !DATE.test(query.get(name) ?? '')),
  ];
  if (wrong.length > 0 || page === null || perPage === null) return invalid(...wrong);
  // Dates are on the shop's own clock, unless it is told that they are not.
  const told = ['true', '1'].includes(query.get('dates_are_gmt') ?? '') ? gmt : local;
  const dateOf = (name: string) => query.get(name)?.slice(0, 19) ?? null;
  const between = (at: number, after: string | null, before: string | null) =>
    (after === null || told(at) > after) && (before === null || told(at) < before);
  const search = (query.get('search') ?? '').toLowerCase();
  const include = (query.get('include') ?? '').split(',').filter(Boolean).map(Number);
  const of = SORTS[sort as keyof typeof SORTS];
  const found = orders
    .filter(({ status }) => (statuses.length === 0 || statuses.includes('any') ? status !== 'trash' : statuses.includes(status)))
    .filter(({ id }) => include.length === 0 || include.includes(id))
    .filter((one) => between(one.created, dateOf('after'), dateOf('before')))
    .filter((one) => between(one.modified, dateOf('modified_after'), dateOf('modified_before')))
    .filter((one) => [one.number, one.firstName, one.lastName, one.email, one.phone].join(' ').toLowerCase().includes(search))
    .toSorted((a, b) => (of(a) - of(b) || a.id - b.id) * (direction === 'asc' ? 1 : -1));
  return { rows: found.slice((page - 1) * perPage, page * perPage), total: found.length, perPage };
}

export function mountWire(
  app: FastifyInstance,
  { store, hooks, faults }: Woo,
  { prefix, address }: { prefix: string; address: string },
): void {
  hooks.at(address);
  const base = `${prefix}/wp-json/wc/v3`;

  const send = (reply: FastifyReply, { status, body, headers }: Answer) =>
    reply
      .code(status)
      .headers(headers ?? {})
      .type('application/json; charset=UTF-8')
      .send(JSON.stringify(body));

  const isBadDay = (request: FastifyRequest, reply: FastifyReply, number: string | null): Promise<boolean> =>
    befallen(faults, number, request, reply, {
      outage: () => reply.code(503).type('text/html').send('<h1>Closed for a while</h1>'),
      // What a plugin that complains into the page makes of every answer.
      garbage: () => reply.code(200).type('text/html').send('<b>Warning</b>: Undefined array key "id" [{'),
    });

  const keyOf = (request: FastifyRequest): Key | Answer => {
    const [, encoded = ''] = /^Basic (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const [name = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const key = store.keys().find(({ consumerKey }) => consumerKey === name);
    const verb = VERBS[request.method] ?? 'view';
    if (!key) return failure(401, `woocommerce_rest_cannot_${verb}`, `Nobody without a key may ${verb} this.`);
    if (!same(key.consumerSecret, secret)) return failure(401, 'woocommerce_rest_authentication_error', 'The consumer secret is wrong.');
    const needs = request.method === 'GET' ? 'read' : 'write';
    if (key.permissions === 'read_write' || key.permissions === needs) return key;
    return failure(401, 'woocommerce_rest_authentication_error', `This key may not ${needs}.`);
  };

  const handle =
    (run: (call: Call) => Answer | Promise<Answer>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { id: raw } = request.params as { id?: string };
      const id = Number(raw ?? 0);
      const number = store.order(id)?.number ?? null;
      if (await isBadDay(request, reply, number)) return reply;
      const key = keyOf(request);
      if ('body' in key) return send(reply, key);
      const changes = request.method !== 'GET';
      if (request.body === undefined) return send(reply, failure(400, 'rest_invalid_json', 'The body is no JSON.'));
      const wrong = failure(500, 'internal_server_error', 'The shop broke down.');
      if (changes && faults.take(['error'], number)) return send(reply, wrong);
      const query = new URL(request.url, 'http://shop').searchParams;
      const answer = await run({ key, query, body: isObject(request.body) ? request.body : {}, id });
      return send(reply, changes && faults.take(['answer-lost'], number) ? wrong : answer);
    };

  /** `_fields`: what alone is told of each. */
  const trimmed = (row: Body, query: URLSearchParams): Body => {
    const fields = query.get('_fields')?.split(',');
    return fields ? Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name))) : row;
  };
  const withOrder =
    (missing: number, run: (order: Order, call: Call) => Answer | Promise<Answer>) =>
    (call: Call): Answer | Promise<Answer> => {
      const order = store.order(call.id);
      return order ? run(order, call) : noOrder(missing);
    };
  const oneOrder = (order: Order, { query }: Call): Answer => ({ status: 200, body: trimmed(orderView(order, address), query) });

  const createWebhook = async ({ body }: Call): Promise<Answer> => {
    const { name, topic, delivery_url: deliveryUrl, secret, status } = body;
    const text = (value: unknown) => (typeof value === 'string' ? value : '');
    const known = TOPICS.find((one) => one === text(topic).toLowerCase());
    if (!known) return failure(400, 'woocommerce_rest_shop_webhook_invalid_topic', 'There is no such topic.');
    if (!/^https?:\/\//.test(text(deliveryUrl)) || !URL.canParse(text(deliveryUrl)))
      return failure(400, 'woocommerce_rest_shop_webhook_invalid_delivery_url', 'delivery_url must be an address.');
    const webhook = store.addWebhook({
      name: text(name) || `Webhook created on ${local(store.now())}`,
      topic: known satisfies Topic,
      deliveryUrl: text(deliveryUrl),
      secret: text(secret),
      status: status === 'paused' || status === 'disabled' ? status : 'active',
    });
    // Whatever is answered to it, the webhook is there.
    await hooks.ping(webhook);
    return { status: 201, body: webhookView(webhook) };
  };
  const deleteWebhook = ({ id, query }: Call): Answer => {
    if (query.get('force') !== 'true') return failure(501, 'woocommerce_rest_trash_not_supported', 'A webhook is deleted by force alone.');
    const webhook = store.webhooks().find((one) => one.id === id);
    if (!webhook) return failure(404, 'woocommerce_rest_shop_webhook_invalid_id', 'There is none with this id.');
    store.removeWebhook(id);
    return { status: 200, body: webhookView(webhook) };
  };

  void app.register((api, _options, done) => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, parsed) => {
      try {
        parsed(null, text === '' ? {} : JSON.parse(String(text)));
      } catch {
        parsed(null, undefined);
      }
    });
    api.addHook('preHandler', (request, _reply, next) => {
      // No body at all is an empty one; what cannot be read stays undefined.
      if (request.body === undefined && !request.headers['content-type']) request.body = {};
      next();
    });
    api.get(
      `${base}/orders`,
      handle(({ query }) => {
        const found = listed(store.orders(), query);
        if (!('rows' in found)) return found;
        const { rows, total, perPage } = found;
        const headers = { 'x-wp-total': String(total), 'x-wp-totalpages': String(Math.ceil(total / perPage)) };
        return { status: 200, body: rows.map((order) => trimmed(orderView(order, address), query)), headers };
      }),
    );
    api.get(`${base}/orders/:id`, handle(withOrder(404, oneOrder)));
    api.put(
      `${base}/orders/:id`,
      handle(
        withOrder(400, (order, call) => {
          const { status } = call.body;
          if (status !== undefined && !STATUSES.includes(status as (typeof STATUSES)[number])) return invalid('status');
          return oneOrder(store.setStatus(order, (status ?? order.status) as Status), call);
        }),
      ),
    );
    api.get(`${base}/orders/:id/notes`, handle(withOrder(404, ({ notes }) => ({ status: 200, body: notes.map(noteView).toReversed() }))));
    api.post(
      `${base}/orders/:id/notes`,
      handle(
        withOrder(404, (order, { body }) => {
          if (typeof body['note'] !== 'string' || body['note'] === '')
            return failure(400, 'rest_missing_callback_param', 'note is missing', { params: ['note'] });
          return { status: 201, body: noteView(store.addNote(order, body['note'], body['customer_note'] === true)) };
        }),
      ),
    );
    api.get(
      `${base}/webhooks`,
      handle(({ query }) => {
        const perPage = Number(query.get('per_page') ?? 10);
        return { status: 200, body: store.webhooks().slice(0, perPage).map(webhookView) };
      }),
    );
    api.post(`${base}/webhooks`, handle(createWebhook));
    api.delete(`${base}/webhooks/:id`, handle(deleteWebhook));
    api.all(`${prefix}/wp-json/*`, (_request, reply) => send(reply, failure(404, 'rest_no_route', 'There is no such route.')));
    done();
  });
}
