import { sql } from 'kysely';
import type { z } from 'zod';
import { GROUP_MEMBERS, type group, type member } from '@hatchway/contract/access.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import { mayAdminister, type Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import { page, wordsIn } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';

type Group = z.infer<typeof group>;
type Member = z.infer<typeof member>;

const groupRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('groups as g')
    .where('g.tenant_id', '=', tenantId)
    .select([
      'g.id',
      'g.tenant_id',
      'g.name',
      'g.description',
      'g.version',
      'g.created_at',
      'g.updated_at',
      sql<number>`(select count(*)::int from group_members m where m.tenant_id = g.tenant_id and m.group_id = g.id)`.as('total'),
      sql<Member[]>`(select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'email', p.email)), '[]') from (
        select a.id, a.name, a.email from group_members m join accounts a on a.id = m.account_id
        where m.tenant_id = g.tenant_id and m.group_id = g.id order by lower(a.name), a.id limit ${GROUP_MEMBERS}) as p)`.as('members'),
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof groupRows>['executeTakeFirstOrThrow']>>;

const whole = (row: Row): Group => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  description: row.description,
  members: row.members,
  count: row.members.length,
  total: row.total,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Who is in it is named to whoever sees its members. */
const toGroup =
  (facts: Facts) =>
  (row: Row): Group =>
    mayAdminister('groups', facts) ? whole(row) : unnamed(whole(row));
export const unnamed = (one: Group): Group => ({ ...one, members: [], count: 0 });

export const listGroups = (tx: Tx, tenantId: string, facts: Facts, query: ListQuery) =>
  page(
    tx,
    groupRows(tx, tenantId),
    {
      fields: { id: sql.ref('g.id'), name: sql.ref('g.name') },
      sorts: { createdAt: { column: sql.ref('g.created_at'), type: 'timestamptz' }, name: { column: sql`lower(g.name)`, type: 'text' } },
      id: sql.ref('g.id'),
      text: wordsIn(tenantId, sql`g.name || ' ' || g.description`),
    },
    query,
    tenantId,
    toGroup(facts),
  );

const byId = (tx: Tx, tenantId: string, id: string): Promise<Row> =>
  groupRows(tx, tenantId).where('g.id', '=', id).executeTakeFirstOrThrow(absent);
export const oneGroup = async (tx: Tx, tenantId: string, facts: Facts, id: string): Promise<Group> =>
  toGroup(facts)(await byId(tx, tenantId, id));
/** For whoever has just written it: they see its members. */
export const writtenGroup = async (tx: Tx, tenantId: string, id: string): Promise<Group> => whole(await byId(tx, tenantId, id));

/** `createdAt` sorts by when they were put in. */
export const listMembersOf = async (tx: Tx, tenantId: string, groupId: string, query: ListQuery) => {
  await byId(tx, tenantId, groupId);
  return page(
    tx,
    tx
      .selectFrom('group_members as m')
      .innerJoin('accounts as a', 'a.id', 'm.account_id')
      .select(['a.id', 'a.name', 'a.email'])
      .where('m.tenant_id', '=', tenantId)
      .where('m.group_id', '=', groupId),
    {
      fields: { id: sql.ref('a.id'), email: sql.ref('a.email'), name: sql.ref('a.name') },
      sorts: { createdAt: { column: sql.ref('m.created_at'), type: 'timestamptz' }, name: { column: sql`lower(a.name)`, type: 'text' } },
      id: sql.ref('a.id'),
    },
    query,
    tenantId,
    (row): Member => ({ id: row.id, name: row.name, email: row.email }),
  );
};
