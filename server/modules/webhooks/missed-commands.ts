import { sql } from 'kysely';
import { WEBHOOK_KEPT_DAYS, MISSED_MOST } from '@hatchway/domain/webhook.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';

/**
 * Gives their numbers to a delivery and to all that wait for their first attempt before it: attempts are made side by side, and the order
 * is that of what happened. The caller holds the webhook.
 */
export const numberUpTo = async (tx: Tx, tenantId: string, webhookId: string, deliveryId: string): Promise<void> => {
  await sql`with waiting as (
      select id, row_number() over (order by created_at, id) as place from webhook_deliveries
      where tenant_id = ${tenantId} and webhook_id = ${webhookId} and state = 'queued' and sequence is null and event_id is not null
        and replay_of is null
        and (created_at, id) <= (select created_at, id from webhook_deliveries where tenant_id = ${tenantId} and id = ${deliveryId})
    ), numbered as (
      update webhook_deliveries d set sequence = w.sequence + waiting.place from waiting, webhooks w
      where d.tenant_id = ${tenantId} and d.id = waiting.id and w.tenant_id = ${tenantId} and w.id = ${webhookId} returning d.id
    )
    update webhooks set sequence = sequence + (select count(*) from numbered) where tenant_id = ${tenantId} and id = ${webhookId}`.execute(
    tx,
  );
};

/** The number of its next event. The webhook is locked until the transaction ends. */
const nextNumber = async (tx: Tx, tenantId: string, webhookId: string): Promise<number> => {
  const { sequence } = await updateRow(tx, 'webhooks', tenantId, webhookId)
    .set((eb) => ({ sequence: eb('sequence', '+', 1) }))
    .returning('sequence')
    .executeTakeFirstOrThrow();
  return sequence;
};

const ofWebhook = (tx: Tx, tenantId: string, webhookId: string) =>
  tx.selectFrom('webhook_deliveries').where('tenant_id', '=', tenantId).where('webhook_id', '=', webhookId);

export const hasMissed = async (tx: Tx, tenantId: string, webhookId: string): Promise<boolean> =>
  (await ofWebhook(tx, tenantId, webhookId).select('id').where('state', '=', 'missed').limit(1).executeTakeFirst()) !== undefined;

/** Of what it missed the first is sent, unless one is under way: each waits for the one before it. The caller holds the webhook, which is on. */
export const sendMissed = async (tx: Tx, deps: Deps, scope: Scope, webhookId: string): Promise<void> => {
  const { tenantId, now } = scope;
  const next = await ofWebhook(tx, tenantId, webhookId)
    .select(['id', 'sequence'])
    .where('state', '=', 'missed')
    .orderBy('sequence', (by) => by.asc().nullsLast())
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!next) return;
  const underWay = await ofWebhook(tx, tenantId, webhookId)
    .select('id')
    .where('state', '=', 'queued')
    .where('sequence', 'is not', null)
    .where('replay_of', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (underWay) return;
  const sequence = next.sequence ?? (await nextNumber(tx, tenantId, webhookId));
  await updateRow(tx, 'webhook_deliveries', tenantId, next.id)
    .set({ state: 'queued', sequence, attempts: 0, error: null, next_at: now, updated_at: now })
    .execute();
  await deps.jobs.enqueue(tx, { name: 'webhook', tenantId, deliveryId: next.id }, { key: `${next.id} ${now}` });
  await record(tx, scope, [], [{ kind: 'deliveries', id: next.id, method: 'PUT' }]);
};

/** What came while a webhook was switched on again, or was cut off on its way, is sent on. */
export const sendAllMissed = async (tx: Tx, deps: Deps, scope: Scope): Promise<void> => {
  const waiting = await tx
    .selectFrom('webhooks as w')
    .select('w.id')
    .where('w.tenant_id', '=', scope.tenantId)
    .where('w.active', '=', true)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_deliveries as d')
          .select('d.id')
          .where('d.tenant_id', '=', scope.tenantId)
          .whereRef('d.webhook_id', '=', 'w.id')
          .where('d.state', '=', 'missed'),
      ),
    )
    .orderBy('w.id')
    .forNoKeyUpdate()
    .execute();
  for (const { id } of waiting) await sendMissed(tx, deps, scope, id);
};

/** Of what was missed the newest are kept, and none of before `forgotten`; how many are lost is said, and left out of the numbers. */
export const dropMissed = async (tx: Tx, scope: Scope, forgotten: string): Promise<void> => {
  const { tenantId, now } = scope;
  const before = new Date(Date.parse(now) - WEBHOOK_KEPT_DAYS * 86_400_000).toISOString();
  const { rows } = await sql<{ webhook_id: string; ids: string[] }>`
    select webhook_id, array_agg(id) as ids from (
      select webhook_id, id, created_at, row_number() over (partition by webhook_id order by created_at desc, id desc) as place
      from webhook_deliveries where tenant_id = ${tenantId} and state = 'missed'
    ) missed where place > ${MISSED_MOST} or created_at < greatest(${before}::timestamptz, ${forgotten}::timestamptz)
    group by webhook_id order by webhook_id`.execute(tx);
  for (const { webhook_id: id, ids } of rows) {
    // A webhook is locked before its deliveries: one that was sent on meanwhile is not lost.
    await tx.selectFrom('webhooks').select('id').where('tenant_id', '=', tenantId).where('id', '=', id).forNoKeyUpdate().execute();
    const gone = await tx
      .deleteFrom('webhook_deliveries')
      .where('tenant_id', '=', tenantId)
      .where('state', '=', 'missed')
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .returning('sequence')
      .execute();
    // What was tried once has its number already.
    const unnumbered = gone.filter(({ sequence }) => sequence === null).length;
    await updateRow(tx, 'webhooks', tenantId, id)
      .set((eb) => ({ lost: eb('lost', '+', gone.length), sequence: eb('sequence', '+', unnumbered), updated_at: now }))
      .execute();
    await record(tx, scope, [], [{ kind: 'webhooks', id, method: 'PUT' }]);
  }
};
