import { sql, type Selectable } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Webhook, WebhookDelivery } from '@hatchway/contract/webhooks.ts';
import { mayReadAllHistory, type Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from '../../db/tables/messages.ts';
import { page } from '../../http/list.ts';
import { absent, Problem } from '../../http/problem.ts';

const webhookRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('webhooks')
    .selectAll('webhooks')
    .select((eb) =>
      eb
        .selectFrom('webhook_deliveries as d')
        .select(sql<number>`count(*)::int`.as('kept'))
        .whereRef('d.tenant_id', '=', 'webhooks.tenant_id')
        .whereRef('d.webhook_id', '=', 'webhooks.id')
        .where('d.state', '=', 'missed')
        .$asScalar()
        .$notNull()
        .as('kept'),
    )
    .where('webhooks.tenant_id', '=', tenantId);

const toWebhook = (row: Selectable<WebhooksTable> & { kept: number }): Webhook => ({
  id: row.id,
  tenantId: row.tenant_id,
  url: row.url,
  events: row.events,
  active: row.active,
  disabledReason: row.disabled_reason,
  failingSince: row.failing_since,
  deliveredAt: row.delivered_at,
  missed: { kept: row.kept, lost: row.lost },
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const toDelivery = (row: Selectable<WebhookDeliveriesTable>): WebhookDelivery => ({
  id: row.id,
  webhookId: row.webhook_id,
  type: row.event_type,
  state: row.state,
  sequence: row.sequence,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  durationMs: row.duration_ms,
  attemptedAt: row.attempted_at,
  nextAt: row.state === 'queued' ? row.next_at : null,
  replayOf: row.replay_of,
  payload: row.payload,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const CREATED = { column: sql.ref('created_at'), type: 'timestamptz' } as const;

export const listWebhooks = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(
    tx,
    webhookRows(tx, tenantId),
    { fields: { id: sql.ref('id'), active: sql.ref('active') }, sorts: { createdAt: CREATED }, id: sql.ref('id') },
    query,
    tenantId,
    toWebhook,
  );

export const oneWebhook = async (tx: Tx, tenantId: string, id: string): Promise<Webhook> =>
  toWebhook(await webhookRows(tx, tenantId).where('webhooks.id', '=', id).executeTakeFirstOrThrow());

export const deliveriesByIds = async (tx: Tx, tenantId: string, ids: readonly string[]): Promise<WebhookDelivery[]> =>
  (await tx.selectFrom('webhook_deliveries').selectAll().where('tenant_id', '=', tenantId).where('id', 'in', ids).execute()).map(
    toDelivery,
  );

/** What it tells, and told, is the whole history: nobody leads that to an address who may not read it themselves. */
export const throwUnlessReads = (facts: Facts): void => {
  if (!mayReadAllHistory(facts)) throw new Problem('forbidden', 'A webhook tells the whole history: that needs the right to read it');
};

export const listDeliveries = async (tx: Tx, tenantId: string, facts: Facts, webhookId: string, query: ListQuery) => {
  throwUnlessReads(facts);
  await tx
    .selectFrom('webhooks')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', webhookId)
    .executeTakeFirstOrThrow(absent);
  return page(
    tx,
    tx.selectFrom('webhook_deliveries').selectAll().where('tenant_id', '=', tenantId).where('webhook_id', '=', webhookId),
    {
      fields: { id: sql.ref('id'), state: sql.ref('state'), type: sql.ref('event_type') },
      sorts: { createdAt: CREATED },
      id: sql.ref('id'),
    },
    query,
    tenantId,
    toDelivery,
  );
};
