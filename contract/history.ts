import { TEMPLATE_KINDS } from '@hatchway/domain/template.ts';
import { z } from 'zod';
import { actor, id, idParams, text, time } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

export const historyEvent = z
  .object({
    id,
    tenantId: id,
    type: z.string(),
    at: time,
    actor,
    lockerId: id.nullable(),
    doorTag: z.string().nullable(),
    occupationId: id.nullable(),
    paymentId: id.nullable(),
    assetId: id.nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'HistoryEvent' });
export type HistoryEvent = z.infer<typeof historyEvent>;

export const message = z
  .object({
    id,
    tenantId: id,
    occupationId: id.nullable(),
    cause: z.string(),
    kind: z
      .enum(TEMPLATE_KINDS)
      .nullable()
      .describe('What it tells: the kind under which a company may word it; null where it may word none'),
    channel: z.enum(['sms', 'mail']),
    to: z.string(),
    state: z
      .enum(['queued', 'sent', 'accepted', 'delivered', 'failed', 'unknown'])
      .describe('unknown: the send’s answer was lost; it is never repeated by itself'),
    error: z.string().nullable(),
    messageId: z.string(),
    providerRef: z.string().nullable(),
    notBefore: time.nullable().describe('Not sent before then (quiet hours); null where nothing holds it back'),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Message' });
export type Message = z.infer<typeof message>;

export const history = [
  route({
    method: 'GET',
    path: '/history',
    access: 'portal',
    summary: 'What happened, newest first, as far as the caller may see; searched by who, door, occupation and asset',
    query: listQuery({
      fields: {
        id: 'uuid',
        type: 'text',
        at: 'time',
        actorId: 'text',
        actorKind: 'text',
        lockerId: 'uuid',
        doorTag: 'code',
        occupationId: 'uuid',
        paymentId: 'uuid',
        assetId: 'uuid',
        // as the figures count: the hour of the company's clock (0 to 23), the service of the use, the currency of a payment
        hour: 'int',
        service: 'text',
        currency: 'text',
      },
      sorts: ['at', 'createdAt'],
      searchable: true,
    }),
    response: z.array(historyEvent),
  }),
] as const;

export const messages = [
  route({
    method: 'GET',
    path: '/messages',
    access: 'occupations',
    summary: 'Messages and their fate',
    query: listQuery({ fields: { id: 'uuid', occupationId: 'uuid', state: 'text', channel: 'text' }, sorts: ['createdAt'] }),
    response: z.array(message),
  }),
  route({
    method: 'POST',
    path: '/messages/{id}/send',
    access: 'occupations',
    summary: 'Send again: a new message with a cause of its own',
    params: idParams,
    body: z.strictObject({}),
    response: message,
    errors: ['message-not-sendable', 'locker-in-doubt'],
  }),
  route({
    method: 'GET',
    path: '/stats/messages',
    access: 'admin:companies',
    summary: 'SMS by the months of the company’s clock, the newest of the last twelve first: how many went out, and in how many parts',
    response: z.array(
      z.object({
        month: z.string().describe('As 2026-11'),
        messages: z.int(),
        segments: z.int().describe('What gateways bill'),
        unsure: z.int().describe('Of so many more nobody knows whether they went out'),
      }),
    ),
  }),
] as const;

export const receivers = [
  route({
    method: 'GET',
    path: '/receivers',
    access: 'portal',
    summary: 'Receivers of earlier occupations and members, by the beginning of a word, number or address',
    query: z.strictObject({ search: text(100), limit: z.coerce.number().int().min(1).max(50).default(10) }),
    response: z.array(
      z.object({
        name: z.string(),
        tlf: z.string().nullable(),
        email: z.string().nullable(),
        groupIds: z.array(id).describe('Of the member that this is those that a policy names; none of anybody else'),
        lastAt: time,
      }),
    ),
  }),
] as const;

/** Each locker in one of them: `unready` ones are nobody's, but offline, open or not heard of, and so not free. */
const standings = { free: z.int(), inUse: z.int(), outOfService: z.int(), inDoubt: z.int(), unready: z.int() };
const bySize = z.object({ size: z.string(), ...standings });
const days = z.coerce.number().int().min(1).max(366).default(30);
export const stats = [
  route({
    method: 'GET',
    path: '/stats/now',
    access: 'portal',
    summary: 'The dashboard’s figures, of the lockers that the caller may see',
    response: z.object({
      lockers: z.object({ total: z.int(), ...standings, bySize: z.array(bySize) }),
      doorsOpen: z.array(z.object({ lockerId: id, doorTag: z.string(), since: time.nullable() })),
      running: z.int().describe('Occupations that go on, and those of them that are late, as GET /occupations lists them to the caller'),
      overdue: z.int(),
      brought: z
        .int()
        .describe('Of those, what somebody outside was asked to bring, and has: it waits for staff to take it out, and the caller may'),
      offlineCabinets: z
        .array(z.object({ id, name: z.string(), since: time.nullable() }))
        .describe('since: null of one that was never connected'),
      today: z
        .object({ filled: z.int(), taken: z.int(), due: z.int() })
        .describe('due: to be fetched before the day is over, or should have been'),
    }),
  }),
  route({
    method: 'GET',
    path: '/stats/usage',
    access: 'portal',
    summary: 'Filled and taken out, of whatever service, for each day or for each hour of the day',
    query: z.strictObject({ days, by: z.enum(['day', 'hour']).default('day') }),
    response: z.array(
      z.object({
        day: z.iso.date().nullable().describe('by day; else null'),
        hour: z.int().nullable().describe('by hour: 0 to 23 of the company’s clock, all the days together; else null'),
        filled: z.int(),
        taken: z.int(),
      }),
    ),
  }),
  route({
    method: 'GET',
    path: '/stats/services',
    access: 'portal',
    summary: 'What each service did, and what runs in it now, as far as the caller may see',
    query: z.strictObject({ days }),
    response: z.array(
      z.object({
        service: z.string(),
        started: z.int(),
        filled: z.int(),
        taken: z.int(),
        running: z.int(),
        overdue: z.int(),
      }),
    ),
  }),
  route({
    method: 'GET',
    path: '/stats/sales',
    access: 'payments.read',
    summary: 'Money per day and currency, pieces sold, and payments that want an end',
    query: z.strictObject({ days }),
    response: z.object({
      sold: z.int(),
      wanting: z.int(),
      currencies: z.array(
        z.object({
          currency: z.string(),
          captured: z.int(),
          refunded: z.int(),
          days: z.array(z.object({ day: z.iso.date(), captured: z.int(), refunded: z.int() })),
        }),
      ),
    }),
  }),
] as const;

export const types = [
  route({
    method: 'GET',
    path: '/types/{kind}',
    access: 'portal',
    summary: 'The words of a kind, in both languages',
    params: z.strictObject({ kind: z.string().min(1).max(60) }),
    response: z.array(z.object({ value: z.union([z.string(), z.int()]), en: z.string(), nb: z.string() })),
  }),
] as const;
