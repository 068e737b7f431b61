import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { broke } from '../../db/errors.ts';
import type { RowOf } from '../../db/schema.ts';
import { newId } from '../../ids.ts';
import type { Run } from '../directory/commands.ts';
import { addMembers, dropGroup, removeMembers, setMembers, takeGroup } from '../directory/group-commands.ts';
import { invalid, noResource, ScimError } from './errors.ts';
import { fits } from './match.ts';
import type { Condition, Text } from './filter-sql.ts';
import { metaOf, mustMatch, type Seen } from './meta.ts';
import { listOf, whereOf, type Asked } from './paging.ts';
import { parted, patched, pathOf, type Operation, type Part } from './patch.ts';
import { isObject, project, readResource, wants, type Resource, type Wanted } from './resource.ts';
import { ATTRIBUTES, GROUP_SCHEMA, named } from './schemas.ts';
import { idOf } from './users.ts';

type Row = Pick<RowOf<'directory_groups'>, 'id' | 'external_id' | 'display_name' | 'version' | 'created_at' | 'updated_at'>;
const ATTRS = ATTRIBUTES.Group;
/** Members are rows of their own: a group of thousands is not read to add one. */
const WITHOUT_MEMBERS = ATTRS.filter(({ name }) => name !== 'members');
const COLUMNS = ['g.id', 'g.external_id', 'g.display_name', 'g.version', 'g.created_at', 'g.updated_at'] as const;

const rows = (tx: Tx, tenantId: string) =>
  tx.selectFrom('directory_groups as g').where('g.tenant_id', '=', tenantId).where('g.source', '=', 'scim');

const membersOf = async (tx: Tx, tenantId: string, base: string, ids: readonly string[]): Promise<Map<string, Resource[]>> => {
  const found = new Map<string, Resource[]>();
  if (ids.length === 0) return found;
  const { rows: members } = await sql<{ group_ref: string; person_ref: string; type: 'User' | 'Group' | null }>`
    select m.group_ref, m.person_ref, case when p.id is not null then 'User' when g.id is not null then 'Group' end as type
    from directory_members m
    left join directory_people p on p.tenant_id = m.tenant_id and p.source = m.source and p.ref = m.person_ref and p.gone_at is null
    left join directory_groups g on g.tenant_id = m.tenant_id and g.source = m.source and g.ref = m.person_ref
    where m.tenant_id = ${tenantId} and m.source = 'scim' and m.group_ref = any(${ids})
    order by m.person_ref`.execute(tx);
  for (const { group_ref, person_ref: value, type } of members) {
    const list = found.get(group_ref) ?? [];
    list.push(type === null ? { value } : { value, $ref: `${base}/${type}s/${value}`, type });
    found.set(group_ref, list);
  }
  return found;
};

const toGroups = async (tx: Tx, tenantId: string, base: string, found: readonly Row[], wanted: Wanted): Promise<Resource[]> => {
  const ids = found.map(({ id }) => id);
  const members = wants(wanted, 'members') ? await membersOf(tx, tenantId, base, ids) : new Map<string, Resource[]>();
  return found.map((row) => {
    const its = members.get(row.id) ?? [];
    const group = {
      schemas: [GROUP_SCHEMA],
      id: row.id,
      ...(row.external_id === null ? {} : { externalId: row.external_id }),
      displayName: row.display_name,
      ...(its.length > 0 ? { members: its } : {}),
      meta: metaOf('Group', base, row),
    };
    return project(ATTRS, group, wanted);
  });
};

/** As many as a directory is told of again with each one that it adds. */
const FEW = 1_000;
export const isLarge = async (tx: Tx, tenantId: string, id: string): Promise<boolean> => {
  const some = tx
    .selectFrom('directory_members')
    .select('person_ref')
    .where('tenant_id', '=', tenantId)
    .where('source', '=', 'scim')
    .where('group_ref', '=', id.toLowerCase())
    .limit(FEW + 1);
  return (await some.execute()).length > FEW;
};

/** Throws ScimError 404. */
export const oneGroup = async (tx: Tx, tenantId: string, base: string, id: string, wanted: Wanted) => {
  const row = await rows(tx, tenantId).select(COLUMNS).where('g.id', '=', idOf(id)).executeTakeFirst();
  if (!row) throw noResource(id);
  const [resource = {}] = await toGroups(tx, tenantId, base, [row], wanted);
  return { resource, version: row.version };
};

const at = (column: 'g.created_at' | 'g.updated_at') =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const PLACES = {
  attributes: ATTRS,
  resource: sql`g.resource`,
  columns: {
    id: sql<string | null>`g.id::text`,
    displayName: sql<string | null>`g.display_name`,
    externalId: sql<string | null>`g.external_id`,
    'meta.created': at('g.created_at'),
    'meta.lastModified': at('g.updated_at'),
    'meta.resourceType': sql<string | null>`'Group'`,
  },
};
const INDEXED = { displayname: (value: string) => sql<boolean>`lower(g.display_name) = lower(${value})` };

export const listGroups = async (tx: Tx, tenantId: string, base: string, asked: Asked) => {
  const places = {
    ...PLACES,
    rows: {
      members: (of: (value: Text) => Condition): Condition =>
        sql`exists (select from directory_members m
          where m.tenant_id = ${tenantId} and m.source = 'scim' and m.group_ref = g.ref and ${of(sql<string | null>`m.person_ref`)})`,
    },
  };
  const fitting = rows(tx, tenantId).where(whereOf(asked, places, INDEXED));
  const { total } = await fitting.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const found =
    asked.count === 0
      ? []
      : await fitting
          .select(COLUMNS)
          .orderBy('g.created_at')
          .orderBy('g.id')
          .offset(asked.startIndex - 1)
          .limit(asked.count)
          .execute();
  return listOf(asked, total, await toGroups(tx, tenantId, base, found, asked.wanted));
};

const MOST_MEMBERS = 10_000;
const given = (value: unknown): string[] => {
  if (value === undefined || value === null) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MOST_MEMBERS) throw invalid('tooMany', `More than ${MOST_MEMBERS} members at once`);
  return list.map((one) => {
    const id = isObject(one) ? (Object.entries(one).find(([name]) => name.toLowerCase() === 'value')?.[1] ?? null) : one;
    if (typeof id !== 'string' || id === '' || id.length > 200) throw invalid('invalidValue', 'A member has a value, its id');
    return id.toLowerCase();
  });
};

/** A member may be told of that is not here, or not any more: it gives nobody anything, and is kept as it was said. */
const membersOnce = (ids: readonly string[], groupId: string): string[] => {
  if (ids.includes(groupId)) throw invalid('invalidValue', 'A group is no member of itself');
  return [...new Set(ids)];
};

const write = async (run: Run, id: string, { externalId, displayName }: Resource): Promise<void> => {
  const told = { ref: id, displayName: String(displayName), externalId: typeof externalId === 'string' ? externalId : null };
  await takeGroup(run, 'scim', told, id).catch((error: unknown) => {
    if (broke(error, 'directory_groups_scim_name')) throw new ScimError(409, 'There is a group of that displayName', 'uniqueness');
    throw error;
  });
};
const membersIn = (body: unknown): string[] =>
  given(isObject(body) ? Object.entries(body).find(([name]) => name.toLowerCase() === 'members')?.[1] : undefined);

export const createGroup = async (run: Run, body: unknown): Promise<string> => {
  const id = newId();
  await write(run, id, readResource('Group', WITHOUT_MEMBERS, body));
  await addMembers(run, 'scim', id, membersOnce(membersIn(body), id));
  return id;
};

const lock = async ({ tx, scope }: Run, id: string, condition: Seen): Promise<Row> => {
  const row = await rows(tx, scope.tenantId).select(COLUMNS).where('g.id', '=', idOf(id)).forUpdate().executeTakeFirst();
  if (!row) throw noResource(id);
  mustMatch(row, condition);
  return row;
};

export const replaceGroup = async (run: Run, id: string, body: unknown, condition: Seen): Promise<void> => {
  const row = await lock(run, id, condition);
  await write(run, row.id, readResource('Group', WITHOUT_MEMBERS, body));
  await setMembers(run, 'scim', row.id, membersOnce(membersIn(body), row.id));
};

const isOfMembers = ({ path }: Part): boolean => named(ATTRS, pathOf(path).attr)?.name === 'members';

const patchMembers = async (run: Run, id: string, { verb, path: text, value }: Part): Promise<void> => {
  const { of, sub } = pathOf(text);
  if (sub !== null && sub.toLowerCase() !== 'value') throw invalid('mutability', 'Of a member nothing is changed but whether it is one');
  const parts = named(ATTRS, 'members')?.subAttributes;
  const hits =
    of === null
      ? null
      : ((await membersOf(run.tx, run.scope.tenantId, '', [id])).get(id) ?? [])
          .filter((one) => fits(of, one, parts))
          .map((one) => String(one['value']));
  if (verb === 'remove') {
    if (hits !== null) return removeMembers(run, 'scim', id, hits);
    if (value === undefined || value === null) return setMembers(run, 'scim', id, []);
    return removeMembers(run, 'scim', id, given(value));
  }
  const wanted = membersOnce(given(value), id);
  if (verb === 'add') return addMembers(run, 'scim', id, wanted);
  if (hits === null) return setMembers(run, 'scim', id, wanted);
  if (hits.length === 0) throw invalid('noTarget', 'No member fits');
  await removeMembers(run, 'scim', id, hits);
  return addMembers(run, 'scim', id, wanted);
};

export const patchGroup = async (run: Run, id: string, operations: readonly Operation[], condition: Seen): Promise<void> => {
  const row = await lock(run, id, condition);
  const before: Resource = { displayName: row.display_name, ...(row.external_id === null ? {} : { externalId: row.external_id }) };
  const all = operations.flatMap(parted);
  const after = patched(
    WITHOUT_MEMBERS,
    before,
    all.filter((one) => !isOfMembers(one)),
  );
  if (all.some((one) => !isOfMembers(one))) await write(run, row.id, after);
  for (const one of all.filter(isOfMembers)) await patchMembers(run, row.id, one);
};

export const deleteGroup = async (run: Run, id: string, condition: Seen): Promise<void> => {
  const row = await lock(run, id, condition);
  await dropGroup(run, 'scim', row.id);
};
