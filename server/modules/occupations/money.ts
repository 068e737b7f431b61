import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import { movePayment, type PaymentMove } from '@hatchway/domain/payment.ts';
import { paymentEvent } from '@hatchway/domain/history.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/schema.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';

/**
 * Moves a payment as its occupation demands. One made by hand is moved here; of a provider's own only the wish is written down
 * (`details.wanted`): what comes of it is the provider's word, and no provider is called inside a transaction.
 */
export const moveMoney = async (tx: Tx, scope: Scope, o: Occupation, paymentId: string, move: PaymentMove): Promise<void> => {
  const row = await tx
    .selectFrom('payments')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', paymentId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const answer = movePayment({ state: row.state, amount: row.amount, captured: row.captured, refunded: row.refunded }, move);
  if (!answer.ok) return;
  const { state, captured, refunded } = answer.payment;
  const moved = row.provider === 'manual';
  await tx
    .updateTable('payments')
    .set((eb) => ({
      ...(moved ? { state, captured, refunded } : { details: jsonb({ ...row.details, wanted: move.kind }) }),
      held_until: null,
      updated_at: scope.now,
      version: eb('version', '+', 1),
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', paymentId)
    .execute();
  const told = { occupationId: o.id, occupationType: o.type, lockerId: o.lockerId || null, doorTag: o.doorTag };
  await record(tx, scope, moved ? [{ type: paymentEvent(state), paymentId, ...told, data: { amount: row.amount } }] : [], [
    { kind: 'payments', id: paymentId, method: 'PUT' },
  ]);
};

/** Every payment of the occupation that still waits for its end, but for the one named. */
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
export const handOverHold = (tx: Tx, scope: Scope, paymentId: string) =>
  tx.updateTable('payments').set({ held_until: null }).where('tenant_id', '=', scope.tenantId).where('id', '=', paymentId).execute();
