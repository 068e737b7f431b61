import type { DirectoryProblem } from '@hatchway/domain/directory.ts';
import type { Tx } from '../../db/database.ts';
import type { RowOf } from '../../db/schema.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record } from '../../events/record.ts';
import { giveRoles, handGiven, joinMember, memberOf, putOut } from '../companies/directory-commands.ts';
import { placeInGroups, placedByHand } from '../groups/directory-commands.ts';
import { accountFor, writeAccount } from './account-commands.ts';
import { givenTo } from './group-commands.ts';
import type { Run } from './run.ts';

type Person = RowOf<'directory_people'>;
type Settled = Partial<Pick<Person, 'account_id' | 'joined' | 'left_out'>> & {
  problem: DirectoryProblem | null;
  by_hand?: { roles: string[]; groups: string[] } | null;
  gone?: boolean;
};

/** So many in one transaction; nobody else changes members meanwhile. */
const BATCH = 50;

/** They are a member with what the directory's groups give, beside what people gave. */
const letIn = async (run: Run, person: Person): Promise<Settled> => {
  const found = person.account_id === null ? await accountFor(run, person) : { accountId: person.account_id };
  if ('problem' in found) return { problem: found.problem };
  const { accountId } = found;
  const left_out = await writeAccount(run, accountId, person);
  const before = await memberOf(run, accountId);
  const given = await givenTo(run, person.source, person.ref);
  const again = before ? null : person.by_hand;
  if (!before) await joinMember(run, accountId, again?.roles ?? []);
  const isLast = await giveRoles(run, accountId, given.roles);
  await placeInGroups(run, accountId, given.groups, again?.groups ?? []);
  return {
    account_id: accountId,
    joined: person.joined || !before,
    left_out,
    by_hand: before ? person.by_hand : null,
    problem: isLast ? 'last-admin' : null,
  };
};

/** What the directory gave goes, and what people gave stays. */
const letGo = async (run: Run, accountId: string): Promise<Settled> => {
  const isLast = await giveRoles(run, accountId, []);
  await placeInGroups(run, accountId, [], []);
  return isLast ? { problem: 'last-admin' } : { problem: null, gone: true };
};

/** All their access ends at once; what people had given them is remembered for when the directory lets them in again. */
const letOut = async (run: Run, person: Person): Promise<Settled> => {
  const gone = person.gone_at !== null;
  const problem = person.problem === 'removed-here' ? person.problem : null;
  const member = person.account_id === null ? undefined : await memberOf(run, person.account_id);
  if (person.account_id === null || !member) return { problem, gone };
  const by_hand = { roles: handGiven(member), groups: await placedByHand(run, person.account_id) };
  const isKept = !person.joined || by_hand.roles.length > 0 || by_hand.groups.length > 0;
  if (person.released && isKept) return letGo(run, person.account_id);
  if (!(await putOut(run, member.id))) return { problem: 'last-admin' };
  run.out.add(person.account_id);
  // Nobody runs the company again because a directory says so.
  return { problem, gone, by_hand: { ...by_hand, roles: by_hand.roles.filter((role) => role !== 'admin') } };
};

const settlePerson = async (run: Run, id: string): Promise<void> => {
  const { tx, scope } = run;
  const mine = { tenant_id: scope.tenantId, id };
  const person = await tx
    .selectFrom('directory_people')
    .selectAll()
    .where((eb) => eb.and(mine))
    .forUpdate()
    .executeTakeFirst();
  if (!person) return;
  const isWanted = person.active && person.gone_at === null && person.problem !== 'removed-here';
  const { gone = false, by_hand, ...settled } = isWanted ? await letIn(run, person) : await letOut(run, person);
  if (gone) {
    await tx
      .deleteFrom('directory_people')
      .where((eb) => eb.and(mine))
      .execute();
    await record(tx, scope, [], [{ kind: 'directory-people', id, method: 'DELETE' }]);
    return;
  }
  await tx
    .updateTable('directory_people')
    .set({ ...settled, ...(by_hand === undefined ? {} : { by_hand: by_hand === null ? null : jsonb(by_hand) }), due: false })
    .where((eb) => eb.and(mine))
    .execute();
  await record(tx, scope, [], [{ kind: 'directory-people', id, method: 'PUT' }]);
};

const due = (tx: Tx, tenantId: string) =>
  tx.selectFrom('directory_people').select('id').where('tenant_id', '=', tenantId).where('due', '=', true).orderBy('id');

export const isDue = async (tx: Tx, tenantId: string): Promise<boolean> =>
  (await due(tx, tenantId).limit(1).executeTakeFirst()) !== undefined;

export const settleSome = async (run: Run): Promise<void> => {
  for (const { id } of await due(run.tx, run.scope.tenantId).limit(BATCH).execute()) await settlePerson(run, id);
};
