import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import type { PaymentMove } from '@hatchway/domain/payment.ts';
import type { Tx } from '../../db/database.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { lockPayment, writeMove } from '../payments/move-commands.ts';

/** Moves a payment as its occupation demands. What the payment's own rule refuses (captured by hand meanwhile, say) stays as it is. */
export const moveMoney = async (tx: Tx, scope: Scope, o: Occupation, paymentId: string, move: PaymentMove): Promise<void> => {
  const row = await lockPayment(tx, scope.tenantId, paymentId);
  if (row) await writeMove(tx, scope, row, move, { id: o.id, type: o.type, lockerId: o.lockerId || null, doorTag: o.doorTag });
};

/** Every payment of the occupation that still waits for its end, but for the one named. What they held, the occupation holds no more. */
export const cancelOpenMoney = async (tx: Tx, scope: Scope, o: Occupation, except: string | null): Promise<void> => {
  const rows = await tx
    .selectFrom('payments')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('occupation_id', '=', o.id)
    .where('state', 'in', ['initiated', 'reserved'])
    .orderBy('id')
    .execute();
  for (const row of rows) if (row.id !== except) await moveMoney(tx, scope, o, row.id, { kind: 'cancel' });
};

/** A claim stands on it now: the pieces that it held are the claim's, and the clock takes them back no more. */
export const handOverHold = async (tx: Tx, scope: Scope, paymentId: string): Promise<void> => {
  await tx
    .updateTable('payments')
    .set((eb) => ({ held_until: null, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', paymentId)
    .execute();
  await record(tx, scope, [], [{ kind: 'payments', id: paymentId, method: 'PUT' }]);
};
