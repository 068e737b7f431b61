import { paymentEvent } from '@hatchway/domain/history.ts';
import {
  keepsHold,
  movePayment,
  type PaymentTrouble,
  type PaymentAnswer,
  type PaymentFacts,
  type PaymentMove,
} from '@hatchway/domain/payment.ts';
import { expectedOf, type Operation } from '@hatchway/domain/provider.ts';
import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import type { OccupationType } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { PaymentStep } from '../../db/tables/occupations.ts';
import type { RowOf } from '../../db/schema.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record, type Change } from '../../events/record.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { sql, type SqlBool } from 'kysely';

export type PaymentLocked = Omit<RowOf<'payments'>, 'words' | 'stayed_shut' | 'too_late'> & { open: Operation[] };
/** Of an operation `q`: asked for, and not yet part of what was heard of the payment. Until then it counts as it will be. */
export const isOpenOperation = sql<SqlBool>`(q.state in ('wanted', 'sent', 'unknown') or (q.state = 'done' and not q.heard))`;
/** What its provider was asked for and has yet to answer, in the order in which it was asked. */
const openOperations = sql<Operation[]>`coalesce((select json_agg(json_build_object('kind', q.kind, 'amount', q.amount) order by q.id)
  from payment_operations q where q.tenant_id = payments.tenant_id and q.payment_id = payments.id and ${isOpenOperation}), '[]')`.as(
  'open',
);
/** Where its events belong: the occupation that it pays for. */
type PaidFor = { id: string; type: OccupationType; lockerId: string | null; doorTag: string };
export const paidFor = (o: Occupation): PaidFor => ({ id: o.id, type: o.type, lockerId: o.lockerId || null, doorTag: o.doorTag });

/** Held until the transaction ends. Whoever also changes its occupation has locked that one before. */
export const lockPayment = (tx: Tx, tenantId: string, id: string): Promise<PaymentLocked | undefined> =>
  tx
    .selectFrom('payments')
    .select([
      'tenant_id', 'id', 'occupation_id', 'provider', 'reference', 'amount', 'captured', 'refunded', 'currency', 'state', 'quantity',
      'sole', 'held_until', 'payer', 'approve_url', 'details', 'events', 'last_error', 'look_at', 'heard_at', 'taken_at', 'refused', 'nears_end', 'pushed', 'key_hash',
      'key_sealed', 'find_hash', 'version', 'created_at', 'updated_at',
    ])
    .select(openOperations)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst(); // prettier-ignore

/** As its provider last told it, or staff noted it. */
export const heardFacts = ({ state, amount, captured, refunded }: PaymentLocked): PaymentFacts => ({ state, amount, captured, refunded });
/** As it will be once all that was asked of its provider is done: nothing is asked for twice. */
export const factsOf = (row: PaymentLocked): PaymentFacts => expectedOf(heardFacts(row), row.open);

/** Who is known by a link alone has no name in it: the history tells theirs, for as long as the company keeps it. */
const nameOf = ({ actor }: Scope): string => (actor.kind === 'person' && actor.id === null ? '' : actor.name);
export const step = (scope: Scope, state: PaymentStep['state'], amount: number): PaymentStep => ({
  at: scope.now,
  state,
  amount,
  by: nameOf(scope),
});

/** How much went over with the move: what was captured, what went back, else the whole. */
const movedAmount = (before: PaymentFacts, after: PaymentFacts): number =>
  after.refunded > before.refunded ? after.refunded - before.refunded : after.state === 'captured' ? after.captured : after.amount;

/** Writes down what its provider is to do. It is sent once this transaction has committed, as often as it takes, and under one key. */
export const askProvider = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  { id: paymentId }: Pick<PaymentLocked, 'id'>,
  { kind, amount, unlessReserved = false }: Operation & { unlessReserved?: boolean },
): Promise<void> => {
  const { tenantId, now, actor } = scope;
  const id = newId();
  await tx
    .insertInto('payment_operations')
    .values({
      tenant_id: tenantId,
      id,
      payment_id: paymentId,
      kind,
      amount,
      unless_reserved: unlessReserved,
      asked_by: actor.kind === 'system' ? null : nameOf(scope),
      created_at: now,
      updated_at: now,
    })
    .execute();
  await tx.updateTable('payments').set({ look_at: now }).where('tenant_id', '=', tenantId).where('id', '=', paymentId).execute();
  await settleSoon(tx, deps, tenantId, paymentId);
};

/** Its provider is asked once this transaction has committed. */
export const settleSoon = (tx: Tx, deps: Deps, tenantId: string, paymentId: string): Promise<void> =>
  deps.jobs.enqueue(tx, { name: 'payment-provider', tenantId, paymentId }, { key: paymentId });

/**
 * Moves a payment whose row is locked, and writes its history. One made by hand is moved here, by the word of whoever says so; of a
 * provider's own only the wish is written down: what comes of it is the provider's word, and no provider is called inside a
 * transaction. What the rule refuses changes nothing. Its hold ends with it, save when it is reserved: the caller gives the pieces back.
 */
export const writeMove = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  row: PaymentLocked,
  move: PaymentMove,
  paidFor: PaidFor | null,
  more: { reason?: string; changes?: Change[]; unlessReserved?: boolean } = {},
): Promise<PaymentAnswer> => {
  const before = factsOf(row);
  const answer = movePayment(before, move);
  if (!answer.ok) return answer;
  const { state, captured, refunded } = answer.payment;
  const amount = movedAmount(before, answer.payment);
  const byHand = row.provider === 'manual';
  if (!byHand && move.kind !== 'reserve')
    await askProvider(tx, deps, scope, row, { kind: move.kind, amount, unlessReserved: more.unlessReserved ?? false });
  await tx
    .updateTable('payments')
    .set((eb) => ({
      ...(byHand ? { state, captured, refunded, events: jsonb<PaymentStep[]>([...row.events, step(scope, state, amount)]) } : {}),
      ...(keepsHold(move) ? {} : { held_until: null }),
      updated_at: scope.now,
      version: eb('version', '+', 1),
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', row.id)
    .execute();
  await record(tx, scope, byHand ? [eventOf(row, state, amount, paidFor, more.reason)] : [], [
    { kind: 'payments', id: row.id, method: 'PUT' },
    ...(more.changes ?? []),
  ]);
  return answer;
};

/**
 * Nothing is set aside for it any more; its money stays as it is. Either a claim stands on it now, whose the pieces are, or they are on
 * sale again: the caller sees to the pieces.
 */
export const endPaymentHold = async (tx: Tx, scope: Scope, paymentId: string, changes: Change[] = []): Promise<void> => {
  await tx
    .updateTable('payments')
    .set((eb) => ({ held_until: null, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', paymentId)
    .execute();
  await record(tx, scope, [], [{ kind: 'payments', id: paymentId, method: 'PUT' }, ...changes]);
};

export const eventOf = (
  row: Pick<PaymentLocked, 'id' | 'currency'>,
  state: PaymentStep['state'],
  amount: number,
  paidFor: PaidFor | null,
  reason?: string,
) => ({
  type: paymentEvent(state),
  paymentId: row.id,
  occupationId: paidFor?.id ?? null,
  occupationType: paidFor?.type ?? null,
  lockerId: paidFor?.lockerId ?? null,
  doorTag: paidFor?.doorTag ?? null,
  data: { amount, currency: row.currency, ...(reason === undefined ? {} : { reason }) },
});

/** The door that it pays for was asked to open for its customer, and stayed shut: the payer reads it where their money is let go. */
export const noteStayedShut = (tx: Tx, tenantId: string, paymentId: string) =>
  tx.updateTable('payments').set({ stayed_shut: true }).where('tenant_id', '=', tenantId).where('id', '=', paymentId).execute();

/** Its provider's payment needs a person: what was to become of it is not possible, or not known. */
export const noteRefused = async (tx: Tx, scope: Scope, paymentId: string, why: PaymentTrouble): Promise<void> => {
  await tx
    .updateTable('payments')
    .set((eb) => ({ refused: true, last_error: why, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', paymentId)
    .execute();
  await record(tx, scope, [], [{ kind: 'payments', id: paymentId, method: 'PUT' }]);
};
