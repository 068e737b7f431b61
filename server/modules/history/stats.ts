import { sql } from 'kysely';
import { seesAllLockers, type Facts } from '@hatchway/domain/access.ts';
import type { LockerStanding } from '@hatchway/domain/locker.ts';
import { isAsked, OCCUPATION_TYPES, SIZES, STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { nameOrder } from '../../http/list.ts';
import { lockersInSight, occupationsInSight, occupationsToActOn } from '../../sight.ts';
import { activeNow, stageNo } from '../../stages.ts';
import { openNow, standingNow } from '../lockers/queries.ts';
import { usage } from './usage-queries.ts';

type Counts = Record<LockerStanding, number>;
const NONE: Counts = { free: 0, inUse: 0, inDoubt: 0, outOfService: 0, unready: 0 };

const countLockers = async (tx: Tx, tenantId: string, facts: Facts) => {
  const sight = lockersInSight(facts);
  const { rows } = await sql<{ size: string; standing: LockerStanding; count: number }>`
    select l.size, ${standingNow} as standing, count(*)::int as count
    from lockers l
    join cabinets c on c.tenant_id = l.tenant_id and c.id = l.cabinet_id
    left join occupations o on o.tenant_id = l.tenant_id and o.locker_id = l.id and ${activeNow}
    where l.tenant_id = ${tenantId} ${sight.all ? sql`` : sql`and l.id = any(${sight.ids})`}
    group by 1, 2`.execute(tx);
  const counted = (of: typeof rows): Counts =>
    of.reduce((sums, { standing, count }) => ({ ...sums, [standing]: sums[standing] + count }), NONE);
  return {
    total: rows.reduce((all, { count }) => all + count, 0),
    ...counted(rows),
    bySize: SIZES.flatMap((size) => {
      const mine = rows.filter((row) => row.size === size);
      return mine.length === 0 ? [] : [{ size, ...counted(mine) }];
    }),
  };
};

const openDoors = async (tx: Tx, tenantId: string, facts: Facts) => {
  const sight = lockersInSight(facts);
  const { rows } = await sql<{ lockerId: string; doorTag: string; since: string | null }>`
    select l.id as "lockerId", l.door_tag as "doorTag", l.door_at as since
    from lockers l join cabinets c on c.tenant_id = l.tenant_id and c.id = l.cabinet_id
    where l.tenant_id = ${tenantId} and ${openNow} ${sight.all ? sql`` : sql`and l.id = any(${sight.ids})`}
    order by l.door_at limit 200`.execute(tx);
  return rows;
};

/** As their list shows them; of what was brought, what they may take out. */
const running = async (tx: Tx, tenantId: string, facts: Facts) => {
  const { rows } = await sql<{ running: number; overdue: number; brought: number }>`
    select count(*)::int as running, count(*) filter (where o.overdue)::int as overdue,
      count(*) filter (where o.stage = ${STAGES.ACQUIRABLE} and ${occupationsToActOn(OCCUPATION_TYPES.filter(isAsked), facts)})::int as brought
    from occupations o where o.tenant_id = ${tenantId} and ${activeNow} and ${occupationsInSight(facts)}`.execute(tx);
  return rows[0] ?? { running: 0, overdue: 0, brought: 0 };
};

/** Cabinets with doors whose controller cannot be reached now; of somebody's with scopes alone those that hold a locker of theirs. */
const offline = async (tx: Tx, tenantId: string, facts: Facts) => {
  const sight = lockersInSight(facts);
  const { rows } = await sql<{ id: string; name: string; since: string | null }>`
    select c.id, c.name, c.connection_at as since from cabinets c
    where c.tenant_id = ${tenantId} and c.connection = 'offline' and c.credential_hash is not null
      and exists (select 1 from lockers l where l.tenant_id = c.tenant_id and l.cabinet_id = c.id
        ${seesAllLockers(facts) || sight.all ? sql`` : sql`and l.id = any(${sight.ids})`})
    order by c.name ${await nameOrder(tx, tenantId)} limit 200`.execute(tx);
  return rows;
};

/** Offered, and to be fetched before the company's day is over. */
const dueToday = async (tx: Tx, tenantId: string, facts: Facts, now: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with zone as (select time_zone from companies where id = ${tenantId})
    select count(*)::int as count from occupations o
    where o.tenant_id = ${tenantId} and ${activeNow} and o.stage between ${stageNo('ACQUIRABLE')} and ${stageNo('CLAIMING')} and ${occupationsInSight(facts)} and o.pickup_by < (
      select (date_trunc('day', ${now}::timestamptz at time zone time_zone) + interval '1 day') at time zone time_zone from zone)`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
};

export const statsNow = async (tx: Tx, tenantId: string, facts: Facts, now: string) => {
  const [lockers, doorsOpen, uses, offlineCabinets, today, due] = await Promise.all([
    countLockers(tx, tenantId, facts),
    openDoors(tx, tenantId, facts),
    running(tx, tenantId, facts),
    offline(tx, tenantId, facts),
    usage(tx, tenantId, facts, 1, now),
    dueToday(tx, tenantId, facts, now),
  ]);
  return {
    lockers,
    doorsOpen,
    ...uses,
    offlineCabinets,
    today: { filled: today[0]?.filled ?? 0, taken: today[0]?.taken ?? 0, due },
  };
};
