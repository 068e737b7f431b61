import { sql } from 'kysely';
import type { DirectorySource } from '@hatchway/domain/directory.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record } from '../../events/record.ts';
import { newId } from '../../ids.ts';
import type { Run } from './run.ts';

export type ToldGroup = { ref: string; displayName: string; externalId?: string | null; resource?: Record<string, unknown> };

/** More than this in one statement is parted. */
const AT_ONCE = 1_000;
const parts = (refs: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(refs.length / AT_ONCE) }, (_, at) => refs.slice(at * AT_ONCE, (at + 1) * AT_ONCE));

const tell = ({ tx, scope }: Run, id: string, method: 'PUT' | 'DELETE'): Promise<void> =>
  record(tx, scope, [], [{ kind: 'directory-groups', id, method }]);

/** Writes down what the directory says of a group, new or known. Answers its row's id. Throws `name-taken` for a name that SCIM has told of already. */
export const takeGroup = async (run: Run, source: DirectorySource, told: ToldGroup, id: string = newId()): Promise<string> => {
  const { tx, scope } = run;
  const columns = {
    display_name: told.displayName,
    external_id: told.externalId ?? null,
    resource: jsonb(told.resource ?? {}),
    updated_at: scope.now,
  };
  const row = await tx
    .insertInto('directory_groups')
    .values({ tenant_id: scope.tenantId, id, source, ref: told.ref, ...columns, created_at: scope.now })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'source', 'ref'])
        .doUpdateSet((eb) => ({ ...columns, version: eb('directory_groups.version', '+', 1) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await tell(run, row.id, 'PUT');
  return row.id;
};

/** What these people hold here is looked at again. */
const markDue = async ({ tx, scope }: Run, source: DirectorySource, refs: readonly string[]): Promise<void> => {
  for (const some of parts(refs))
    await tx
      .updateTable('directory_people')
      .set({ due: true })
      .where('tenant_id', '=', scope.tenantId)
      .where('source', '=', source)
      .where('ref', 'in', some)
      .execute();
};

const membersOf = ({ tx, scope }: Run, source: DirectorySource, groupRef: string) =>
  tx.selectFrom('directory_members').where('tenant_id', '=', scope.tenantId).where('source', '=', source).where('group_ref', '=', groupRef);

/** Of a group that was not told of yet nothing is to be said. */
const touch = async (run: Run, source: DirectorySource, groupRef: string): Promise<void> => {
  const { tx, scope } = run;
  const row = await tx
    .updateTable('directory_groups')
    .set((eb) => ({ updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('source', '=', source)
    .where('ref', '=', groupRef)
    .returning('id')
    .executeTakeFirst();
  if (row) await tell(run, row.id, 'PUT');
};

/** Everybody in a group of the directory is looked at again: what it gives is another. */
export const markGroupDue = async (run: Run, source: DirectorySource, groupRef: string): Promise<void> => {
  const { tx, scope } = run;
  await tx
    .updateTable('directory_people')
    .set({ due: true })
    .where('tenant_id', '=', scope.tenantId)
    .where('source', '=', source)
    .where('ref', 'in', membersOf(run, source, groupRef).select('person_ref'))
    .execute();
};

/** The directory knows it no more: its people lose what it gave. False where it was not known. */
export const dropGroup = async (run: Run, source: DirectorySource, ref: string): Promise<boolean> => {
  const { tx, scope } = run;
  await markGroupDue(run, source, ref);
  await tx
    .deleteFrom('directory_members')
    .where('tenant_id', '=', scope.tenantId)
    .where('source', '=', source)
    .where((eb) => eb.or([eb('group_ref', '=', ref), eb('person_ref', '=', ref)]))
    .execute();
  const gone = await tx
    .deleteFrom('directory_groups')
    .where('tenant_id', '=', scope.tenantId)
    .where('source', '=', source)
    .where('ref', '=', ref)
    .returning('id')
    .executeTakeFirst();
  if (gone) await tell(run, gone.id, 'DELETE');
  return gone !== undefined;
};

/** Members may be told of before their group, and before they are told of themselves. Repeating it changes nothing. */
export const addMembers = async (run: Run, source: DirectorySource, groupRef: string, refs: readonly string[]): Promise<void> => {
  const { tx, scope } = run;
  const added: string[] = [];
  for (const some of parts([...new Set(refs)])) {
    const rows = await tx
      .insertInto('directory_members')
      .values(some.map((ref) => ({ tenant_id: scope.tenantId, source, group_ref: groupRef, person_ref: ref })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('person_ref')
      .execute();
    added.push(...rows.map(({ person_ref }) => person_ref));
  }
  if (added.length === 0) return;
  await markDue(run, source, added);
  await touch(run, source, groupRef);
};

export const removeMembers = async (run: Run, source: DirectorySource, groupRef: string, refs: readonly string[]): Promise<void> => {
  const { tx, scope } = run;
  const removed: string[] = [];
  for (const some of parts([...new Set(refs)])) {
    const rows = await tx
      .deleteFrom('directory_members')
      .where('tenant_id', '=', scope.tenantId)
      .where('source', '=', source)
      .where('group_ref', '=', groupRef)
      .where('person_ref', 'in', some)
      .returning('person_ref')
      .execute();
    removed.push(...rows.map(({ person_ref }) => person_ref));
  }
  if (removed.length === 0) return;
  await markDue(run, source, removed);
  await touch(run, source, groupRef);
};

/** These and nobody else. */
export const setMembers = async (run: Run, source: DirectorySource, groupRef: string, refs: readonly string[]): Promise<void> => {
  const wanted = new Set(refs);
  const before = (await membersOf(run, source, groupRef).select('person_ref').execute()).map(({ person_ref }) => person_ref);
  await removeMembers(
    run,
    source,
    groupRef,
    before.filter((ref) => !wanted.has(ref)),
  );
  await addMembers(run, source, groupRef, refs);
};

/** What the directory's groups give a person here: roles, and groups of ours. */
export const givenTo = async (
  { tx, scope }: Run,
  source: DirectorySource,
  personRef: string,
): Promise<{ roles: string[]; groups: string[] }> => {
  const rows = await tx
    .selectFrom('directory_members as m')
    .innerJoin('directory_groups as g', (join) =>
      join.onRef('g.tenant_id', '=', 'm.tenant_id').onRef('g.source', '=', 'm.source').onRef('g.ref', '=', 'm.group_ref'),
    )
    .select(['g.roles', sql<string[]>`g.group_ids || array_remove(array[g.own_group_id], null)`.as('groups')])
    .where('m.tenant_id', '=', scope.tenantId)
    .where('m.source', '=', source)
    .where('m.person_ref', '=', personRef)
    .execute();
  return {
    roles: [...new Set(rows.flatMap(({ roles }) => roles))],
    groups: [...new Set(rows.flatMap(({ groups }) => groups))],
  };
};
