import { LINK_PURPOSES, LINK_STATES } from '@hatchway/domain/access-link.ts';
import { MAX_PIECES } from '@hatchway/domain/doors.ts';
import { MAX_AMOUNT } from '@hatchway/domain/price.ts';
import { LOCK_STATES, PAYMENT_STATES } from '@hatchway/domain/terms.ts';
import { z } from 'zod';
import { code, id, name, plain, price, text, time } from './common.ts';
import { hours } from './hours.ts';
import { route } from './route.ts';

/**
 * What an end user holds: the token of the link, or the 6-digit code with the number that stands on the cabinet; an access link and
 * the use of it that they began; or the token of what they bought in the shop.
 */
export const pickupKey = z.union([
  z.strictObject({ token: z.string().min(1).max(200) }),
  z.strictObject({ code: plain(12), cabinet: plain(12) }),
  z.strictObject({ link: z.string().min(1).max(200), use: id }),
  z.strictObject({ purchase: z.string().min(1).max(200) }),
]);
export type PickupKey = z.infer<typeof pickupKey>;

export const openOutcome = z.enum(['opened', 'refused', 'jammed', 'not-seen', 'no-answer', 'offline']);
export type OpenOutcome = z.infer<typeof openOutcome>;
export const pickupAct = z.enum(['open', 'pay', 'done', 'put-back', 'nothing-inside', 'report']);
export type PickupAct = z.infer<typeof pickupAct>;
export const reportKind = z.enum(['not-now', 'wrong-door', 'jammed', 'not-empty', 'left-behind', 'nothing-inside', 'door-stays-open']);
export type ReportKind = z.infer<typeof reportKind>;
export const pickupHold = z.enum([
  'not-ready',
  /** A purchase that staff captured, or gave back, before it was fetched. */
  'captured',
  'refunded',
  'in-use',
  'out-of-service',
  'cabinet-offline',
  'payment-needed',
  'not-lendable',
  /** Whoever paid for it by signing in may not take it any more. */
  'not-in-group',
  'in-doubt',
  'taken-out',
  'moving',
  'empty',
  'ended',
]);
export type PickupHold = z.infer<typeof pickupHold>;

/** What somebody means to pay for. */
export const wanted = {
  quantity: z.int().min(1).max(MAX_PIECES).default(1),
  /** The sum that they were shown; another one is `stale`. */
  amount: z
    .int()
    .min(1)
    .max(MAX_AMOUNT * MAX_PIECES),
  currency: z.string().regex(/^[A-Z]{3}$/),
};

/** Whose page it is, as anybody may see it. */
export const pickupCompany = z.object({
  name: z.string(),
  timeZone: z.string(),
  hasLogo: z.boolean(),
  color: z.string().nullable().describe('Of its own choice, as #rrggbb; null: it has chosen none'),
});
export type PickupCompany = z.infer<typeof pickupCompany>;

const site = z.object({
  name: z.string(),
  address: z.string(),
  openingHours: z.string(),
  hours,
  tlf: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
});

/** All that an end user may know of an occupation, and nothing of anybody else's doors. */
export const pickup = z
  .object({
    rev: z.string().describe('Opaque; changes with anything below. A look that sends it back gets 204 while it still holds'),
    now: time.describe('The server’s clock, so that countdowns need not trust the phone’s'),
    type: z.string(),
    service: z.string(),
    stage: z.int(),
    stageName: z.string(),
    purpose: z.enum(['take', 'own', 'put-in', 'borrow', 'bring-back']),
    company: pickupCompany,
    content: z.string().nullable(),
    quantity: z
      .int()
      .nullable()
      .describe('Pieces that lie there; of a claim, those that were asked for. Null where it is one thing, and once it has ended'),
    most: z.int().nullable().describe('How many may be taken at once; null where it is one thing'),
    price: price.nullable(),
    /** The latest payment by a provider that stands on this key; null where there is none. */
    payment: z
      .object({
        state: z.enum(PAYMENT_STATES),
        amount: z.int(),
        currency: z.string(),
        approveUrl: z
          .string()
          .nullable()
          .describe('Where its payer approves it; null where the provider has not said, or nothing is to be approved any more'),
        until: time.nullable().describe('Until when what is paid for is set aside'),
        away: z.boolean().describe('Its provider cannot be asked right now'),
        approved: z.boolean().describe('Its payer has approved it. Cancelled all the same, it was given back'),
        stayedShut: z.boolean().describe('Given back since the door did not open'),
        tooLate: z.boolean().describe('Given back since what it was for was gone, or in doubt, by the time it was approved'),
      })
      .nullable(),
    purchase: z
      .object({ shop: z.string().nullable(), code: z.string().nullable() })
      .nullable()
      .describe('Of a purchase: the shop that it was made in, and the code by which its buyer finds it with their number'),
    site,
    cabinet: z.object({
      number: z.string(),
      name: z.string(),
      connection: z.enum(['online', 'offline']),
      columns: z.array(
        z.object({
          width: z.number(),
          doors: z.array(z.object({ height: z.number(), mine: z.boolean(), doorTag: z.string().nullable() })),
        }),
      ),
    }),
    door: z.object({
      doorTag: z.string(),
      size: z.string(),
      reach: z.string(),
      state: z.enum(['opened', 'closed', 'unknown']),
      since: time.nullable(),
      lock: z.enum(LOCK_STATES).describe('unlocked while it is closed: it did not catch, and wants to be pushed shut'),
    }),
    until: time.nullable(),
    untilClosed: z.boolean().describe('That moment falls on a day on which the place does not open'),
    overdue: z.boolean(),
    may: z.array(pickupAct),
    hold: pickupHold.nullable().describe('Why the door may not be opened now, where may lacks open'),
    lastOpen: z
      .object({ at: time, outcome: z.union([openOutcome, z.literal('pending')]) })
      .nullable()
      .describe('What became of the last opening: also of one whose answer was lost'),
    finishesAt: time.nullable().describe('The door was sensed closed: at this time it ends (or fills) by itself'),
    stillInside: z
      .boolean()
      .describe(
        'A sensor senses something where silence would mean that it was taken: at finishesAt it counts as put back. Once it has ended: it does so still',
      ),
    returning: z.boolean().describe('Whoever has it on loan had its door opened to bring it back, and has not said yet that it is inside'),
    openedUnasked: time
      .nullable()
      .describe('When the door was last sensed to open with nobody having asked for it, while nobody has looked inside since'),
    openAgainUntil: time.nullable(),
    ended: z
      .object({ how: z.enum(['taken', 'put-in', 'put-back', 'taken-out', 'lost', 'returned-elsewhere', 'cancelled']), at: time })
      .nullable(),
  })
  .meta({ id: 'Pickup' });
export type Pickup = z.infer<typeof pickup>;

export const pickupCabinet = z
  .object({
    number: z.string(),
    name: z.string(),
    company: pickupCompany,
    site,
    connection: z.enum(['online', 'offline']),
    offers: z
      .array(z.enum(['lending', 'consumable']))
      .describe('What whoever signs in may do here, where their groups let them: borrow, or take what is used up'),
    offersPolicy: z
      .string()
      .nullable()
      .describe(
        'Ref of the one policy by which all of that is offered: its login hint says how a sign-in begins. Null where there is none, or more',
      ),
  })
  .meta({ id: 'PickupCabinet' });
export type PickupCabinet = z.infer<typeof pickupCabinet>;

const doorHold = z.enum(['taken', 'in-doubt', 'out-of-service', 'cabinet-offline']);
export type DoorHold = z.infer<typeof doorHold>;

/** What the holder of an access link may know: its doors, and what of them can be used now. */
export const pickupLink = z
  .object({
    rev: z.string(),
    now: time,
    name: z.string(),
    purpose: z.enum(LINK_PURPOSES),
    company: pickupCompany,
    state: z.enum(LINK_STATES),
    validFrom: time,
    validTo: time,
    usesLeft: z.int(),
    waiting: z.int().describe('Fetching: how many wait behind its doors'),
    places: z.array(
      z.object({
        cabinet: z.object({ number: z.string(), name: z.string(), connection: z.enum(['online', 'offline']) }),
        site,
        waiting: z.int().describe('Fetching: how many wait in this cabinet'),
        doors: z.array(
          z.object({
            doorTag: z.string(),
            size: z.string(),
            state: z.enum(['opened', 'closed', 'unknown']),
            hold: doorHold.nullable().describe('Why it cannot be used now; null where it can'),
          }),
        ),
      }),
    ),
    current: z
      .object({ use: id, doorTag: z.string(), occupation: z.boolean() })
      .nullable()
      .describe('A link for one use that was begun: whoever holds the link goes on with it'),
  })
  .meta({ id: 'PickupLink' });
export type PickupLink = z.infer<typeof pickupLink>;

/** One press on an access link. `pickup`: of a drop-off or pick-up, which goes on with the key {link, use}. */
export const linkOpened = z
  .object({
    use: id.nullable().describe('Null where the door surely stayed shut: then no use was counted'),
    outcome: openOutcome,
    doorTag: z.string(),
    pickup: pickup.nullable(),
    link: pickupLink,
  })
  .meta({ id: 'LinkOpened' });
export type LinkOpened = z.infer<typeof linkOpened>;

export const linkOpenErrors = [
  'unknown-link',
  'gone',
  'no-free-locker',
  'nothing-waiting',
  'locker-taken',
  'locker-in-doubt',
  'service-not-allowed',
  'out-of-service',
  'door-tag-mismatch',
  'cabinet-offline',
  'unavailable',
] as const;

const key = { key: pickupKey };
const keyErrors = ['unknown-link', 'gone', 'wrong-code', 'too-many-codes', 'unknown-cabinet'] as const;
const actErrors = [
  ...keyErrors,
  'occupation-transition',
  'in-use',
  'too-many',
  'out-of-service',
  'payment-needed',
  'not-in-group',
  'locker-in-doubt',
  'door-tag-mismatch',
  'quantity',
  'sold-out',
  'unavailable',
] as const;
/** What somebody says of the thing that they put in or back. */
const condition = { condition: text(500).optional() };

export const pickups = [
  route({
    method: 'POST',
    path: '/pickup/look',
    access: 'public',
    summary: 'What lies where, and what may be done now',
    body: z.strictObject({ ...key, rev: z.string().max(100).optional() }),
    response: pickup.optional(),
    errors: [...keyErrors, 'unavailable'],
  }),
  route({
    method: 'POST',
    path: '/pickup/open',
    access: 'public',
    summary: 'Open the door, claiming first where needed. The controller’s word is an answer, not an error',
    body: z.strictObject({ ...key, doorTag: code(20), quantity: z.int().min(1).max(MAX_PIECES).optional() }),
    response: z.object({ outcome: openOutcome, pickup }),
    errors: actErrors,
  }),
  route({
    method: 'POST',
    path: '/pickup/pay',
    access: 'public',
    summary: 'Begin to pay what is due, by the company’s provider. Pressed again, the payment that was begun goes on',
    body: z.strictObject({ ...key }),
    response: pickup,
    errors: [...actErrors, 'not-connected', 'price', 'paid-already', 'cabinet-offline'],
  }),
  route({
    method: 'POST',
    path: '/pickup/give-up',
    access: 'public',
    summary: 'Not pay what was begun: the request is withdrawn at the provider. What was approved meanwhile stays',
    body: z.strictObject({ ...key }),
    response: pickup,
    errors: actErrors,
  }),
  route({
    method: 'POST',
    path: '/pickup/done',
    access: 'public',
    summary: 'I took everything (or: it is inside)',
    body: z.strictObject({ ...key, ...condition }),
    response: pickup,
    errors: [...actErrors, 'door-open', 'not-yet'],
  }),
  route({
    method: 'POST',
    path: '/pickup/put-back',
    access: 'public',
    summary: 'I put it back',
    body: z.strictObject({ ...key, ...condition }),
    response: pickup,
    errors: actErrors,
  }),
  route({
    method: 'POST',
    path: '/pickup/report',
    access: 'public',
    summary: 'Something is not as it should be',
    body: z.strictObject({ ...key, kind: reportKind, note: text(500).optional() }),
    response: pickup,
    errors: actErrors,
  }),
  route({
    method: 'POST',
    path: '/pickup/link',
    access: 'public',
    summary: 'What an access link is for, and which of its doors can be used now',
    body: z.strictObject({ token: z.string().min(1).max(200), rev: z.string().max(100).optional() }),
    response: pickupLink.optional(),
    errors: ['unknown-link', 'unavailable'],
  }),
  route({
    method: 'POST',
    path: '/pickup/link/open',
    access: 'public',
    summary: 'Use an access link: open a door of its, register and open for a drop-off, or claim what waits longest and open',
    body: z.strictObject({
      token: z.string().min(1).max(200),
      doorTag: code(20).optional(),
      cabinet: plain(12).optional().describe('The number of the cabinet that somebody stands at: doors of others stay shut'),
      use: id.optional().describe('The same door once more within five minutes is the same use'),
      name: name(100).optional(),
    }),
    response: linkOpened,
    errors: linkOpenErrors,
  }),
  route({
    method: 'GET',
    path: '/pickup/cabinets/{number}',
    access: 'public',
    summary: 'The public card of a cabinet',
    params: z.strictObject({ number: plain(12) }),
    response: pickupCabinet,
    errors: ['unknown-cabinet'],
  }),
  route({
    method: 'GET',
    path: '/pickup/cabinets/{number}/logo',
    access: 'public',
    summary: 'The logo of a cabinet’s company',
    params: z.strictObject({ number: plain(12) }),
    response: { binary: 'image/webp' },
    errors: ['unknown-cabinet'],
  }),
  route({
    method: 'GET',
    path: '/occupations/token/{token}',
    access: 'public',
    summary: 'What the holder of a token may know of its occupation',
    params: z.strictObject({ token: z.string().min(1).max(200) }),
    response: z.object({
      id,
      type: z.string(),
      stage: z.int(),
      stageName: z.string(),
      site: z.string(),
      cabinet: z.string(),
      doorTag: z.string(),
      price: price.nullable(),
      until: time.nullable(),
    }),
    errors: ['unknown-link', 'gone'],
  }),
] as const;
