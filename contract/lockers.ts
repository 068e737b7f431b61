import { z } from 'zod';
import { COMMAND_OUTCOMES, CONNECTIONS, CONTENT_STATES, DOOR_STATES, REACHES, SIZES } from '@hatchway/domain/terms.ts';
import { actor, id, idParams, text, time } from './common.ts';
import { listQuery } from './list.ts';
import { linkOpened, linkOpenErrors } from './pickup.ts';
import { route } from './route.ts';

const commandOutcome = z.enum(['pending', ...COMMAND_OUTCOMES]);

/** Three kinds of fact, never mixed: commanded (lastCommand), sensed (door, occupancy), believed (content, with why). Each has its time. */
export const locker = z
  .object({
    id,
    tenantId: id,
    cabinetId: id,
    compartment: z.int(),
    doorTag: z.string(),
    name: z.string(),
    size: z.enum(SIZES),
    reach: z.enum(REACHES),
    connection: z.enum(CONNECTIONS),
    door: z.enum(DOOR_STATES),
    doorSince: time.nullable(),
    occupancy: z.enum(CONTENT_STATES),
    occupancySince: time.nullable(),
    content: z.enum(CONTENT_STATES),
    contentSince: time.nullable(),
    contentWhy: z.string().nullable(),
    lastCommand: z
      .object({ id, op: z.enum(['open', 'lock']), at: time, by: actor, outcome: commandOutcome, code: z.string().nullable() })
      .nullable(),
    outOfService: z.object({ since: time, reason: z.string() }).nullable(),
    services: z.array(z.string()),
    policyRef: z.string().nullable(),
    occupationId: id.nullable(),
    /** Stage, type and lateness of the current occupation, so that a wall is drawn from one call. */
    occupation: z.object({ id, stage: z.int(), type: z.string(), overdue: z.boolean() }).nullable(),
    inDoubt: z.boolean(),
    version: z.int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Locker' });
export type Locker = z.infer<typeof locker>;

const openErrors = [
  'out-of-service',
  'cabinet-offline',
  'no-answer',
  'door-refused',
  'door-tag-mismatch',
  'occupation-transition',
] as const;

export const lockers = [
  route({
    method: 'GET',
    path: '/lockers',
    access: 'portal',
    summary: 'Lockers that the caller may see',
    query: listQuery({
      fields: {
        id: 'uuid',
        cabinetId: 'uuid',
        doorTag: 'text',
        size: 'text',
        connection: 'text',
        door: 'text',
        content: 'text',
        inDoubt: 'bool',
        outOfService: 'bool',
        free: 'bool',
      },
      sorts: ['createdAt', 'doorTag'],
      searchable: true,
    }),
    response: z.array(locker),
    errors: [],
  }),
  route({ method: 'GET', path: '/lockers/{id}', access: 'portal', summary: 'One locker', params: idParams, response: locker, errors: [] }),
  route({
    method: 'POST',
    path: '/lockers/{id}/open',
    access: 'doors',
    summary: 'Open a door and wait for the controller’s word (7 s at most)',
    params: idParams,
    body: z.strictObject({ doorTag: text(20), occupationId: id.optional(), reason: text(300).optional() }),
    response: locker,
    errors: openErrors,
  }),
  route({
    method: 'POST',
    path: '/open/door',
    access: 'doors',
    summary: 'Open a scanned door by its tag; with the token of an access link and no bearer, as that link may',
    body: z.strictObject({
      doorTag: text(20).optional(),
      occupationId: id.optional(),
      reason: text(300).optional(),
      token: z.string().min(1).max(200).optional(),
    }),
    secretIn: 'token',
    response: z.union([locker, linkOpened]),
    errors: [...openErrors, ...linkOpenErrors],
  }),
  route({
    method: 'PUT',
    path: '/lockers/{id}/lock',
    access: 'lock-control',
    summary: 'Lock a door, where the controller can',
    params: idParams,
    body: z.strictObject({}),
    response: locker,
    errors: ['cannot-lock', 'cabinet-offline', 'no-answer', 'door-refused'],
  }),
  route({
    method: 'PUT',
    path: '/lockers/{id}/service',
    access: 'builder',
    summary: 'Take a locker out of service, with a reason, or back',
    params: idParams,
    body: z.discriminatedUnion('outOfService', [
      z.strictObject({ outOfService: z.literal(true), reason: text(300) }),
      z.strictObject({ outOfService: z.literal(false) }),
    ]),
    response: locker,
    errors: [],
  }),
  route({
    method: 'PUT',
    path: '/lockers/{id}/content',
    access: 'builder',
    summary: 'A person’s word on what lies inside settles a doubt',
    params: idParams,
    body: z.strictObject({ content: z.enum(['empty', 'occupied']), note: text(300).optional() }),
    response: locker,
    errors: [],
  }),
] as const;
