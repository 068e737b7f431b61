import { sql, type SqlBool } from 'kysely';
import type { AccessLink, AccessLinkUse } from '@hatchway/contract/links.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import { linkState } from '@hatchway/domain/access-link.ts';
import { mayBuild, mayBuildAnywhere, scopesOn, type Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import { page, wordsIn, type ListSpec } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';
import { answererOf, reachOf, reachOfLink, type Reach } from './right-queries.ts';

const USES_SHOWN = 200;

/** Its secret stays in the database. */
const linkRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('access_links as k')
    .where('k.tenant_id', '=', tenantId)
    .select([
      'k.id', 'k.tenant_id', 'k.name', 'k.purpose', 'k.locker_ids', 'k.valid_from', 'k.valid_to', 'k.max_uses', 'k.used', 'k.revoked_at',
      'k.created_by', 'k.taken_over_by', 'k.version', 'k.created_at', 'k.updated_at',
      sql<{ lockerId: string; doorTag: string }[]>`coalesce((select json_agg(json_build_object('lockerId', l.id, 'doorTag', l.door_tag)
        order by length(l.door_tag), l.door_tag) from lockers l where l.tenant_id = k.tenant_id and l.id = any(k.locker_ids)), '[]')`.as('doors'),
      (eb) => eb.selectFrom('access_link_uses as u').whereRef('u.tenant_id', '=', 'k.tenant_id').whereRef('u.link_id', '=', 'k.id')
        .select('u.at').orderBy('u.at', 'desc').limit(1).as('last_used_at'),
    ]); // prettier-ignore
export type LinkRow = Awaited<ReturnType<ReturnType<typeof linkRows>['executeTakeFirstOrThrow']>>;

export const limitsOf = (row: Pick<LinkRow, 'valid_from' | 'valid_to' | 'max_uses' | 'used' | 'revoked_at'>) => ({
  validFrom: row.valid_from,
  validTo: row.valid_to,
  maxUses: row.max_uses,
  used: row.used,
  revokedAt: row.revoked_at,
});

const toLink = (row: LinkRow, reach: Reach, now: string): AccessLink => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  purpose: row.purpose,
  lockerIds: row.locker_ids,
  doors: row.doors.map((door) => ({ ...door, opens: reach.has(door.lockerId) })),
  ...limitsOf(row),
  state: linkState(limitsOf(row), now),
  lastUsedAt: row.last_used_at,
  createdBy: row.created_by,
  answeredBy: answererOf(row),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toLinks = async (tx: Tx, rows: readonly LinkRow[], now: string): Promise<AccessLink[]> => {
  const reaches = await reachOf(tx, rows, now);
  return rows.map((row, at) => toLink(row, reaches[at] ?? new Map(), now));
};

/** domain's `linkState`, in SQL. */
const stateAt = (now: string) => sql`case
  when k.revoked_at is not null then 'revoked'
  when ${now}::timestamptz >= k.valid_to then 'expired'
  when k.used >= k.max_uses then 'used-up'
  when ${now}::timestamptz < k.valid_from then 'waiting'
  else 'active' end`;

const listSpec = (now: string, tenantId: string): ListSpec => ({
  fields: {
    id: sql.ref('k.id'),
    name: sql.ref('k.name'),
    purpose: sql.ref('k.purpose'),
    state: stateAt(now),
    lockerIds: { array: sql.ref('k.locker_ids') },
    validTo: sql.ref('k.valid_to'),
  },
  sorts: {
    createdAt: { column: sql.ref('k.created_at'), type: 'timestamptz' },
    name: { column: sql`lower(k.name)`, type: 'text' },
    validTo: { column: sql.ref('k.valid_to'), type: 'timestamptz' },
  },
  id: sql.ref('k.id'),
  text: wordsIn(tenantId, sql`k.name`),
});

/** Links all of whose lockers are theirs to manage. */
const linksInSight = (facts: Facts) => {
  if (mayBuildAnywhere(facts)) return sql<SqlBool>`true`;
  const theirs = facts.lockers === 'all' ? [] : Object.keys(facts.lockers).filter((id) => scopesOn(id, facts).includes('manage'));
  return sql<SqlBool>`(k.locker_ids <@ ${theirs}::uuid[] and cardinality(k.locker_ids) > 0)`;
};

export const listLinks = async (tx: Tx, tenantId: string, facts: Facts, query: ListQuery, now: string) => {
  const found = await page(
    tx,
    linkRows(tx, tenantId).where(linksInSight(facts)),
    listSpec(now, tenantId),
    query,
    tenantId,
    (row: LinkRow) => row,
  );
  return { ...found, rows: await toLinks(tx, found.rows, now) };
};

/** Throws `not-found` also for one with a locker that is not theirs to manage. */
export const oneLink = async (tx: Tx, tenantId: string, facts: Facts, id: string, now: string): Promise<AccessLink> => {
  const row = await linkRows(tx, tenantId).where('k.id', '=', id).executeTakeFirst();
  if (!row || !mayBuild(row.locker_ids, facts)) throw absent();
  return toLink(row, await reachOfLink(tx, row, now), now);
};

/** For live updates. */
export const linksByIds = async (tx: Tx, tenantId: string, ids: readonly string[], now: string): Promise<AccessLink[]> =>
  toLinks(
    tx,
    await linkRows(tx, tenantId)
      .where(sql<SqlBool>`k.id = any(${ids})`)
      .execute(),
    now,
  );

export const usesOf = async (tx: Tx, tenantId: string, linkId: string): Promise<AccessLinkUse[]> => {
  const rows = await tx
    .selectFrom('access_link_uses')
    .select(['id', 'at', 'name', 'locker_id', 'door_tag', 'occupation_id', 'outcome'])
    .where('tenant_id', '=', tenantId)
    .where('link_id', '=', linkId)
    .orderBy('at', 'desc')
    .limit(USES_SHOWN)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    name: row.name,
    lockerId: row.locker_id,
    doorTag: row.door_tag,
    occupationId: row.occupation_id,
    outcome: row.outcome,
  }));
};
