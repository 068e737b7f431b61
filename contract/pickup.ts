import { z } from 'zod';
import { id, text, time } from './common.ts';
import { route } from './route.ts';

/** What an end user holds: the token of the link, or the 6-digit code with the number that stands on the cabinet. */
export const pickupKey = z.union([
  z.strictObject({ token: z.string().min(1).max(200) }),
  z.strictObject({ code: z.string().max(12), cabinet: z.string().max(12) }),
]);
export type PickupKey = z.infer<typeof pickupKey>;

export const openOutcome = z.enum(['opened', 'refused', 'jammed', 'not-seen', 'no-answer', 'offline']);
export type OpenOutcome = z.infer<typeof openOutcome>;
export const pickupAct = z.enum(['open', 'done', 'put-back', 'nothing-inside', 'report']);
export type PickupAct = z.infer<typeof pickupAct>;
export const reportKind = z.enum(['not-now', 'wrong-door', 'jammed', 'not-empty', 'nothing-inside', 'door-stays-open']);
export type ReportKind = z.infer<typeof reportKind>;
export const pickupHold = z.enum(['not-ready', 'in-use', 'out-of-service', 'cabinet-offline', 'payment-needed', 'taken-out', 'ended']);
export type PickupHold = z.infer<typeof pickupHold>;

const site = z.object({
  name: z.string(),
  address: z.string(),
  openingHours: z.string(),
  tlf: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
});

/** All that an end user may know of an occupation, and nothing of anybody else's doors. */
export const pickup = z
  .object({
    /** Opaque; changes with anything below. A look that sends it back gets 204 while it still holds. */
    rev: z.string(),
    /** The server's clock, so that countdowns need not trust the phone's. */
    now: time,
    type: z.string(),
    service: z.string(),
    stage: z.int(),
    stageName: z.string(),
    purpose: z.enum(['take', 'own', 'put-in', 'borrow', 'bring-back']),
    company: z.object({ name: z.string() }),
    content: z.string().nullable(),
    quantity: z.int().nullable(),
    price: z.object({ amount: z.int(), currency: z.string() }).nullable(),
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
    }),
    until: time.nullable(),
    overdue: z.boolean(),
    may: z.array(pickupAct),
    /** Why the door may not be opened now, where `may` lacks open. */
    hold: pickupHold.nullable(),
    /** What became of the last opening: also of one whose answer was lost. */
    lastOpen: z.object({ at: time, outcome: z.union([openOutcome, z.literal('pending')]) }).nullable(),
    /** The door was sensed closed: at this time it ends (or fills) by itself. */
    finishesAt: time.nullable(),
    openAgainUntil: time.nullable(),
    ended: z.object({ how: z.enum(['taken', 'put-in', 'put-back', 'taken-out', 'cancelled']), at: time }).nullable(),
  })
  .meta({ id: 'Pickup' });
export type Pickup = z.infer<typeof pickup>;

export const pickupCabinet = z
  .object({
    number: z.string(),
    name: z.string(),
    company: z.object({ name: z.string() }),
    site,
    connection: z.enum(['online', 'offline']),
  })
  .meta({ id: 'PickupCabinet' });
export type PickupCabinet = z.infer<typeof pickupCabinet>;

const key = { key: pickupKey };
const keyErrors = ['unknown-link', 'wrong-code', 'too-many-codes', 'unknown-cabinet'] as const;
const actErrors = [
  ...keyErrors,
  'occupation-transition',
  'in-use',
  'too-many',
  'out-of-service',
  'payment-needed',
  'door-tag-mismatch',
  'unavailable',
] as const;

export const pickups = [
  route({
    method: 'POST',
    path: '/pickup/look',
    access: 'public',
    summary: 'What lies where, and what may be done now',
    body: z.strictObject({ ...key, rev: z.string().max(100).optional() }),
    response: pickup.optional(),
    errors: keyErrors,
  }),
  route({
    method: 'POST',
    path: '/pickup/open',
    access: 'public',
    summary: 'Open the door, claiming first where needed. The controller’s word is an answer, not an error',
    body: z.strictObject({ ...key, doorTag: text(20) }),
    response: z.object({ outcome: openOutcome, pickup }),
    errors: actErrors,
  }),
  route({
    method: 'POST',
    path: '/pickup/done',
    access: 'public',
    summary: 'I took everything (or: it is inside)',
    body: z.strictObject(key),
    response: pickup,
    errors: actErrors,
  }),
  route({
    method: 'POST',
    path: '/pickup/put-back',
    access: 'public',
    summary: 'I put it back',
    body: z.strictObject(key),
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
    method: 'GET',
    path: '/pickup/cabinets/{number}',
    access: 'public',
    summary: 'The public card of a cabinet',
    params: z.strictObject({ number: z.string().max(12) }),
    response: pickupCabinet,
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
      price: z.object({ amount: z.int(), currency: z.string() }).nullable(),
      until: time.nullable(),
    }),
    errors: ['unknown-link'],
  }),
] as const;
