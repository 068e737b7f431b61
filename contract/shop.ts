import { shopNameOf } from '@hatchway/domain/shop.ts';
import { z } from 'zod';
import { code, email, id, line, plain, price, seen, time, tlf, version } from './common.ts';
import { hours } from './hours.ts';
import { pickup, pickupCompany, wanted } from './pickup.ts';
import { route } from './route.ts';

const shopState = z.enum(['open', 'closed', 'outside-hours', 'not-payable']);
export type ShopState = z.infer<typeof shopState>;

export const storefront = z
  .object({
    _id: id.describe('The company’s: it has one shop'),
    name: z.string().nullable().describe('What stands in the address; null: none was chosen, and there is no shop'),
    url: z.string().nullable(),
    open: z.boolean(),
    state: shopState.describe('What a customer meets now'),
    hours,
    payable: z.boolean().describe('Customers can pay: a payment provider is set up'),
    version,
  })
  .meta({ id: 'Storefront' });
export type Storefront = z.infer<typeof storefront>;

const sums = z.array(z.object({ count: z.int(), amount: z.int(), currency: z.string() }));
export const shopSales = z.object({ today: sums, month: sums }).meta({ id: 'ShopSales' });
export type ShopSales = z.infer<typeof shopSales>;

const good = z.object({
  id,
  name: z.string(),
  hasImage: z.boolean(),
  price,
  left: z.int().describe('Pieces that are still to be had'),
  hold: z
    .enum(['sold-out', 'being-bought', 'cabinet-offline'])
    .nullable()
    .describe('Why it cannot be bought now; null where it can. being-bought: the last pieces are paid for, or fetched, right now'),
  buyers: z.int().describe('How many are paying for it now: whoever has paid first gets it'),
  cabinet: z.string(),
  doorTag: z.string(),
});
export const shop = z
  .object({
    rev: z.string(),
    now: time,
    name: z.string(),
    company: pickupCompany,
    state: shopState,
    hours,
    goods: z.array(good),
    cabinets: z.array(
      z.object({
        number: z.string(),
        name: z.string(),
        site: z.object({ name: z.string(), address: z.string(), openingHours: z.string(), hours, tlf: z.string().nullable() }),
        columns: z.array(z.object({ width: z.number(), doors: z.array(z.object({ height: z.number(), doorTag: z.string().nullable() })) })),
      }),
    ),
  })
  .meta({ id: 'Shop' });
export type Shop = z.infer<typeof shop>;
export type Good = Shop['goods'][number];

const nameParams = z.strictObject({ name: code(60) });
const goodParams = z.strictObject({ name: code(60), id });

export const shops = [
  route({
    method: 'GET',
    path: '/storefront',
    access: 'storefront',
    summary: 'The company’s public shop: its address, and whether it is open',
    response: storefront,
  }),
  route({
    method: 'GET',
    path: '/storefront/sales',
    access: 'payments.read',
    summary: 'What was captured of sales, less what went back, today and this month by the company’s clock',
    response: shopSales,
  }),
  route({
    method: 'PUT',
    path: '/storefront',
    access: 'storefront',
    summary: 'Name, open or close the public shop; what is not given stays as it was',
    body: z.strictObject({
      name: line(60)
        .refine((typed) => shopNameOf(typed) !== null, '3 to 40 small letters, digits and dashes are needed')
        .optional(),
      open: z.boolean().optional(),
      hours: hours.optional(),
      version: seen,
    }),
    response: storefront,
    errors: ['name-taken', 'stale', 'rule'],
  }),
  route({
    method: 'GET',
    path: '/shop/{name}',
    access: 'public',
    summary: 'What a shop sells now. A look that sends `rev` back gets 204 while it still holds',
    params: nameParams,
    query: z.strictObject({ rev: code(100).optional() }),
    response: shop.optional(),
  }),
  route({
    method: 'GET',
    path: '/shop/{name}/logo',
    access: 'public',
    summary: 'The logo of a shop’s company',
    params: nameParams,
    response: { binary: 'image/webp' },
  }),
  route({
    method: 'GET',
    path: '/shop/{name}/goods/{id}/image',
    access: 'public',
    summary: 'The picture of something that a shop sells',
    params: goodParams,
    response: { binary: 'image/webp' },
  }),
  route({
    method: 'POST',
    path: '/shop/{name}/goods/{id}/buy',
    access: 'public',
    summary: 'Begin to buy: the payer approves it with the payment provider, and the purchase opens the locker once it is reserved',
    params: goodParams,
    body: z.strictObject({
      ...wanted,
      tlf: tlf.optional().describe('Where the purchase is told of, and found by again'),
      email: email.optional().describe('Where a receipt goes'),
    }),
    response: z.object({ purchase: z.string(), code: z.string(), pickup }),
    errors: [
      'stale',
      'not-connected',
      'price',
      'quantity',
      'sold-out',
      'occupation-transition',
      'locker-in-doubt',
      'out-of-service',
      'cabinet-offline',
      'rule',
      'unavailable',
      'unknown-link',
    ],
    secret: true,
  }),
  route({
    method: 'POST',
    path: '/shop/{name}/find',
    access: 'public',
    summary: 'Find a purchase again by the number and the code that it was told to',
    params: nameParams,
    body: z.strictObject({ tlf, code: plain(12) }),
    response: z.object({ purchase: z.string() }),
    errors: ['wrong-code', 'too-many-codes', 'rule'],
  }),
] as const;
