import { z } from 'zod';
import { bareAddress, INTEGRATION_STATES, MOST_SECRET, WRITE_BACKS, type IntegrationKind } from '@hatchway/domain/integration.ts';
import { POSTED_STATUSES } from '@hatchway/domain/shop-order.ts';
import { code, email, id, moment, name, seen, text, time, tlf, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

/** As the server's own sandbox has it: whether plain http may lead there, the server says. */
const isLoopback = (hostname: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
/** Where an outside system answers: https, no password in the address. Whether it is a public one is asked at each connect. */
const address = z
  .string()
  .trim()
  .max(300)
  .transform(bareAddress)
  .refine((value) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return false;
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  }, 'an https address is needed');
/** A directory's id, or one of its domains. */
export const tid = z
  .string()
  .trim()
  .max(120)
  .regex(/^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|([a-zA-Z0-9-]+\.)+[a-zA-Z]{2,})$/, 'a directory’s id or domain is needed');
const secret = text(MOST_SECRET).nullable().optional();

/** What each kind is set up with. A secret that is not given stays as it is, null takes it away; with another `url` none stays. */
export const SETUP = {
  vipps: {
    settings: z.strictObject({
      merchantSerialNumber: z
        .string()
        .trim()
        .regex(/^\d{4,7}$/, '4 to 7 digits are needed'),
      clientId: code(100),
      testMode: z.boolean().default(false),
    }),
    secrets: z.strictObject({ clientSecret: secret, subscriptionKey: secret }),
  },
  woo: {
    settings: z.strictObject({
      url: address,
      handedOver: z.enum(WRITE_BACKS).default('note').describe('As its parcel is put into a locker, and as that is fetched'),
      fetched: z.enum(WRITE_BACKS).default('complete'),
    }),
    secrets: z.strictObject({ consumerKey: secret, consumerSecret: secret }),
  },
  entra: { settings: z.strictObject({ tid }), secrets: z.strictObject({}) },
  tcm: { settings: z.strictObject({ url: address }), secrets: z.strictObject({ apiKey: secret }) },
  snipeit: { settings: z.strictObject({ url: address }), secrets: z.strictObject({ token: secret }) },
} as const satisfies Record<IntegrationKind, { settings: z.ZodType; secrets: z.ZodType }>;

const state = z.enum(INTEGRATION_STATES);
const integrationType = z.enum(['payment', 'shop', 'directory', 'tool']);
export const integration = z
  .object({
    _id: id,
    tenantId: id,
    type: integrationType,
    kind: z.enum(['vipps', 'woo', 'entra', 'tcm', 'snipeit']),
    settings: z.record(z.string(), z.unknown()),
    secrets: z.record(z.string(), z.boolean()).describe('Which secrets are kept; what they are is never told'),
    /** unverified: saved, and nobody has seen it work. */
    state,
    lastSyncAt: time.nullable(),
    lastError: z.string().nullable(),
    hasWebhook: z.boolean().describe('The other side was asked to tell us, and when it last did'),
    heardAt: time.nullable(),
    version,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Integration' });
export type Integration = z.infer<typeof integration>;

export const order = z
  .object({
    id: z.string(),
    number: z.string().describe('Of a posted order {shop}:{number}'),
    shop: z.string().nullable().describe('Which shop posted it; null: it is of the connected one'),
    status: z.string(),
    customer: z.object({ name: z.string(), tlf: z.string().nullable(), email: z.string().nullable() }),
    lines: z.array(z.object({ name: z.string(), quantity: z.int() })),
    createdAt: time,
    modifiedAt: time.describe(
      'When the shop last changed it, and until when it is known that it did not since. Who posts orders says what changes',
    ),
    asOf: time,
  })
  .meta({ id: 'Order' });

const shopName = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,29}$/, 'lower-case letters, digits, dots and dashes, 30 at most');
export const postedOrder = z.strictObject({
  shop: shopName,
  number: code(60),
  status: z.enum(POSTED_STATUSES).optional(),
  customer: z
    .strictObject({ name: name(100), tlf: tlf.optional(), email: email.optional() })
    .optional()
    .describe('Needed for an order that is new'),
  lines: z
    .array(z.strictObject({ name: name(200), quantity: z.int().min(1).max(100_000) }))
    .max(100)
    .optional(),
  orderedAt: moment.optional(),
  modifiedAt: moment.optional().describe('When the shop changed it; left out, now'),
});

const kindParams = z.strictObject({ kind: z.string().max(40) });
const rowParams = z.strictObject({ kind: z.string().max(40), _id: id });
/** By kind: `SETUP`. */
const setup = {
  settings: z.record(z.string().max(60), z.union([z.string().max(500), z.boolean()])),
  secrets: z.record(z.string().max(60), z.string().max(MOST_SECRET).nullable()).default({}),
};

export const integrations = [
  route({
    method: 'GET',
    path: '/integrations',
    access: 'admin:integrations',
    summary: 'What is set up towards outside systems, without its secrets',
    /** `type` beside `q`: both ways to ask for those of one type. */
    query: listQuery({ fields: { _id: 'uuid', type: 'text', kind: 'text', state: 'text' }, sorts: ['createdAt'] }).extend({
      type: integrationType.optional(),
    }),
    response: z.array(integration),
  }),
  route({
    method: 'POST',
    path: '/integrations/{kind}',
    access: 'admin:integrations',
    summary: 'Set up an integration; its secrets are kept sealed and never shown',
    params: kindParams,
    body: z.strictObject(setup),
    response: integration,
    errors: ['name-taken', 'rule'],
  }),
  route({
    method: 'PUT',
    path: '/integrations/{kind}/{_id}',
    access: 'admin:integrations',
    summary: 'Change an integration; a secret that is not given stays, unless the address is another one',
    params: rowParams,
    body: z.strictObject({ ...setup, version: seen }),
    response: integration,
    /** `keys-not-taken`: payments are under way, and the provider does not take the new keys or cannot be asked; nothing is changed. */
    errors: ['stale', 'in-use-elsewhere', 'keys-not-taken', 'rule'],
  }),
  route({
    method: 'DELETE',
    path: '/integrations/{kind}/{_id}',
    access: 'admin:integrations',
    summary: 'Disconnect; settings and secrets are deleted',
    params: rowParams,
    response: 'nothing',
    errors: ['in-use-elsewhere'],
  }),
  route({
    method: 'POST',
    path: '/integrations/{kind}/{_id}/test',
    access: 'admin:integrations',
    summary: 'See whether the other side answers',
    params: rowParams,
    body: z.strictObject({}),
    response: integration,
    errors: ['not-available'],
  }),
  route({
    method: 'POST',
    path: '/integrations/{kind}/{_id}/sync',
    access: 'admin:integrations',
    summary: 'Fetch now what the other side changed',
    params: rowParams,
    body: z.strictObject({}),
    response: integration,
    errors: ['not-available'],
  }),
  route({
    method: 'GET',
    path: '/woo/url',
    access: 'admin:integrations',
    summary: 'Where the shop’s owner approves the connection, within ten minutes and once',
    response: z.object({ url: z.string() }),
    errors: ['not-connected'],
  }),
  route({
    method: 'GET',
    path: '/orders',
    access: 'portal',
    summary: 'Open orders of the connected shop and of those that post theirs; none without one',
    query: listQuery({ fields: { id: 'text', number: 'text', status: 'text' }, sorts: ['createdAt'], searchable: true }),
    response: z.array(order),
  }),
  route({
    method: 'POST',
    path: '/orders',
    access: 'orders',
    summary:
      'Say how an order of an outside shop stands: new, changed or called off. Shop and number are one order, however often it is said',
    body: postedOrder,
    response: order,
    errors: ['rule'],
  }),
  route({
    method: 'GET',
    path: '/orders/shops',
    access: 'portal',
    summary: 'The shops whose orders can be picked, also while none is open',
    response: z.array(
      z.object({
        shop: z.string().nullable().describe('Null: the connected one'),
        asOf: time.nullable().describe('When it was last heard of; null: never yet'),
      }),
    ),
  }),
] as const;
