import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';

const KEPT_DAYS = 30;
const LATE_MS = 30_000;
const BATCH = 500;

/** What a process that was cut off left queued is asked for again; the log is kept for so long. */
export const sweepDeliveries = (deps: Deps, { tenantId, now }: Scope): Promise<void> =>
  deps.db.tenant(tenantId, async (tx) => {
    const before = new Date(Date.parse(now) - KEPT_DAYS * 86_400_000).toISOString();
    await tx.deleteFrom('webhook_deliveries').where('tenant_id', '=', tenantId).where('created_at', '<', before).execute();
    const late = await tx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('state', '=', 'queued')
      .where('next_at', '<', new Date(Date.parse(now) - LATE_MS).toISOString())
      .orderBy('next_at')
      .limit(BATCH)
      .execute();
    for (const { id } of late) await deps.jobs.enqueue(tx, { name: 'webhook', tenantId, deliveryId: id }, { key: id });
  });
