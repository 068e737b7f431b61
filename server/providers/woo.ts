import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { plainOfHtml } from '@hatchway/domain/shop-order.ts';
import type { Outside } from '../outside/fetch.ts';
import { isSame } from '../seal.ts';
import { jsonOf, reach, type Said } from './said.ts';
import { plainError } from './sent.ts';

/**
 * WooCommerce's REST v3, its webhooks and its handshake of keys, by woocommerce/woocommerce-rest-api-docs and woocommerce/woocommerce
 * (class-wc-auth.php, class-wc-webhook.php, rest-api/Controllers). The paths, bodies and headers are the shop's own words.
 */

export type ShopKeys = { consumerKey: string; consumerSecret: string };
export type ShopOrder = {
  ref: string;
  number: string;
  status: string;
  name: string;
  /** As its customer typed it. */
  phone: string;
  email: string;
  lines: { name: string; quantity: number }[];
  orderedAt: string;
  modifiedAt: string;
};
type Hook = { id: number; url: string; topic: string; isActive: boolean };

/** What a shop does for us. */
export type Shop = {
  /** Whether the keys are this very shop's. */
  test(): Promise<Said<null>>;
  /** Changed after that moment (ISO), the oldest change first; `trash`: the deleted ones, which are not among the others. */
  orders(after: string, page: number, trash: boolean): Promise<Said<{ orders: ShopOrder[]; isLast: boolean }>>;
  /** The shop's word for how an order stands. */
  status(ref: string): Promise<Said<string>>;
  complete(ref: string): Promise<Said<null>>;
  /** For the shop's own staff; its customer is told nothing. */
  note(ref: string, text: string): Promise<Said<null>>;
  notes(ref: string): Promise<Said<string[]>>;
  webhooks(): Promise<Said<Hook[]>>;
  /** Asks to be told of a topic at an address of ours; answers its id. */
  register(topic: string, url: string, secret: string): Promise<Said<number>>;
  /** Ends a registration; one that is not there has ended. */
  unregister(id: number): Promise<Said<null>>;
};

/** Small enough that a page of the longest orders stays below what is read of an answer. */
const PER_PAGE = 20;
export const TOPICS = ['order.created', 'order.updated', 'order.deleted'] as const;
const FIELDS = 'id,number,status,date_created_gmt,date_modified_gmt,billing,shipping,line_items';

const text = z.string().nullish();
const person = z.object({ first_name: text, last_name: text, company: text, email: text, phone: text }).nullish();
const order = z.object({
  id: z.int().positive(),
  number: z.union([z.string(), z.number()]).nullish(),
  status: z.string().max(60),
  date_created_gmt: z.string(),
  date_modified_gmt: z.string().nullish(),
  billing: person,
  shipping: person,
  line_items: z.array(z.object({ name: text, quantity: z.number() })).nullish(),
});
const hooks = z.array(z.object({ id: z.int(), delivery_url: z.string(), topic: z.string(), status: z.string() }));
const failure = z.object({ code: z.string(), message: z.string().nullish() });
const stands = z.object({ status: z.string() });
const noted = z.array(z.object({ note: z.string() }));
const made = z.object({ id: z.int() });
const deleted = z.object({ id: z.int().positive() });

/** A time of the shop's, which is told without a zone; null for what is none. */
const utc = (told: string): string | null => {
  const at = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(told) ? told : `${told}Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};
const MOST_LINES = 100;
const short = (told: string | null | undefined): string =>
  plainOfHtml(told ?? '')
    .trim()
    .slice(0, 200);

/** An order as the shop tells it; null for what is none, such as a draft without a time. */
export const readOrder = (told: unknown): ShopOrder | null => {
  const said = order.safeParse(told);
  if (!said.success) return null;
  const { id, number, status, date_created_gmt: created, date_modified_gmt: modified, billing, shipping, line_items: items } = said.data;
  const orderedAt = utc(created);
  const modifiedAt = utc(modified ?? created);
  if (orderedAt === null || modifiedAt === null) return null;
  const nameOf = (who: typeof billing) => short([who?.first_name, who?.last_name].filter(Boolean).join(' ')) || short(who?.company);
  return {
    ref: String(id),
    number: short(String(number ?? id)) || String(id),
    status,
    name: nameOf(billing) || nameOf(shipping),
    phone: short(billing?.phone) || short(shipping?.phone),
    email: short(billing?.email),
    lines: (items ?? []).slice(0, MOST_LINES).map((line) => ({ name: short(line.name), quantity: Math.round(line.quantity) })),
    orderedAt,
    modifiedAt,
  };
};

/** Of a deleted order the shop tells nothing but its id. */
export const readDeleted = (told: unknown): string | null => {
  const said = deleted.safeParse(told);
  return said.success ? String(said.data.id) : null;
};

/** What it says is wrong, in one line without secrets. */
const reasonOf = (status: number, headers: Readonly<Record<string, string>>, body: Buffer): string => {
  if (status >= 300 && status < 400) return plainError(`${status} · the shop is at ${headers['location'] ?? 'another address'}`, '');
  const said = failure.safeParse(jsonOf(body));
  return said.success ? plainError(`${status} · ${said.data.code} · ${said.data.message ?? ''}`, '') : `${status}`;
};

export const openShop = (outside: Outside, base: string, keys: ShopKeys): Shop => {
  const basic = Buffer.from(`${keys.consumerKey}:${keys.consumerSecret}`).toString('base64');

  const call = async <T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    schema: z.ZodType<T>,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<Said<T>> => {
    const asked = { method, headers: { authorization: `Basic ${basic}`, accept: 'application/json' }, body };
    const answer = await reach(outside, `${base}/wp-json/wc/v3/${path}`, asked);
    if ('kind' in answer) return answer;
    const { status, headers } = answer;
    if (status >= 200 && status < 300) {
      const said = schema.safeParse(jsonOf(answer.body));
      return said.success ? { kind: 'ok', value: said.data } : { kind: 'unknown', error: 'not-a-shop', status };
    }
    // Its page for visitors says why, if anything does.
    const error = status === 503 ? 'shop-closed' : reasonOf(status, headers, answer.body);
    if (status === 401 || status === 403) return { kind: 'keys', error: 'keys-refused', status };
    if (status === 408 || status === 429 || status === 503) return { kind: 'away', error, status };
    if (status === 404 && !failure.safeParse(jsonOf(answer.body)).success) return { kind: 'refused', error: 'not-a-shop', status };
    return { kind: status >= 500 ? 'unknown' : 'refused', error, status };
  };
  /** Of a change: an answer in other words is none, since nobody knows whether it was carried out. */
  const changed = made.transform(() => null);
  const rows = z.array(z.unknown());

  return {
    test: () =>
      call(
        'GET',
        'orders?per_page=1&_fields=id',
        rows.transform(() => null),
      ),
    orders: (after, page, trash) => {
      const query = new URLSearchParams({
        modified_after: after.slice(0, 19),
        dates_are_gmt: 'true',
        orderby: 'modified',
        order: 'asc',
        per_page: String(PER_PAGE),
        page: String(page),
        _fields: FIELDS,
        ...(trash ? { status: 'trash' } : {}),
      });
      // By all that came, so that a page is known to be full though something in it cannot be read.
      const read = rows.transform((all) => ({ orders: all.flatMap((one) => readOrder(one) ?? []), isLast: all.length < PER_PAGE }));
      return call('GET', `orders?${query.toString()}`, read);
    },
    status: (ref) =>
      call(
        'GET',
        `orders/${ref}?_fields=id,status`,
        stands.transform(({ status }) => status),
      ),
    complete: (ref) => call('PUT', `orders/${ref}?_fields=id`, changed, { status: 'completed' }),
    note: (ref, body) => call('POST', `orders/${ref}/notes`, changed, { note: body, customer_note: false }),
    notes: (ref) =>
      call(
        'GET',
        `orders/${ref}/notes?type=internal`,
        noted.transform((all) => all.map(({ note }) => note)),
      ),
    webhooks: () =>
      call(
        'GET',
        'webhooks?per_page=100',
        hooks.transform((all) =>
          all.map(({ id, delivery_url: url, topic, status }) => ({ id, url, topic, isActive: status === 'active' })),
        ),
      ),
    register: (topic, url, secret) =>
      call(
        'POST',
        'webhooks',
        made.transform(({ id }) => id),
        { name: `Hatchway ${topic}`, topic, delivery_url: url, secret },
      ),
    unregister: async (id) => {
      const said = await call('DELETE', `webhooks/${id}?force=true`, changed);
      return said.kind === 'refused' && said.status === 404 ? { kind: 'ok', value: null } : said;
    },
  };
};

/** Where the shop's owner lets us in. */
export const approvalAddress = (base: string, asked: { userId: string; returnUrl: string; callbackUrl: string }): string => {
  const query = new URLSearchParams({
    app_name: 'Hatchway',
    scope: 'read_write',
    user_id: asked.userId,
    return_url: asked.returnUrl,
    callback_url: asked.callbackUrl,
  });
  return `${base}/wc-auth/v1/authorize?${query.toString()}`;
};

const granted = z.object({
  user_id: z.string().max(100),
  consumer_key: z.string().min(1).max(200),
  consumer_secret: z.string().min(1).max(200),
  key_permissions: z.string(),
});
type Granted = { userId: string; keys: ShopKeys; isReadWrite: boolean };
/** The keys that a shop posts once its owner approved; null for anything else. */
export const readGranted = (body: Buffer): Granted | null => {
  const said = granted.safeParse(jsonOf(body));
  if (!said.success) return null;
  const { user_id: userId, consumer_key: consumerKey, consumer_secret: consumerSecret, key_permissions: permissions } = said.data;
  return { userId, keys: { consumerKey, consumerSecret }, isReadWrite: permissions === 'read_write' };
};

/** The first word to a new webhook: unsigned, and nothing to act on. */
export const isPing = (body: Buffer): boolean => body.length < 40 && /^webhook_id=\d+$/.test(body.toString('latin1'));

/** Whether a webhook was signed with the secret that it was registered with: base64 of HMAC-SHA256 over its bytes. */
export const isSignedByShop = (secret: string, body: Buffer, signature: string): boolean =>
  isSame(createHmac('sha256', secret).update(body).digest('base64'), signature);
