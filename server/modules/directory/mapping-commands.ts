import { sql } from 'kysely';
import type { DirectoryGroup } from '@hatchway/contract/directory.ts';
import type { Facts } from '@hatchway/domain/access.ts';
import type { RowOf } from '../../db/schema.ts';
import { record } from '../../events/record.ts';
import { throwUnlessRaises } from '../../http/access.ts';
import { mustBeSeen, unknownReference } from '../../http/problem.ts';
import { changeRow, lockRow } from '../../rows.ts';
import { createGroup, deleteGroup } from '../groups/commands.ts';
import { grantThrough, permissionsOf, takeGroupTurn } from '../permissions/commands.ts';
import { known } from '../references.ts';
import { markGroupDue } from './group-commands.ts';
import { oneGroup } from './queries.ts';
import type { Run } from './run.ts';

type Input = { roles: string[]; groups: string[]; permissions: string[]; version?: number | undefined };

const scopesOf = async ({ tx, scope }: Run, { groups, permissions }: Input): Promise<string[]> => {
  const byGroups = await Promise.all(groups.map((id) => permissionsOf(tx, scope.tenantId, id)));
  if (permissions.length === 0) return byGroups.flat().flatMap(({ scopes }) => scopes);
  const rows = await tx
    .selectFrom('permissions')
    .select(['id', 'scopes'])
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', permissions)
    .execute();
  const lost = permissions.findIndex((id) => !rows.some((row) => row.id === id));
  if (lost >= 0) throw unknownReference(`/permissions/${lost}`);
  return [...byGroups.flat(), ...rows].flatMap(({ scopes }) => scopes);
};

/** A name that no group of ours has: the directory's own, and what tells it apart. */
const freeName = async ({ tx, scope }: Run, name: string): Promise<string> => {
  const base = Array.from(name).slice(0, 80).join('');
  const rows = await tx
    .selectFrom('groups')
    .select(sql<string>`lower(name)`.as('name'))
    .where('tenant_id', '=', scope.tenantId)
    .execute();
  const used = new Set(rows.map((row) => row.name));
  for (let at = 1; ; at++) {
    const candidate = at === 1 ? base : `${base} (${at})`;
    if (!used.has(candidate.toLowerCase())) return candidate;
  }
};

/** Permissions name groups of ours: one with the same people stands between, for as long as a permission names it. */
const grant = async (
  run: Run,
  row: Pick<RowOf<'directory_groups'>, 'own_group_id' | 'display_name'>,
  ids: string[],
): Promise<string | null> => {
  const { tx, scope } = run;
  if (ids.length === 0 && row.own_group_id === null) return null;
  const own = row.own_group_id ?? (await createGroup(tx, scope, { name: await freeName(run, row.display_name), description: '' })).id;
  await takeGroupTurn(tx, scope.tenantId, own);
  await grantThrough(tx, scope, own, ids);
  if (ids.length > 0) return own;
  await deleteGroup(tx, scope, own);
  return null;
};

/**
 * What the people of a group of the directory get here. Nobody gives more than they hold (docs/decisions/0012): what it gave before counts
 * as given anew, since it is said once more. Throws `not-found`, `stale`, `unknown-reference`, `forbidden`, and `in-use-elsewhere` where a
 * policy names the group that stood between.
 */
export const mapGroup = async (run: Run, facts: Facts, id: string, input: Input): Promise<DirectoryGroup> => {
  const { tx, scope } = run;
  const columns = ['source', 'ref', 'display_name', 'own_group_id', 'version'] as const;
  const row = await lockRow(tx, 'directory_groups', scope.tenantId, id, columns);
  mustBeSeen(row, input.version);
  const groups = await known(tx, scope.tenantId, 'groups', input.groups, '/groups');
  throwUnlessRaises({ roles: input.roles }, facts, '/roles');
  throwUnlessRaises({ scopes: await scopesOf(run, input) }, facts, '/permissions');
  const own_group_id = await grant(run, row, [...new Set(input.permissions)]);
  await changeRow(tx, 'directory_groups', scope, id, {
    roles: [...new Set(input.roles)],
    group_ids: groups,
    own_group_id,
  }).execute();
  await record(tx, scope, [], [{ kind: 'directory-groups', id, method: 'PUT' }]);
  await markGroupDue(run, row.source, row.ref);
  return oneGroup(tx, scope.tenantId, id);
};
