import { z } from 'zod';
import { MAX_PIECES } from '@hatchway/domain/doors.ts';
import { PROVIDERS } from '@hatchway/domain/payment.ts';
import { MAX_AMOUNT } from '@hatchway/domain/price.ts';
import { BOOK_TODOS } from '@hatchway/domain/reconcile.ts';
import { OCCUPATION_TYPES, PAYMENT_STATES } from '@hatchway/domain/terms.ts';
import { id, idParams, name, time, tlf, typedEmail, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

/** Minor units; the dearest thing there is, as many times as a locker takes. */
const amount = z
  .int()
  .min(1)
  .max(MAX_AMOUNT * MAX_PIECES);

export const payment = z
  .object({
    _id: id,
    tenantId: id,
    occupationId: id.nullable(),
    occupationType: z.enum(OCCUPATION_TYPES).nullable(),
    doorTag: z.string().nullable(),
    content: z.string().nullable().describe('What was paid for, by name'),
    provider: z.enum(PROVIDERS).describe('manual: money that staff took by hand or on a terminal; Hatchway knows of it what they say'),
    reference: z.string(),
    amount: z.int(),
    captured: z.int(),
    refunded: z.int(),
    currency: z.string(),
    state: z.enum(PAYMENT_STATES),
    quantity: z.int(),
    heldUntil: time.nullable().describe('Until when its pieces are set aside for it'),
    claimed: z
      .boolean()
      .describe(
        'A claim stands on it now, or a storage that its owner visits on it, between the visits too: nobody cancels it by hand meanwhile',
      ),
    /**
     * Money that staff noted and nothing is set aside for: somebody has to hand out, capture or cancel. Of a provider's: it refused to, or
     * gives the reservation back by itself in a few days.
     */
    wantsEnd: z.boolean(),
    captureBy: time.nullable().describe('Until when what its provider has reserved can be captured'),
    payer: z.object({ name: z.string().nullable(), tlf: z.string().nullable(), email: z.string().nullable() }),
    approveUrl: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    events: z
      .array(z.object({ at: time, state: z.enum(PAYMENT_STATES), amount: z.int(), by: z.string() }))
      .describe('by is empty for a person who is known by a link alone'),
    /** What its provider was asked for and has not answered, in the order in which it was asked. unknown: no answer came. */
    pending: z.array(
      z.object({
        kind: z.enum(['create', 'capture', 'cancel', 'refund']),
        amount: z.int(),
        state: z.enum(['wanted', 'sent', 'unknown']),
        at: time,
        error: z.string().nullable(),
      }),
    ),
    lastError: z
      .string()
      .nullable()
      .describe('What its provider refused, or why it cannot be asked now, in its own words; not-connected and KEY_FAULTS are ours'),
    version,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Payment' });
export type Payment = z.infer<typeof payment>;

const payer = z.strictObject({
  name: name(100).nullable().optional(),
  tlf: tlf.nullable().optional(),
  email: typedEmail.nullable().optional(),
});
/** With the version that was seen, a move whose answer was lost is not made a second time: `stale`. */
const moved = z.strictObject({ _id: id, amount: amount.optional(), version: version.optional() });

const books = z.object({ state: z.enum(PAYMENT_STATES), captured: z.int(), refunded: z.int() });
/** What a payment's provider says of it beside what we say. */
export const compared = z
  .object({
    paymentId: id,
    reference: z.string(),
    currency: z.string(),
    amount: z.int(),
    ours: books,
    theirs: books.nullable().describe('Null: it knows no such payment, or could not be asked'),
    todo: z.enum(BOOK_TODOS).nullable().describe('What staff do about it; null where both say the same'),
    error: z.string().nullable().describe('Why the provider could not be asked, in its own words'),
  })
  .meta({ id: 'Compared' });
export type Compared = z.infer<typeof compared>;
/** A day of the company's clock, today where it is not named, and the payment that the page before ended at. */
export const comparing = z.strictObject({ day: z.iso.date().optional(), cursor: id.max(36).optional() });
export type Comparing = z.infer<typeof comparing>;

export const payments = [
  route({
    method: 'GET',
    path: '/payments',
    access: 'payments.read',
    summary: 'Payments',
    query: listQuery({
      fields: {
        _id: 'uuid',
        occupationId: 'uuid',
        state: 'text',
        provider: 'text',
        reference: 'text',
        currency: 'text',
        amount: 'sum',
        wantsEnd: 'bool',
        createdAt: 'time',
        updatedAt: 'time',
      },
      sorts: ['createdAt', 'updatedAt', 'amount'],
      searchable: true,
    }),
    response: z.array(payment),
  }),
  route({
    method: 'GET',
    path: '/payments/providers',
    access: 'payments.read',
    summary: 'By whom money can be taken now: by hand, and by each provider that is connected and works',
    response: z.array(z.enum(PROVIDERS)),
  }),
  route({
    method: 'GET',
    path: '/payments/reconcile',
    access: 'payments.read',
    summary: 'What the provider says of each payment that was begun or changed on a day, beside what we say',
    query: comparing,
    response: z.array(compared),
    errors: ['not-connected'],
  }),
  route({
    method: 'GET',
    path: '/payments/{id}',
    access: 'payments.read',
    summary: 'One payment with its events',
    params: idParams,
    response: payment,
  }),
  route({
    method: 'POST',
    path: '/payments',
    access: 'occupations',
    summary: 'Start a payment for what has a price; its pieces are held for 10 minutes',
    body: z.strictObject({
      occupationId: id,
      amount: amount.optional().describe('What it costs, where it is not given; any other amount is refused'),
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .optional(),
      provider: z.enum(PROVIDERS).default('manual').describe('vipps: the request goes to the phone of payer.tlf'),
      payer: payer.optional(),
      quantity: z.int().min(1).max(MAX_PIECES).default(1),
      received: z.boolean().default(false).describe('manual alone: staff have the money, so it is reserved at once'),
    }),
    response: payment,
    errors: [
      'unknown-reference',
      'rule',
      'price',
      'quantity',
      'sold-out',
      'paid-already',
      'locker-in-doubt',
      'occupation-transition',
      'not-connected',
    ],
  }),
  route({
    method: 'PUT',
    path: '/payments/update',
    access: 'payments.write',
    summary: 'Say by hand what is known of a payment: details, payer, or that its money was received',
    body: z.strictObject({
      _id: id,
      version: version.optional(),
      details: z.record(z.string().max(100), z.unknown()).optional(),
      payer: payer.optional(),
      received: z.literal(true).optional().describe('manual alone, initiated: staff have the money now, and it is reserved'),
    }),
    response: payment,
    errors: ['not-found', 'stale', 'payment-transition', 'paid-already', 'rule'],
  }),
  route({
    method: 'PUT',
    path: '/payments/refund',
    access: 'payments.write',
    summary: 'Give back the whole or a part; never more than was captured',
    body: moved,
    response: payment,
    errors: ['not-found', 'stale', 'payment-transition', 'rule'],
  }),
  route({
    method: 'PUT',
    path: '/payments/cancel',
    access: 'payments.write',
    summary: 'Cancel what was not captured; its pieces are on sale again',
    body: z.strictObject({ _id: id, version: version.optional() }),
    response: payment,
    errors: ['not-found', 'stale', 'payment-transition'],
  }),
  route({
    method: 'PUT',
    path: '/payments/capture',
    access: 'payments.write',
    summary: 'Capture what is reserved, the whole or a part',
    body: moved,
    response: payment,
    errors: ['not-found', 'stale', 'payment-transition', 'rule'],
  }),
] as const;
