import { sql } from 'kysely';
import { WEBHOOK_KEPT_DAYS } from '@hatchway/domain/webhook.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { dropMissed, sendAllMissed } from './missed-commands.ts';

const LATE_MS = 30_000;
const BATCH = 500;

/**
 * What a process that was cut off left queued is asked for again. The log is kept for so long, and says nothing of what happened before
 * `forgotten`: what is told names people. A telling from then that was sent once more since goes with it; moments in UTC, all written
 * alike, follow each other as texts do.
 */
export const sweepDeliveries = (deps: Deps, scope: Scope, forgotten: string): Promise<void> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const { tenantId, now } = scope;
    await dropMissed(tx, scope, forgotten);
    const before = new Date(Date.parse(now) - WEBHOOK_KEPT_DAYS * 86_400_000).toISOString();
    // Each by its own index: with an `or` between them the whole log was read each minute.
    await sql`delete from webhook_deliveries where tenant_id = ${tenantId}
      and created_at < greatest(${before}::timestamptz, ${forgotten}::timestamptz)`.execute(tx);
    await sql`delete from webhook_deliveries where tenant_id = ${tenantId} and replay_of is not null
      and payload->>'timestamp' collate "C" < ${new Date(forgotten).toISOString()}`.execute(tx);
    await sendAllMissed(tx, deps, scope);
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
