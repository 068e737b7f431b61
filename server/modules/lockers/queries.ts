import { sql, type SqlBool } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Locker } from '@hatchway/contract/lockers.ts';
import { maySeeLocker, type Facts } from '@hatchway/domain/access.ts';
import { inDoubt, type LockerStanding } from '@hatchway/domain/locker.ts';
import type { ContentState, DoorState, LockState, Stage } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { anyOf, madeOnce } from '../../db/made-once.ts';
import type { KeptPage, KeptRow, KeptRows } from '../../http/kept-rows.ts';
import { page, type ListSpec } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';
import { lockersInSight } from '../../sight.ts';
import { activeNow, stageNo } from '../../stages.ts';

// What a cabinet said of its doors before it went, or before it came back and has not said it again, is not what they are now.
export const heardNow = sql<SqlBool>`c.connection = 'online' and l.device_session is not distinct from c.session`;
export const doorNow = sql<DoorState>`case when ${heardNow} then l.door else 'unknown' end`;
export const lockNow = sql<LockState>`case when ${heardNow} then l.lock_state else 'unknown' end`;
/** The plain column beside it is what the index `lockers_open` holds. */
export const openNow = sql<SqlBool>`l.door = 'opened' and ${heardNow}`;
export const occupancyNow = sql<ContentState>`case when ${heardNow} then l.occupancy else 'unknown' end`;

/** domain's `isFailing`, in SQL, of a locker `l`: asked to open last, it did not. */
export const failingNow = sql<SqlBool>`coalesce(l.last_command->>'op' = 'open' and l.last_command->>'outcome' in ('refused', 'no-answer'), false)`;

export const failsNow = async (tx: Tx, tenantId: string, lockerId: string): Promise<boolean> => {
  const row = await tx.selectFrom('lockers as l').select('l.id').where('l.tenant_id', '=', tenantId).where('l.id', '=', lockerId).where(failingNow).executeTakeFirst(); // prettier-ignore
  return row !== undefined;
};

const isPaired = sql<boolean>`(c.credential_hash is not null)`;

/**
 * Lockers that somebody can open by a link, and until when at the longest: read once for all that are asked for. Whether its maker still may
 * is asked at its use.
 */
export const openByLink = (tenantId: string) =>
  sql<{ locker_id: string; until: string }>`(select u.locker_id, max(k.valid_to) as until
    from access_links k cross join lateral unnest(k.locker_ids) u(locker_id)
    where k.tenant_id = ${tenantId} and k.purpose = 'open' and k.revoked_at is null and k.valid_to > now() and k.used < k.max_uses
    group by u.locker_id)`;

/**
 * What a locker carries now, looked up for each. Left to join them, PostgreSQL goes by what it last counted: where it knew of few, each locker
 * was compared with all that the company has by then. `among`: joined all the same, where all of a company's lockers are gone through.
 */
const carriedNow = (among: boolean) => sql<{
  id: string;
  tenant_id: string;
  locker_id: string;
  stage: number;
  type: string;
  overdue: boolean;
  row_version: string;
}>`(
  select o.id, o.tenant_id, o.locker_id, o.stage, o.type, o.overdue, o.xmin as row_version from occupations o
  where o.tenant_id = l.tenant_id and o.locker_id = l.id and ${activeNow} ${among ? sql`` : sql`limit 1`})`;

/** Lockers with their cabinet and the occupation that they carry now. */
const lockersWithAll = (tx: Tx, tenantId: string, among: boolean) =>
  tx
    .selectFrom('lockers as l')
    .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .leftJoinLateral(carriedNow(among).as('o'), (join) => join.onTrue())
    .leftJoin(openByLink(tenantId).as('k'), (join) => join.onRef('k.locker_id', '=', 'l.id'))
    .where('l.tenant_id', '=', tenantId);

/**
 * All that a locker's wire shape is made of, by the versions that PostgreSQL itself gives rows (each change has another `xmin`), and until when it can be
 * opened by a link, which passes without a change. Not for a transaction that writes any of it: what it writes twice has one version.
 */
const versionNow = sql<string>`l.id || ' ' || l.xmin || ' ' || c.xmin || ' ' || coalesce(o.id || ' ' || o.row_version, '') || ' ' || coalesce(k.until::text, '')`;

/** Their cabinet's connection and their use beside them: all that a wall needs, from one statement. */
export const lockerRows = (tx: Tx, tenantId: string) =>
  lockersWithAll(tx, tenantId, false).select([
    'l.id',
    'l.tenant_id',
    'l.cabinet_id',
    'l.compartment',
    'l.door_tag',
    'l.name',
    'l.size',
    'l.reach',
    'l.services',
    'l.policy_ref',
    'l.out_of_service',
    'l.last_command',
    doorNow.as('door'),
    'l.door_at',
    lockNow.as('lock'),
    occupancyNow.as('occupancy'),
    'l.occupancy_at',
    'l.content',
    'l.content_at',
    'l.content_why',
    'l.version',
    'l.created_at',
    'l.updated_at',
    'k.until as open_link_until',
    'c.connection',
    isPaired.as('paired'),
    'o.id as occupation_id',
    'o.stage as occupation_stage',
    'o.type as occupation_type',
    'o.overdue as occupation_overdue',
  ]);
export type LockerRow = Awaited<ReturnType<ReturnType<typeof lockerRows>['executeTakeFirstOrThrow']>>;

export const toLocker = (row: LockerRow): Locker => ({
  id: row.id,
  tenantId: row.tenant_id,
  cabinetId: row.cabinet_id,
  compartment: row.compartment,
  doorTag: row.door_tag,
  name: row.name,
  size: row.size,
  reach: row.reach,
  connection: row.connection,
  paired: row.paired,
  door: row.door,
  doorSince: row.door_at,
  lock: row.lock,
  occupancy: row.occupancy,
  occupancySince: row.occupancy_at,
  content: row.content,
  contentSince: row.content_at,
  contentWhy: row.content_why,
  lastCommand:
    row.last_command === null
      ? null
      : {
          id: row.last_command.id,
          op: row.last_command.op,
          at: row.last_command.at,
          by: row.last_command.by,
          outcome: row.last_command.outcome,
          code: row.last_command.code,
        },
  outOfService: row.out_of_service === null ? null : { since: row.out_of_service.since, reason: row.out_of_service.reason },
  services: row.services,
  policyRef: row.policy_ref,
  openLinkUntil: row.open_link_until,
  occupationId: row.occupation_id,
  occupation:
    row.occupation_id === null
      ? null
      : {
          id: row.occupation_id,
          stage: row.occupation_stage as Stage,
          type: row.occupation_type as string,
          overdue: row.occupation_overdue ?? false,
        },
  inDoubt: inDoubt(
    row.content,
    row.occupation_id === null ? null : { stage: row.occupation_stage as Stage, type: row.occupation_type as string },
  ),
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** `inDoubt` of domain/locker.ts, of a locker `l` and its occupation `o`. */
const doubtNow = sql<SqlBool>`(l.content = 'unknown'
  or (l.content = 'occupied' and (o.id is null or o.stage in (${stageNo('RESERVED')}, ${stageNo('VACANT')})))
  or (l.content = 'empty' and o.id is not null and o.stage between ${stageNo('FILLED')} and ${stageNo('CONTACTED')} and o.type <> 'storage'))`;
/** `standingOf` of domain/locker.ts, of a locker `l`, its cabinet `c` and its occupation `o`. */
export const standingNow = sql<LockerStanding>`case when ${doubtNow} then 'inDoubt' when o.id is not null then 'inUse'
  when l.out_of_service is not null then 'outOfService' when ${doorNow} = 'closed' then 'free' else 'unready' end`;

const LIST: ListSpec = {
  fields: {
    id: sql.ref('l.id'),
    cabinetId: sql.ref('l.cabinet_id'),
    doorTag: sql.ref('l.door_tag'),
    size: sql.ref('l.size'),
    connection: sql.ref('c.connection'),
    paired: isPaired,
    content: sql.ref('l.content'),
    door: doorNow,
    inDoubt: doubtNow,
    standing: standingNow,
    free: sql<SqlBool>`(${standingNow} = 'free')`,
    outOfService: sql<SqlBool>`(l.out_of_service is not null)`,
  },
  sorts: { createdAt: { column: sql.ref('l.created_at'), type: 'timestamptz' }, doorTag: { column: sql.ref('l.door_tag'), type: 'text' } },
  id: sql.ref('l.id'),
  text: (words) => sql<SqlBool>`l.id in (select search_lockers(${words}))`,
};

/** One page, of which a row that has not changed since it was last written is neither read nor written again. */
export const lockerPage = async (tx: Tx, tenantId: string, facts: Facts, query: ListQuery, kept: KeptRows): Promise<KeptPage<Locker>> => {
  const sight = lockersInSight(facts);
  const versions = (among: boolean) =>
    lockersWithAll(tx, tenantId, among)
      .select(['l.id', versionNow.as('key')])
      .$if(!sight.all, (all) => all.where(sql<SqlBool>`l.id = any(${sight.all ? [] : sight.ids})`));
  // no index keeps the order of the tags
  const found = await page(tx, versions(!query.sort.endsWith('createdAt')), LIST, query, tenantId, (row) => row, null, versions(true));
  const texts = found.rows.map(({ key }) => kept.get(key));
  const news = found.rows.flatMap(({ id }, at) => (texts[at] === undefined ? [id] : []));
  const read =
    news.length === 0
      ? []
      : await lockerRows(tx, tenantId)
          .select(versionNow.as('key'))
          .where(sql<SqlBool>`l.id = any(${news}::uuid[])`)
          .execute();
  // under the versions that were read with it: they may be newer by now than those of the page
  const byId = new Map(read.map((row) => [row.id, { row: toLocker(row), key: row.key }]));
  return {
    ...found,
    in: kept,
    kept: found.rows.flatMap(({ id }, at): KeptRow<Locker>[] => {
      const text = texts[at];
      const fresh = byId.get(id);
      return text !== undefined ? [{ text }] : fresh ? [fresh] : [];
    }),
  };
};

/** The whole wall of one cabinet, in the order of its compartments. */
export const wall = async (tx: Tx, tenantId: string, facts: Facts, cabinetId: string): Promise<Locker[]> =>
  (await lockerRows(tx, tenantId).where('l.cabinet_id', '=', cabinetId).orderBy('l.compartment').execute())
    .filter((row) => maySeeLocker(row.id, facts))
    .map(toLocker);

const byId = madeOnce((tx, { tenantId, id }: { tenantId: string; id: string }) =>
  lockerRows(tx, tenantId).where('l.id', '=', id).compile(),
);
const byIds = madeOnce((tx, { tenantId, ids }: { tenantId: string; ids: readonly string[] }) =>
  lockerRows(tx, tenantId)
    .where(sql<SqlBool>`l.id = ${anyOf(ids)}`)
    .compile(),
);

/** For live updates, whoever asks. */
export const lockersByIds = async (tx: Tx, tenantId: string, ids: readonly string[]): Promise<Locker[]> =>
  (await byIds(tx, { tenantId, ids })).map(toLocker);

/** Throws `not-found` also for a locker out of the caller's sight. */
export const oneLocker = async (tx: Tx, tenantId: string, facts: Facts, id: string): Promise<Locker> => {
  const [row] = await byId(tx, { tenantId, id });
  if (!row || !maySeeLocker(row.id, facts)) throw absent();
  return toLocker(row);
};

/** For the server's own purposes, whoever asks. */
export const lockerById = async (tx: Tx, tenantId: string, id: string): Promise<Locker | null> => {
  const [row] = await byId(tx, { tenantId, id });
  return row ? toLocker(row) : null;
};
