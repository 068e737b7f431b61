import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { hasNoJob, LEFT_MS } from '../../jobs/waiting.ts';
import type { Scope } from '../../scope.ts';
import { enqueueSending } from './commands.ts';

const BATCH = 500;

/**
 * Messages whose job gave up, or was lost with its process. Those that wait for a later try have their job still, and no second one is
 * made. One that was found `sent` may have gone out: the job calls it `unknown` and sends nothing.
 */
export const takeUpLeft = (deps: Deps, { tenantId, now }: Scope, batch = BATCH): Promise<void> =>
  deps.db.tenant(tenantId, async (tx) => {
    const left = await tx
      .selectFrom('messages')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('state', 'in', ['queued', 'sent'])
      .where('updated_at', '<=', new Date(Date.parse(now) - LEFT_MS).toISOString())
      // However many wait for a later try (a gateway is down, it is night), one whose job was lost does not stand behind them.
      .where(hasNoJob('message', sql.ref('messages.id')))
      .orderBy('updated_at')
      .limit(batch)
      .execute();
    for (const { id } of left) await enqueueSending(tx, deps, tenantId, id);
  });
