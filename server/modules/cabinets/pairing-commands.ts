import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';

/** Codes that nobody typed in time: the cabinet waits for no controller any more, and its screens hear of it. */
export const forgetPairing = (deps: Deps, scope: Scope): Promise<void> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const { tenantId, now } = scope;
    const spent = await tx
      .updateTable('cabinets')
      .set((eb) => ({ pairing_hash: null, pairing_expires_at: null, updated_at: now, version: eb('version', '+', 1) }))
      .where('tenant_id', '=', tenantId)
      .where('pairing_expires_at', '<=', now)
      .returning('id')
      .execute();
    if (spent.length === 0) return;
    const ids = spent.map(({ id }) => id);
    await tx
      .deleteFrom('public_refs')
      .where('tenant_id', '=', tenantId)
      .where('kind', '=', 'pairing')
      .where('target_id', 'in', ids)
      .execute();
    await record(
      tx,
      scope,
      [],
      ids.map((id) => ({ kind: 'cabinets', id, method: 'PUT' })),
    );
  });
