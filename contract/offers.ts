import { MAX_PIECES } from '@hatchway/domain/doors.ts';
import { z } from 'zod';
import { id, time } from './common.ts';
import { pickupCabinet } from './pickup.ts';
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
    mine: z.enum(['begun', 'borrowed']).nullable().describe('begun: let in, and not done yet. borrowed: to be brought back. Null: offered'),
    dueAt: time.nullable(),
    hold: z.enum(['too-many', 'out-of-service', 'cabinet-offline']).nullable().describe('Why it cannot be taken now'),
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
    response: z.object({ person: z.string(), cabinet: pickupCabinet, offers: z.array(offer) }),
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
] as const;
