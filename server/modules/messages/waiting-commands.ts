import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import type { Addressee } from './commands.ts';
import { mayHoldAgain, stillTrue, TO_RECEIVERS } from './truth-queries.ts';

const queued = (tx: Tx, { tenantId }: Scope) => tx.selectFrom('messages').where('tenant_id', '=', tenantId).where('state', '=', 'queued');

const end = async (tx: Tx, scope: Scope, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await tx
    .updateTable('messages')
    .set((eb) => ({ state: 'failed', error: NOT_NEEDED, body_sealed: null, version: eb('version', '+', 1), updated_at: scope.now }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', ids)
    .execute();
  await record(
    tx,
    scope,
    [],
    ids.map((id) => ({ kind: 'messages', id, method: 'PUT' })),
  );
};

/**
 * Takes back messages that were refused for the moment and wait to be tried again: none of them has reached anybody. All or none: false
 * where one is being sent, or was not tried yet. Never waits for a sender, who may be waiting for whoever asks.
 */
export const takeBack = async (tx: Tx, scope: Scope, ids: readonly string[]): Promise<boolean> => {
  if (ids.length === 0) return true;
  const waiting = await queued(tx, scope).select('id').where('id', 'in', ids).where('attempts', '>', 0).forUpdate().skipLocked().execute();
  if (waiting.length < ids.length) return false;
  await end(tx, scope, ids);
  return true;
};

/**
 * Takes back what waits to be told to a receiver and holds no more, so that it is said at once to whoever looks at the use. What is being
 * sent at this moment is left to its sender, who asks the same before each try.
 */
export const takeBackStale = async (tx: Tx, deps: Deps, scope: Scope, occupationId: string): Promise<void> => {
  const waiting = await queued(tx, scope)
    .selectAll()
    .where('occupation_id', '=', occupationId)
    .where('kind', 'in', TO_RECEIVERS)
    // What this very change has just said holds.
    .where('created_at', '<', scope.now)
    .forUpdate()
    .skipLocked()
    .execute();
  const stale: string[] = [];
  for (const row of waiting) {
    const sealed = deps.seal.open(row.to_sealed);
    const { to } = sealed === null ? { to: '' } : (JSON.parse(sealed) as Addressee);
    if (!(await stillTrue(tx, row, to)) && !(await mayHoldAgain(tx, row))) stale.push(row.id);
  }
  await end(tx, scope, stale);
};
