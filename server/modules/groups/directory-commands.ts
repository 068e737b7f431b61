import type { Tx } from '../../db/database.ts';
import { takeTurn } from '../../held.ts';
import type { Scope } from '../../scope.ts';
import { membersChanged } from './commands.ts';

type With = { tx: Tx; scope: Scope };

const placesOf = ({ tx, scope }: With, accountId: string) =>
  tx
    .selectFrom('group_members')
    .select(['group_id', 'by_hand', 'by_directory'])
    .where('tenant_id', '=', scope.tenantId)
    .where('account_id', '=', accountId);

export const placedByHand = async (run: With, accountId: string): Promise<string[]> =>
  (await placesOf(run, accountId).where('by_hand', '=', true).execute()).map(({ group_id }) => group_id);

/** Of these, the groups that are there, and stay so until the commit. */
const standing = async ({ tx, scope }: With, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectFrom('groups')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return rows.map(({ id }) => id);
};

/** In the groups that the directory gives and in no other by its word; `again` are those that people had put them into. */
export const placeInGroups = async (run: With, accountId: string, given: readonly string[], again: readonly string[]): Promise<void> => {
  const { tx, scope } = run;
  await takeTurn(tx, scope.tenantId, accountId);
  const held = await placesOf(run, accountId).forUpdate().execute();
  const byDirectory = held.filter(({ by_directory }) => by_directory).map(({ group_id }) => group_id);
  const added = await standing(
    run,
    given.filter((id) => !byDirectory.includes(id)),
  );
  const back = await standing(run, again);
  const put = (group_id: string, by: { by_hand: boolean; by_directory: boolean }, change: { by_hand: true } | { by_directory: true }) =>
    tx
      .insertInto('group_members')
      .values({ tenant_id: scope.tenantId, group_id, account_id: accountId, ...by, created_at: scope.now })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'group_id', 'account_id']).doUpdateSet(change))
      .execute();
  for (const id of added) await put(id, { by_hand: false, by_directory: true }, { by_directory: true });
  for (const id of back) await put(id, { by_hand: true, by_directory: false }, { by_hand: true });
  const removed = held.filter(({ group_id, by_directory }) => by_directory && !given.includes(group_id));
  for (const { group_id, by_hand } of removed) {
    const one = { tenant_id: scope.tenantId, group_id, account_id: accountId };
    if (by_hand)
      await tx
        .updateTable('group_members')
        .set({ by_directory: false })
        .where((eb) => eb.and(one))
        .execute();
    else
      await tx
        .deleteFrom('group_members')
        .where((eb) => eb.and(one))
        .execute();
  }
  for (const id of new Set([...added, ...back, ...removed.map(({ group_id }) => group_id)])) await membersChanged(tx, scope, id);
};
