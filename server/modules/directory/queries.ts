import { sql } from 'kysely';
import type { DirectoryCounts, DirectoryGroup, DirectoryPerson } from '@hatchway/contract/directory.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Tx } from '../../db/database.ts';
import { page, wordsIn } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';

/** They are a member, by this very row. */
const taken = sql<boolean>`(p.account_id is not null and exists (
  select from memberships m where m.tenant_id = p.tenant_id and m.account_id = p.account_id))`;

const people = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('directory_people as p')
    .select([
      'p.id',
      'p.source',
      'p.display_name',
      'p.user_name',
      'p.email',
      'p.tlf',
      'p.active',
      taken.as('taken'),
      'p.account_id',
      'p.problem',
      'p.left_out',
      'p.created_at',
      'p.updated_at',
    ])
    .where('p.tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('p.gone_at', 'is', null), eb('p.problem', 'is not', null)]));
type PersonRow = Awaited<ReturnType<ReturnType<typeof people>['executeTakeFirstOrThrow']>>;

const toPerson = (row: PersonRow): DirectoryPerson => ({
  id: row.id,
  source: row.source,
  name: row.display_name,
  userName: row.user_name,
  email: row.email,
  tlf: row.tlf,
  active: row.active,
  taken: row.taken,
  accountId: row.account_id,
  problem: row.problem,
  leftOut: row.left_out,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const listPeople = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(
    tx,
    people(tx, tenantId),
    {
      fields: {
        id: sql.ref('p.id'),
        source: sql.ref('p.source'),
        active: sql.ref('p.active'),
        taken,
        problem: sql.ref('p.problem'),
      },
      sorts: {
        createdAt: { column: sql.ref('p.created_at'), type: 'timestamptz' },
        name: { column: sql`lower(p.display_name)`, type: 'text' },
      },
      id: sql.ref('p.id'),
      text: wordsIn(tenantId, sql`p.display_name || ' ' || p.user_name || ' ' || coalesce(p.email, '')`),
    },
    query,
    tenantId,
    toPerson,
  );

export const onePerson = async (tx: Tx, tenantId: string, id: string): Promise<DirectoryPerson> =>
  toPerson(await people(tx, tenantId).where('p.id', '=', id).executeTakeFirstOrThrow(absent));

const inside = (table: 'directory_people' | 'directory_groups') => sql<number>`(
  select count(*)::int from directory_members m join ${sql.table(table)} x
    on x.tenant_id = m.tenant_id and x.source = m.source and x.ref = m.person_ref
  where m.tenant_id = g.tenant_id and m.source = g.source and m.group_ref = g.ref)`;

const groups = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('directory_groups as g')
    .select([
      'g.id',
      'g.source',
      'g.display_name',
      'g.roles',
      'g.group_ids',
      'g.version',
      'g.created_at',
      'g.updated_at',
      inside('directory_people').as('members'),
      inside('directory_groups').as('groups_inside'),
      sql<
        string[]
      >`array(select p.id from permissions p where p.tenant_id = g.tenant_id and g.own_group_id = any(p.group_ids) order by p.id)`.as(
        'permissions',
      ),
    ])
    .where('g.tenant_id', '=', tenantId);
type GroupRow = Awaited<ReturnType<ReturnType<typeof groups>['executeTakeFirstOrThrow']>>;

const toGroup = (row: GroupRow): DirectoryGroup => ({
  id: row.id,
  source: row.source,
  name: row.display_name,
  members: row.members,
  groupsInside: row.groups_inside,
  roles: row.roles,
  groups: row.group_ids,
  permissions: row.permissions,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const listGroups = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(
    tx,
    groups(tx, tenantId),
    {
      fields: { id: sql.ref('g.id'), source: sql.ref('g.source') },
      sorts: {
        createdAt: { column: sql.ref('g.created_at'), type: 'timestamptz' },
        name: { column: sql`lower(g.display_name)`, type: 'text' },
      },
      id: sql.ref('g.id'),
      text: wordsIn(tenantId, sql`g.display_name`),
    },
    query,
    tenantId,
    toGroup,
  );

export const oneGroup = async (tx: Tx, tenantId: string, id: string): Promise<DirectoryGroup> =>
  toGroup(await groups(tx, tenantId).where('g.id', '=', id).executeTakeFirstOrThrow(absent));

export const countsOf = async (tx: Tx, tenantId: string): Promise<DirectoryCounts[]> => {
  const { rows } = await sql<DirectoryCounts>`
    select s.source, count(p.id) filter (where ${taken})::int as taken,
      count(p.id) filter (where p.active and not ${taken})::int as left,
      count(p.id) filter (where not p.active and not ${taken})::int as inactive,
      (select count(*)::int from directory_groups g where g.tenant_id = ${tenantId} and g.source = s.source) as groups
    from (values ('entra'), ('scim')) as s (source)
    left join directory_people p on p.source = s.source and p.tenant_id = ${tenantId} and (p.gone_at is null or p.problem is not null)
    group by s.source order by s.source`.execute(tx);
  return rows;
};
