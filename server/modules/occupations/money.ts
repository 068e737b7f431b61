import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import { fateWithoutGoods, type PaymentMove } from '@hatchway/domain/payment.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { endPaymentHold, lockPayment, paidFor, writeMove } from './payment-commands.ts';

/** Moves a payment as its occupation demands. What the payment's own rule refuses (captured by hand meanwhile, say) stays as it is. */
export const moveMoney = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, paymentId: string, move: PaymentMove): Promise<void> => {
  const row = await lockPayment(tx, scope.tenantId, paymentId);
  if (row) await writeMove(tx, deps, scope, row, move, paidFor(o));
};

/** The claim that stood on it came to nothing; the pieces were the claim's already. */
export const letMoneyGo = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, paymentId: string): Promise<void> => {
  const row = await lockPayment(tx, scope.tenantId, paymentId);
  if (!row) return;
  const fate = fateWithoutGoods({ provider: row.provider, state: row.state, claimed: false });
  if (fate === 'cancel') await writeMove(tx, deps, scope, row, { kind: 'cancel' }, paidFor(o));
  if (fate === 'let-go') await endPaymentHold(tx, scope, paymentId);
};

/**
 * Every open payment of the occupation but for the one named: its goods are gone. What was not paid is cancelled; of money in hand the
 * goods alone are let go. What they held, the occupation holds no more.
 */
export const cancelOpenMoney = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, except: string | null): Promise<void> => {
  const rows = await tx
    .selectFrom('payments')
    .select(['id', 'provider', 'state', 'held_until'])
    .where('tenant_id', '=', scope.tenantId)
    .where('occupation_id', '=', o.id)
    .where((eb) => eb.or([eb('state', 'in', ['initiated', 'reserved']), eb('held_until', 'is not', null)]))
    .orderBy('id')
    .execute();
  for (const { id, provider, state, held_until } of rows) {
    const fate = fateWithoutGoods({ provider, state, claimed: id === except });
    if (fate === 'cancel') await moveMoney(tx, deps, scope, o, id, { kind: 'cancel' });
    if (fate === 'let-go' && held_until !== null) await endPaymentHold(tx, scope, id);
  }
};
