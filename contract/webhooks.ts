import { z } from 'zod';
import { HISTORY_EVENTS } from '@hatchway/domain/history.ts';
import { id, idParams, text, time, version } from './common.ts';
import { listQuery } from './list.ts';
import { route } from './route.ts';

/**
 * Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature` (v1, HMAC-SHA256 over `id.timestamp.body` with the secret
 * behind `whsec_`, base64), `webhook-sequence` (the events' order, a number more each), and a body `{type, timestamp, data}`. `data` is the event of the history, as an administrator reads it.
 */
export const webhook = z
  .object({
    id,
    tenantId: id,
    url: z.string(),
    events: z.array(z.string()).describe('Types of events; empty: all of them'),
    active: z.boolean(),
    /**
     * Why it was switched off by itself: it answered 410, or nothing well for three days, or who answered for it, a person or a key, may
     * no more. Whoever switches it on again, or gives it another address, answers for it from then on.
     */
    disabledReason: z.enum(['gone', 'failing', 'maker']).nullable(),
    failingSince: time.nullable(),
    deliveredAt: time.nullable().describe('When something last arrived at this address, a test too; null: nothing ever did'),
    missed: z
      .object({ kept: z.int(), lost: z.int() })
      .describe(
        'Switched off by itself, it is kept what happens meanwhile (30 days, 10 000 events), and told in order once it is on: how many wait, and how many are lost',
      ),
    version,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhook>;

export const delivery = z
  .object({
    /** The `webhook-id` header: the same at every attempt. */
    id,
    webhookId: id,
    type: z.string(),
    state: z
      .enum(['queued', 'delivered', 'failed', 'missed'])
      .describe('missed: kept until the webhook is switched on again, and those before it are delivered'),
    sequence: z
      .int()
      .nullable()
      .describe(
        'The webhook-sequence header: events in their order, each the next number; what is lost leaves a gap. Null before the first attempt, and of a test',
      ),
    attempts: z.int(),
    status: z.int().nullable().describe('Of the last answer; null where none came'),
    error: z.string().nullable().describe('Why there is no answer, one of DELIVERY_ERRORS of the domain; null where there is one'),
    durationMs: z.int().nullable(),
    attemptedAt: time.nullable(),
    nextAt: time.nullable(),
    replayOf: id.nullable(),
    payload: z.record(z.string(), z.unknown()).describe('What is sent; empty until the first attempt'),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof delivery>;

const url = text(2000);
const events = z.array(z.enum(HISTORY_EVENTS)).max(100);
const deliveryParams = z.strictObject({ id, deliveryId: id });

export const webhooks = [
  route({
    method: 'GET',
    path: '/webhooks',
    access: 'admin:webhooks',
    summary: 'Webhooks',
    query: listQuery({ fields: { id: 'uuid', active: 'bool' }, sorts: ['createdAt'] }),
    response: z.array(webhook),
  }),
  route({
    method: 'POST',
    path: '/webhooks',
    access: 'admin:webhooks',
    summary: 'Tell an address what happens; a key reads all of it itself (`read`). The secret that it is signed with is shown this once',
    body: z.strictObject({ url, events: events.default([]), active: z.boolean().default(true) }),
    response: webhook.extend({ secret: z.string() }),
    errors: ['rule'],
    secret: true,
  }),
  route({
    method: 'PUT',
    path: '/webhooks/{id}',
    access: 'admin:webhooks',
    summary:
      'Change a webhook, or switch it off and on; what is not given stays, and the secret. A key that does not `read` only switches off',
    params: idParams,
    body: z.strictObject({ url, events: events.optional(), active: z.boolean().optional(), version }),
    response: webhook,
    errors: ['rule', 'stale'],
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/{id}',
    access: 'admin:webhooks',
    summary: 'Delete a webhook and its log; what is under way is not sent any more',
    params: idParams,
    response: 'nothing',
  }),
  route({
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    access: 'admin:webhooks',
    summary: 'What was sent to it in the last 30 days, and how it answered',
    params: idParams,
    query: listQuery({ fields: { id: 'uuid', state: 'text', type: 'text' }, sorts: ['createdAt'] }),
    response: z.array(delivery),
  }),
  route({
    method: 'POST',
    path: '/webhooks/{id}/test',
    access: 'admin:webhooks',
    summary: 'Send it an event of type "test" now',
    params: idParams,
    body: z.strictObject({}),
    response: delivery,
    errors: ['rule'],
  }),
  route({
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{deliveryId}/replay',
    access: 'admin:webhooks',
    summary: 'Send the same once more, under an id of its own',
    params: deliveryParams,
    body: z.strictObject({}),
    response: delivery,
    errors: ['rule'],
  }),
] as const;
