import type { Effect, Occupation } from '@hatchway/domain/occupation-types.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record } from '../../events/record.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';

type EffectOf<K extends Effect['kind']> = Extract<Effect, { kind: K }>;
const UUID = /^[0-9a-f-]{36}$/i;

/** Lent by staff to a named receiver the loan is the receiver's, else that of the person who took it. Throws through `loans_asset_out_once`. */
export const openLoan = async (
  tx: Tx,
  scope: Scope,
  o: Occupation,
  { dueAt, borrower, receiver }: EffectOf<'open-loan'>,
): Promise<void> => {
  const account = receiver === null && borrower.kind === 'person' && borrower.id !== null && UUID.test(borrower.id) ? borrower.id : null;
  await tx
    .insertInto('loans')
    .values({
      tenant_id: scope.tenantId,
      id: newId(),
      asset_id: o.assetId,
      occupation_id: o.id,
      borrower_account_id: account,
      borrower_name: receiver?.name ?? borrower.name,
      borrower_tlf: receiver?.tlf ?? null,
      borrower_email: receiver?.email ?? null,
      out_at: scope.now,
      due_at: dueAt,
      created_at: scope.now,
      updated_at: scope.now,
    })
    .execute();
  await noteDue(tx, o, dueAt);
  await touchAsset(tx, scope, o);
};

/** On the use itself too: lists are sorted by it. */
const noteDue = (tx: Tx, o: Occupation, dueAt: string | null) =>
  tx.updateTable('occupations').set({ loan_due_at: dueAt }).where('tenant_id', '=', o.tenantId).where('id', '=', o.id).execute();

/** Holder and due date stand on the asset: whoever looks at it hears of a loan. Its version stays, so nobody's open form is outdated by it. */
const touchAsset = async (tx: Tx, scope: Scope, o: Occupation): Promise<void> => {
  if (o.assetId === null) return;
  await tx
    .updateTable('assets')
    .set({ updated_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', o.assetId)
    .execute();
  await record(tx, scope, [], [{ kind: 'assets', id: o.assetId, method: 'PUT' }]);
};

const open = (tx: Tx, scope: Scope, o: Occupation) =>
  tx
    .updateTable('loans')
    .set((eb) => ({ updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('occupation_id', '=', o.id)
    .where('returned_at', 'is', null);

export const closeLoan = async (tx: Tx, scope: Scope, o: Occupation, { endedBy, condition }: EffectOf<'close-loan'>): Promise<void> => {
  await open(tx, scope, o)
    .set({ returned_at: scope.now, condition_in: condition, ended_by: jsonb(scope.actor), end_reason: endedBy })
    .execute();
  await noteDue(tx, o, null);
  await touchAsset(tx, scope, o);
};

/** Reminders begin anew with the new date. */
export const amendLoan = async (tx: Tx, scope: Scope, o: Occupation, { dueAt }: EffectOf<'amend-loan'>): Promise<void> => {
  await open(tx, scope, o).set({ due_at: dueAt, due_from: scope.now, reminded_hours: null }).execute();
  await noteDue(tx, o, dueAt);
  await touchAsset(tx, scope, o);
};

/** A signed-in borrower stays who they are; what is corrected is how they are called and reached. */
export const amendBorrower = (tx: Tx, scope: Scope, o: Occupation, { receiver }: EffectOf<'amend-borrower'>) =>
  open(tx, scope, o).set({ borrower_name: receiver.name, borrower_tlf: receiver.tlf, borrower_email: receiver.email }).execute();
