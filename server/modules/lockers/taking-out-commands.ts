import type { Tx } from '../../db/database.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';

/** Whoever looks at the use reads whether it is being taken out. That is no change of the use itself: its version stays. */
export const tellTakeOut = async (tx: Tx, scope: Scope, occupationId: string): Promise<void> => {
  await updateRow(tx, 'occupations', scope.tenantId, occupationId).set({ updated_at: scope.now }).execute();
  await record(tx, scope, [], [{ kind: 'occupations', id: occupationId, method: 'PUT' }]);
};

/** Somebody or the sensor behind its closed door said what became of it, or nobody can any more: what was opened to take it out is not under way any more. */
export const overTakeOut = async (tx: Tx, scope: Scope, occupationId: string): Promise<void> => {
  await tx
    .updateTable('commands')
    .set({ take_out_over_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('occupation_id', '=', occupationId)
    .where('takes_out', '=', true)
    .where('take_out_over_at', 'is', null)
    .execute();
  await tellTakeOut(tx, scope, occupationId);
};
