import { HOLD_FOR, later } from '@hatchway/domain/deadlines.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import { fateWithoutGoods, type PaymentMove } from '@hatchway/domain/payment.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { lastOpening } from '../lockers/door-commands.ts';
import { endPaymentHold, factsOf, lockPayment, noteRefused, paidFor, writeMove, type PaymentLocked } from './payment-commands.ts';

/** Moves a payment as its occupation demands. What the payment's own rule refuses (captured by hand meanwhile, say) stays as it is. */
export const moveMoney = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, paymentId: string, move: PaymentMove): Promise<void> => {
  const row = await lockPayment(tx, scope.tenantId, paymentId);
  if (!row) return;
  const answer = await writeMove(tx, deps, scope, row, move, paidFor(o));
  // Its goods went out: that nothing can be captured for them is not passed over in silence.
  if (!answer.ok && move.kind === 'capture' && row.provider !== 'manual' && factsOf(row).captured === 0)
    await noteRefused(tx, scope, paymentId, 'not-captured');
};

/** Its goods went out on it. */
export const captureTaken = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, paymentId: string): Promise<void> => {
  await tx
    .updateTable('payments')
    .set({ taken_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', paymentId)
    .execute();
  await moveMoney(tx, deps, scope, o, paymentId, { kind: 'capture' });
};

/**
 * The claim ended without a word of its cabinet, whose door may have opened: a provider's reservation stands for its ten minutes more, with
 * its pieces, so that its customer may try again.
 */
const holdOn = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, row: PaymentLocked): Promise<boolean> => {
  if (row.provider === 'manual' || factsOf(row).state !== 'reserved') return false;
  const last = await lastOpening(tx, scope.tenantId, o.lockerId, o.id);
  if (last?.outcome !== 'no-answer') return false;
  const until = later(scope.now, HOLD_FOR);
  await tx
    .updateTable('payments')
    .set((eb) => ({ held_until: until, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', row.id)
    .execute();
  if (isStock(o.type))
    await tx
      .updateTable('occupations')
      .set((eb) => ({ held: eb.fn<number>('least', [eb('held', '+', row.quantity), eb.ref('quantity')]) }))
      .where('tenant_id', '=', scope.tenantId)
      .where('id', '=', o.id)
      .execute();
  await deps.jobs.enqueue(tx, { name: 'payment-over', tenantId: scope.tenantId, paymentId: row.id }, { at: until, key: `${row.id}:on` });
  await record(tx, scope, [], [{ kind: 'payments', id: row.id, method: 'PUT' }]);
  return true;
};

/** The claim that stood on it came to nothing; the pieces were the claim's already. */
export const letMoneyGo = async (tx: Tx, deps: Deps, scope: Scope, o: Occupation, paymentId: string): Promise<void> => {
  const row = await lockPayment(tx, scope.tenantId, paymentId);
  if (!row || (await holdOn(tx, deps, scope, o, row))) return;
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
