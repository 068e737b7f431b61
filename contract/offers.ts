import { MAX_PIECES } from '@hatchway/domain/doors.ts';
import { z } from 'zod';
import { id, price, time, tlf } from './common.ts';
import { pickup, pickupCabinet, wanted } from './pickup.ts';
import { route } from './route.ts';

/** What somebody who signed in may take by themselves, or has: of lendings and stock that bear nobody's name. */
export const offer = z
  .object({
    occupationId: id,
    type: z.enum(['lending', 'consumable']),
    content: z.string().nullable(),
    doorTag: z.string(),
    size: z.string(),
    most: z.int().nullable().describe('How many may be taken at once; null where it is one thing'),
    loanHours: z.number().nullable().describe('Hours until it is due once taken; null where it is not brought back'),
    price: price.nullable().describe('Of one piece, to be paid before the door opens; null where nothing is due'),
    mine: z
      .enum(['paying', 'begun', 'borrowed'])
      .nullable()
      .describe(
        'paying: a payment of theirs is begun or reserved. begun: let in, and not done yet. borrowed: to be brought back. Null: offered',
      ),
    dueAt: time.nullable(),
    hold: z
      .enum(['too-many', 'out-of-service', 'cabinet-offline', 'door-failed', 'being-paid', 'not-payable'])
      .nullable()
      .describe(
        'Why it cannot be taken now. Of what costs: door-failed where its door did not open when it was last asked, being-paid where somebody else has paid for it, not-payable where no payment provider is connected, so that staff hand it out',
      ),
  })
  .meta({ id: 'Offer' });
export type Offer = z.infer<typeof offer>;

export const offers = [
  route({
    method: 'GET',
    path: '/pickup/cabinets/{number}/offers',
    access: 'signed-in',
    summary: 'What whoever is signed in may take from a cabinet of their company, and what of it they have',
    params: z.strictObject({ number: z.string().max(40) }),
    response: z.object({
      person: z.string(),
      tlf: z.string().nullable().describe('Their number, where a payment’s fate is told; null: their account has none'),
      cabinet: pickupCabinet,
      offers: z.array(offer),
    }),
    errors: ['unavailable'],
  }),
  route({
    method: 'POST',
    path: '/pickup/take',
    access: 'signed-in',
    summary: 'Claim what is offered, in one’s own name; again for the same: go on with it. Answers the token of its link',
    body: z.strictObject({ id, quantity: z.int().min(1).max(MAX_PIECES).optional() }),
    response: z.object({ token: z.string() }),
    errors: [
      'not-found',
      'not-in-group',
      'in-use',
      'too-many',
      'not-lendable',
      'payment-needed',
      'quantity',
      'occupation-transition',
      'out-of-service',
      'cabinet-offline',
      'unavailable',
    ],
    secret: true,
  }),
  route({
    method: 'POST',
    path: '/pickup/take/pay',
    access: 'signed-in',
    summary:
      'Begin to pay what is offered and costs; pressed again, the payment that was begun goes on. Its key opens the door once it is reserved',
    body: z.strictObject({
      id,
      ...wanted,
      tlf: tlf.optional().describe('Where the payment’s fate is told, for an account without a number'),
    }),
    response: z.object({ purchase: z.string(), pickup }),
    errors: [
      'not-found',
      'stale',
      'not-connected',
      'price',
      'not-in-group',
      'in-use',
      'too-many',
      'not-lendable',
      'quantity',
      'sold-out',
      'paid-already',
      'payment-needed',
      'occupation-transition',
      'locker-in-doubt',
      'out-of-service',
      'cabinet-offline',
      'rule',
      'too-many-requests',
      'unavailable',
    ],
    secret: true,
  }),
] as const;
