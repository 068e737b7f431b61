import { z } from 'zod';
import { COMMAND_OUTCOMES, CONNECTIONS, CONTENT_STATES, DOOR_STATES, LOCK_STATES, REACHES, SIZES } from '@hatchway/domain/terms.ts';
import { actor, id, idParams, text, time } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

const commandOutcome = z.enum(['pending', ...COMMAND_OUTCOMES]);

/** Three kinds of fact, never mixed: commanded (lastCommand), sensed (door, lock, occupancy), believed (content, with why). Each has its time. */
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
    paired: z.boolean().describe('Whether its cabinet has a controller; of one without, nothing was ever to be heard'),
    door: z.enum(DOOR_STATES),
    doorSince: time.nullable(),
    lock: z.enum(LOCK_STATES).describe('unlocked while the door is closed: it did not catch. Controllers that feel no lock say unknown'),
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
    openLinkUntil: time
      .nullable()
      .describe(
        'Until when somebody can open it by an access link, at the longest; such a door is picked for nobody who did not choose it',
      ),
    occupationId: id.nullable(),
    occupation: z
      .object({ id, stage: z.int(), type: z.string(), overdue: z.boolean() })
      .nullable()
      .describe('Stage, type and lateness of the current occupation, so that a wall is drawn from one call'),
    inDoubt: z.boolean(),
    version: z.int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Locker' });
export type Locker = z.infer<typeof locker>;

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
        doorTag: 'code',
        size: 'text',
        connection: 'text',
        paired: 'bool',
        door: 'text',
        content: 'text',
        inDoubt: 'bool',
        outOfService: 'bool',
        free: 'bool',
        standing: 'text',
      },
      sorts: ['createdAt', 'doorTag'],
      searchable: true,
    }),
    response: z.array(locker),
  }),
  route({ method: 'GET', path: '/lockers/{id}', access: 'portal', summary: 'One locker', params: idParams, response: locker }),
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
  }),
  route({
    method: 'PUT',
    path: '/lockers/{id}/content',
    access: 'builder',
    summary: 'A person’s word on what lies inside settles a doubt',
    params: idParams,
    body: z.strictObject({ content: z.enum(['empty', 'occupied']), note: text(300).optional() }),
    response: locker,
  }),
] as const;
