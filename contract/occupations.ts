import { z } from 'zod';
import { MAX_AMOUNT } from '@hatchway/domain/price.ts';
import { END_REASONS, OCCUPATION_TYPES, SIZES } from '@hatchway/domain/terms.ts';
import { actor, code, id, idParams, lines, name, price, receiver, text, time, version } from './common.ts';
import { listQuery } from './list.ts';
import { PROBLEMS, type ProblemCode } from './problems.ts';
import { route } from './route.ts';

const type = z.enum(OCCUPATION_TYPES);
export const storedReceiver = z
  .object({ name: z.string(), tlf: z.string().nullable(), email: z.string().nullable() })
  .meta({ id: 'Receiver' });

export const occupation = z
  .object({
    id,
    tenantId: id,
    type,
    service: z.string(),
    stage: z.int(),
    stageName: z.string(),
    version,
    resumeStage: z.int().nullable(),
    lockerId: id,
    doorTag: z.string(),
    assetId: id.nullable(),
    assetText: z.string().nullable(),
    assetName: z.string().nullable().describe('The registered asset’s name, as it is now'),
    orderRef: z.string().nullable(),
    orderCalledOff: z.boolean().describe('While it runs: its order was cancelled or refunded in the shop, so nobody is to have it'),
    externalRef: z.string().nullable(),
    receiver: storedReceiver.nullable(),
    quantity: z.int().nullable(),
    held: z.int(),
    refillLevel: z.int().nullable(),
    loanHours: z
      .int()
      .nullable()
      .describe('Lending: for how long it goes out, by its own word or its policy’s; null where that depends on who borrows it'),
    price: price.nullable(),
    paymentIds: z.array(id),
    policyRef: z.string().nullable(),
    claimedBy: actor.nullable(),
    reservedUntil: time.nullable(),
    pickupBy: time.nullable(),
    dueAt: time.nullable().optional().describe('When what is lent is due back, while the loan is open'),
    overdue: z.boolean(),
    takingOut: z
      .enum(['keep', 'end', 'move'])
      .nullable()
      .describe(
        'Staff opened its door to take it out, and no sensor and nobody has said what came of it since. end: its use ends with that. move: to be put into another locker',
      ),
    awaitsWord: z
      .boolean()
      .describe(
        'The door that was opened to fill it, or for its claim, is closed again, and no silence settles what came of it: that takes somebody’s word',
      ),
    finishesAt: time
      .nullable()
      .describe('When the closed door counts as filled, or its claim as taken, if nobody says otherwise; null where no such clock runs'),
    stillInside: z
      .boolean()
      .describe('A sensor senses something where silence would mean that it was taken: at finishesAt it counts as put back'),
    inDoubt: z.boolean().describe('What lies in its locker nobody knows, or it contradicts the stage: somebody has to look'),
    contactError: z.array(z.string()),
    note: z.string().nullable(),
    endReason: z.enum(END_REASONS).nullable().describe('How it came to its end; null while it runs'),
    continuedBy: id
      .nullable()
      .describe('Something lay in its locker already: in this one it goes on behind another door, by the same link'),
    createdBy: actor,
    createdAt: time,
    updatedAt: time,
    stageAt: time.describe('Since when it is at its stage'),
    actions: z.array(z.string()).describe('Actions that the rules would accept now, the next likely one first'),
  })
  .meta({ id: 'Occupation' });
export type Occupation = z.infer<typeof occupation>;

const register = {
  service: z.enum(['selfservice']).optional(),
  lockerId: id.optional(),
  size: z.enum(SIZES).optional(),
  cabinetId: id.optional(),
  assetId: id.optional(),
  /**
   * true: refused as `in-use-elsewhere` where the asset is in use already; a recall, where it is being recalled already. Left out, whoever
   * registers it has it in their hand, or wants it asked for once more.
   */
  assetUnused: z.boolean().optional(),
  assetText: name(200).optional(),
  orderRef: code(100).optional(),
  externalRef: code(100).optional(),
  receiver: receiver.optional(),
  quantity: z.int().min(0).max(1_000_000).optional(),
  refillLevel: z.int().min(0).max(1_000_000).optional(),
  price: z.strictObject({ amount: z.int().min(0).max(MAX_AMOUNT), currency: z.string().length(3).default('NOK') }).optional(),
  /** Lending: for how long; not given: as the policy says. */
  loanHours: z
    .int()
    .min(1)
    .max(24 * 366)
    .optional(),
  pickupBy: time.optional().describe('Until when it is to be picked up; not given: as the policy says'),
  policyRef: code(100).optional(),
  note: text(1000).optional(),
};
/** The registered occupation; `fit` says why this locker, where the server picked it. */
const registered = occupation.extend({ fit: z.string().nullable() }).meta({ id: 'RegisteredOccupation' });
const registerErrors = [
  'locker-taken',
  'locker-in-doubt',
  'out-of-service',
  'no-free-locker',
  'too-many',
  'unknown-reference',
  'service-not-allowed',
  'quantity',
  'price',
  'deadline',
  'not-lendable',
  'open-loan',
  'in-use-elsewhere',
  'rule',
] as const;
const actionErrors = [
  'not-found',
  'occupation-transition',
  'content-inside',
  'stale',
  'in-use',
  'receiver-needed',
  'open-loan',
  'locker-taken',
  'locker-in-doubt',
  'out-of-service',
  'service-not-allowed',
  'unknown-reference',
  'payment-needed',
  'whose-payment',
  'message-not-sendable',
  'quantity',
  'sold-out',
  'too-many',
  'not-lendable',
  'deadline',
  'price',
  'rule',
] as const;

const versioned = { id, version: version.optional() };
const action = z.discriminatedUnion('action', [
  z.strictObject({ ...versioned, action: z.literal('fill'), quantity: z.int().min(1).max(1_000_000).optional(), lockerId: id.optional() }),
  z.strictObject({
    ...versioned,
    action: z.literal('send'),
    channel: z.enum(['sms', 'mail', 'both']).optional(),
    receiver: receiver.optional(),
  }),
  z.strictObject({ ...versioned, action: z.literal('return'), condition: text(300).optional(), lockerId: id.optional() }),
  /** `move`: to be put into another locker. Its receiver is not told that it is out; once it lies in the other one, they are told where. */
  z.strictObject({ ...versioned, action: z.literal('extract'), reason: text(300).optional(), move: z.boolean().optional() }),
  z.strictObject({ ...versioned, action: z.literal('publish') }),
  z.strictObject({ ...versioned, action: z.literal('empty') }),
  z.strictObject({ ...versioned, action: z.literal('reset'), lockerId: id.optional() }),
  z.strictObject({ ...versioned, action: z.literal('finnish') }),
]);

export const BULK_ACTIONS = ['publish', 'return', 'empty', 'reset', 'send', 'finnish', 'extract', 'fill', 'delete'] as const;
export const BULK_AT_MOST = 200;
const bulkAnswer = z
  .object({
    id,
    ok: z.boolean(),
    occupation: occupation.nullable().describe('As it is then; null where it was refused, or is out of the caller’s sight'),
    /** Why it was refused: the code and words that the call for this one alone would have answered. */
    problem: z
      .object({ code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]), status: z.int(), detail: z.string() })
      .nullable(),
  })
  .meta({ id: 'BulkAnswer' });
export type BulkAnswer = z.infer<typeof bulkAnswer>;

export const occupations = [
  route({
    method: 'POST',
    path: '/occupations',
    access: 'occupations',
    summary: 'Register an occupation: a locker is set aside',
    body: z.strictObject({ type, ...register }),
    response: registered,
    errors: registerErrors,
  }),
  route({
    method: 'POST',
    path: '/occupations/delivery',
    access: 'occupations',
    summary: 'A whole delivery in one call, all or nothing',
    body: z.strictObject({ ...register, fill: z.boolean().default(false), send: z.boolean().default(false) }),
    response: registered,
    errors: [...registerErrors, 'receiver-needed'],
  }),
  route({
    method: 'PUT',
    path: '/occupations',
    access: 'occupations',
    summary: 'An action on an occupation',
    body: action,
    response: occupation,
    errors: actionErrors,
  }),
  route({
    method: 'POST',
    path: '/occupations/bulk',
    access: 'occupations',
    summary: 'One action on many, each by itself: an answer for each, in the order of the ids',
    body: z.strictObject({ ids: z.array(id).min(1).max(BULK_AT_MOST), action: z.enum(BULK_ACTIONS), reason: text(300).optional() }),
    response: z.array(bulkAnswer),
  }),
  route({
    method: 'PUT',
    path: '/occupations/assign',
    access: 'occupations',
    summary: 'Claim: let somebody in to take it. Opens nothing',
    body: z.strictObject({
      action: z.literal('claim'),
      id,
      receiver: receiver.optional(),
      quantity: z.int().min(1).max(1_000_000).optional(),
      dueAt: time.optional().describe('Lending: when it is due back; not given: by its loan time'),
      paymentId: id
        .optional()
        .describe('The payment that it stands on; not given: the one that is reserved for it; where several are, whose-payment'),
    }),
    response: occupation,
    errors: actionErrors,
  }),
  route({
    method: 'PUT',
    path: '/occupations/{id}',
    access: 'occupations',
    summary: 'Extend, correct a receiver, or change the price of goods: no change of stage',
    params: idParams,
    body: z.strictObject({
      version,
      receiver: receiver.optional(),
      pickupBy: time.optional(),
      dueAt: time.optional(),
      note: lines(1000).optional(),
      price: z
        .strictObject({ amount: z.int().min(1).max(MAX_AMOUNT), currency: z.string().length(3).default('NOK') })
        .optional()
        .describe('sale alone: what one piece costs whoever pays from now on'),
    }),
    response: occupation,
    errors: actionErrors,
  }),
  route({
    method: 'DELETE',
    path: '/occupations/{id}',
    access: 'occupations',
    summary: 'End an occupation; its locker is free again',
    params: idParams,
    body: z.strictObject({ reason: text(300).optional(), version: version.optional() }),
    response: 'nothing',
    errors: ['occupation-transition', 'open-loan', 'stale'],
  }),
  route({
    method: 'POST',
    path: '/occupations/{id}/doubt',
    access: 'occupations',
    summary: 'Word of who stands at the door: nothing was put inside, the locker was not empty, or what was to be taken out stays inside',
    params: idParams,
    body: z.strictObject({ kind: z.enum(['nothing-inside', 'not-empty', 'stays-inside']) }),
    response: occupation.extend({ next: z.object({ lockerId: id, doorTag: z.string(), why: z.string() }).nullable() }),
    errors: ['occupation-transition'],
  }),
  route({
    method: 'POST',
    path: '/occupations/{id}/retrieve',
    access: 'occupations',
    summary: 'Take out and end: extract and delete in one transaction',
    params: idParams,
    body: z.strictObject({ reason: text(300).optional() }),
    response: 'nothing',
    errors: ['occupation-transition', 'open-loan'],
  }),
  route({
    method: 'GET',
    path: '/occupations',
    access: 'portal',
    summary: 'Occupations that the caller may see',
    query: listQuery({
      fields: {
        id: 'uuid',
        type: 'text',
        service: 'text',
        stage: 'int',
        lockerId: 'uuid',
        assetId: 'uuid',
        // What is meant for a member's account, or is with them; nothing to who may not see the members.
        memberId: 'uuid',
        doorTag: 'code',
        overdue: 'bool',
        pickupBy: 'time',
        createdAt: 'time',
        updatedAt: 'time',
        orderRef: 'code',
        externalRef: 'code',
      },
      // `deadline`: when its loan is due, else `pickupBy`.
      sorts: ['createdAt', 'updatedAt', 'pickupBy', 'deadline'],
      searchable: true,
    }),
    response: z.array(occupation),
  }),
  route({
    method: 'GET',
    path: '/occupations/{id}',
    access: 'portal',
    summary: 'One occupation',
    params: idParams,
    response: occupation,
  }),
  route({
    method: 'POST',
    path: '/occupations/find',
    access: 'portal',
    summary: 'Find running occupations by what was scanned or typed: pick-up code, door tag, tracking number, receiver',
    body: z.strictObject({ scan: code(200) }),
    response: z.array(occupation),
  }),
] as const;
