import { NOT_NEEDED } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';

/**
 * Takes back messages that were refused for the moment and wait to be tried again: none of them has reached anybody. All or none: false
 * where one is being sent, or was not tried yet. Never waits for a sender, who may be waiting for whoever asks.
 */
export const takeBack = async (tx: Tx, scope: Scope, ids: readonly string[]): Promise<boolean> => {
  if (ids.length === 0) return true;
  const waiting = await tx
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', ids)
    .where('state', '=', 'queued')
    .where('attempts', '>', 0)
    .forUpdate()
    .skipLocked()
    .execute();
  if (waiting.length < ids.length) return false;
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
  return true;
};
