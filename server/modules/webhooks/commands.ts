import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Webhook, WebhookDelivery } from '@hatchway/contract/webhooks.ts';
import type { Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { absent, mustBeSeen, Problem, ruled } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow } from '../../rows.ts';
import { sendMissed } from './missed-commands.ts';
import { oneWebhook, throwUnlessReads, toDelivery } from './queries.ts';

type Input = { url: string; events: string[]; active: boolean };
/** What is not given stays: one that was given its events would else be told of all of them. */
type Change = { url: string; events?: string[] | undefined; active?: boolean | undefined; version: number };
/** More than anybody needs, and few enough that one event is told to all in a moment. */
const MOST = 20;

/** Standard Webhooks: 24 to 64 random bytes, base64 behind this. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** What can be seen of an address without asking for its name; where the name leads is looked at whenever it is connected to. */
const mustBeReachable = (deps: Deps, url: string): void => {
  const fault = deps.outside.fault(url);
  if (fault !== null) throw ruled(fault, '/url');
};

/** Throws Problem `forbidden` for a key that reads nothing, `rule` for an address that may not be fetched from, or for one webhook too many. */
export const createWebhook = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  facts: Facts,
  input: Input,
): Promise<Webhook & { secret: string }> => {
  throwUnlessReads(facts);
  mustBeReachable(deps, input.url);
  // One at a time, so that each counts those before it.
  await tx.selectFrom('companies').select('id').where('id', '=', scope.tenantId).forNoKeyUpdate().execute();
  const { count } = await tx
    .selectFrom('webhooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow();
  if (count >= MOST) throw new Problem('rule', `A company has ${MOST} webhooks at most`);
  const secret = newSecret();
  const id = newId();
  await insertRow(tx, 'webhooks', scope, id, {
    url: input.url,
    events: [...new Set(input.events)],
    active: input.active,
    created_by: scope.actor.id,
    secret_sealed: deps.seal.close(secret),
  }).execute();
  await record(tx, scope, [], [{ kind: 'webhooks', id, method: 'POST' }]);
  return { ...(await oneWebhook(tx, scope.tenantId, id)), secret };
};

const locked = (tx: Tx, tenantId: string, id: string) =>
  tx
    .selectFrom('webhooks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    // what is told meanwhile names it too, and must not wait
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(absent);

/**
 * Switched on, or led to another address, it begins anew: what was held against it is forgotten, and whoever did it answers for it from
 * then on; what it missed is told to it first. Throws `stale`, `rule`, and `forbidden` for a key that reads nothing, unless all it does is to switch off.
 */
export const changeWebhook = async (tx: Tx, deps: Deps, scope: Scope, facts: Facts, id: string, input: Change): Promise<Webhook> => {
  const before = await locked(tx, scope.tenantId, id);
  mustBeSeen(before, input.version);
  mustBeReachable(deps, input.url);
  const active = input.active ?? before.active;
  const anew = (active && !before.active) || input.url !== before.url;
  const events = [...new Set(input.events ?? before.events)];
  if (anew || events.toSorted().join() !== before.events.toSorted().join()) throwUnlessReads(facts);
  await changeRow(tx, 'webhooks', scope, id, {
    url: input.url,
    events,
    active,
    ...(anew ? { failing_since: null, created_by: scope.actor.id } : {}),
    // Led elsewhere and still off, it is kept what it misses.
    ...(active ? { disabled_reason: null } : {}),
    ...(input.url === before.url ? {} : { delivered_at: null }),
    ...(active && !before.active ? { lost: 0 } : {}),
  }).execute();
  if (events.length > 0)
    await tx
      .deleteFrom('webhook_deliveries')
      .where('tenant_id', '=', scope.tenantId)
      .where('webhook_id', '=', id)
      .where('state', '=', 'missed')
      .where('event_type', 'not in', events)
      .execute();
  if (active) await sendMissed(tx, deps, scope, id);
  await record(tx, scope, [], [{ kind: 'webhooks', id, method: 'PUT' }]);
  return oneWebhook(tx, scope.tenantId, id);
};

export const deleteWebhook = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  await locked(tx, scope.tenantId, id);
  // Its log goes first: only the row itself is in the way of whoever tells something.
  await tx.deleteFrom('webhook_deliveries').where('tenant_id', '=', scope.tenantId).where('webhook_id', '=', id).execute();
  await tx.deleteFrom('webhooks').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
  await record(tx, scope, [], [{ kind: 'webhooks', id, method: 'DELETE' }]);
};

type Parcel = { type: string; payload: Record<string, unknown>; eventId: string | null; replayOf: string | null; sequence: number | null };
const put = async (tx: Tx, deps: Deps, scope: Scope, webhookId: string, parcel: Parcel): Promise<WebhookDelivery> => {
  const { active } = await locked(tx, scope.tenantId, webhookId);
  if (!active) throw new Problem('rule', 'The webhook is switched off');
  const row = await insertRow(tx, 'webhook_deliveries', scope, newId(), {
    webhook_id: webhookId,
    event_type: parcel.type,
    event_id: parcel.eventId,
    replay_of: parcel.replayOf,
    sequence: parcel.sequence,
    payload: jsonb(parcel.payload),
    state: 'queued',
    next_at: scope.now,
  })
    .returningAll()
    .executeTakeFirstOrThrow();
  await deps.jobs.enqueue(tx, { name: 'webhook', tenantId: scope.tenantId, deliveryId: row.id }, { key: row.id });
  await record(tx, scope, [], [{ kind: 'deliveries', id: row.id, method: 'POST' }]);
  return toDelivery(row);
};

/** Throws Problem `rule` where it is switched off. */
export const testWebhook = (tx: Tx, deps: Deps, scope: Scope, id: string): Promise<WebhookDelivery> =>
  put(tx, deps, scope, id, {
    type: 'test',
    payload: { type: 'test', timestamp: scope.now, data: { tenantId: scope.tenantId, message: 'It works' } },
    eventId: null,
    replayOf: null,
    sequence: null,
  });

/** The same content under a new id: whoever drops doubles by `webhook-id` gets it again, `data.id` still tells what it is about. */
export const replayDelivery = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  facts: Facts,
  id: string,
  deliveryId: string,
): Promise<WebhookDelivery> => {
  throwUnlessReads(facts);
  await locked(tx, scope.tenantId, id);
  const first = await tx
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('webhook_id', '=', id)
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow(absent);
  return put(tx, deps, scope, id, {
    type: first.event_type,
    payload: first.payload,
    eventId: first.event_id,
    replayOf: first.id,
    sequence: first.sequence,
  });
};
