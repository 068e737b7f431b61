import { sql } from 'kysely';
import type { Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import { countWanting } from '../payments/queries.ts';
import { occupationsInSight } from '../../sight.ts';
import { activeNow } from '../../stages.ts';
import { readable } from './queries.ts';

/** Days of the company's own clock, today the last: `zone`, `span (day)` and `since`, for the queries below. */
const calendar = (tenantId: string, days: number, now: string) => sql`
  zone as (select time_zone from companies where id = ${tenantId}),
  span as (select d::date as day from zone, generate_series(
    date_trunc('day', ${now}::timestamptz at time zone time_zone) - ${days - 1} * interval '1 day',
    date_trunc('day', ${now}::timestamptz at time zone time_zone), interval '1 day') d),
  since as (select min(day)::timestamp at time zone (select time_zone from zone) as at from span)`;
const LOCAL = sql`(e.at at time zone (select time_zone from zone))`;
const COUNTS = sql`count(*) filter (where e.type = 'occupation_filled') as filled,
  count(*) filter (where e.type = 'occupation_claimed') as taken`;

/** Reads the range of these kinds of event that the caller may read, and no more. */
const happened = (tenantId: string, types: readonly string[], facts: Facts | null) => {
  const mine = facts && readable(facts);
  return sql`e.tenant_id = ${tenantId} and e.type = any(${[...types]}) and e.at >= (select at from since) ${mine ? sql`and ${mine}` : sql``}`;
};
const MOVED = ['occupation_filled', 'occupation_claimed'] as const;

/** Each day, those without anything too. */
export const usage = async (tx: Tx, tenantId: string, facts: Facts, days: number, now: string) => {
  const { rows } = await sql<{ day: string; hour: null; filled: number; taken: number }>`
    with ${calendar(tenantId, days, now)},
      seen as (select ${LOCAL}::date as day, ${COUNTS} from events e where ${happened(tenantId, MOVED, facts)} group by 1)
    select to_char(span.day, 'YYYY-MM-DD') as day, null as hour,
      coalesce(seen.filled, 0)::int as filled, coalesce(seen.taken, 0)::int as taken
    from span left join seen using (day) order by span.day`.execute(tx);
  return rows;
};

/** Each hour of the day, all the days together: when the counter is busy. */
export const usageByHour = async (tx: Tx, tenantId: string, facts: Facts, days: number, now: string) => {
  const { rows } = await sql<{ day: null; hour: number; filled: number; taken: number }>`
    with ${calendar(tenantId, days, now)},
      seen as (select extract(hour from ${LOCAL})::int as hour, ${COUNTS} from events e where ${happened(tenantId, MOVED, facts)} group by 1)
    select null as day, h.hour, coalesce(seen.filled, 0)::int as filled, coalesce(seen.taken, 0)::int as taken
    from generate_series(0, 23) as h(hour) left join seen using (hour) order by h.hour`.execute(tx);
  return rows;
};

type ServiceUsed = { service: string; started: number; filled: number; taken: number; running: number; overdue: number };
const STEPS = ['occupation_created', 'occupation_filled', 'occupation_claimed'] as const;

/** By service; those that did nothing and have nothing running are left out. */
export const servicesUsed = async (tx: Tx, tenantId: string, facts: Facts, days: number, now: string): Promise<ServiceUsed[]> => {
  const { rows } = await sql<ServiceUsed>`
    with ${calendar(tenantId, days, now)},
      seen as (
        select o.service, count(*) filter (where e.type = 'occupation_created') as started,
          count(*) filter (where e.type = 'occupation_filled') as filled, count(*) filter (where e.type = 'occupation_claimed') as taken
        from events e join occupations o on o.tenant_id = e.tenant_id and o.id = e.occupation_id
        where ${happened(tenantId, STEPS, facts)} group by 1),
      now as (
        select o.service, count(*) as running, count(*) filter (where o.overdue) as overdue
        from occupations o where o.tenant_id = ${tenantId} and ${activeNow} and ${occupationsInSight(facts)} group by 1)
    select service, coalesce(seen.started, 0)::int as started, coalesce(seen.filled, 0)::int as filled,
      coalesce(seen.taken, 0)::int as taken, coalesce(now.running, 0)::int as running, coalesce(now.overdue, 0)::int as overdue
    from seen full join now using (service) order by 1`.execute(tx);
  return rows;
};

type Taken = { day: string; currency: string; captured: number; refunded: number };

/** Money as it was told in the history, by the day on which it moved; and the pieces that were sold. */
export const sales = async (tx: Tx, tenantId: string, days: number, now: string) => {
  const [taken, sold, span, wanting] = await Promise.all([
    sql<Taken>`
      with ${calendar(tenantId, days, now)}
      select to_char(${LOCAL}, 'YYYY-MM-DD') as day, e.data->>'currency' as currency,
        coalesce(sum((e.data->>'amount')::bigint) filter (where e.type = 'payment_captured'), 0)::bigint as captured,
        coalesce(sum((e.data->>'amount')::bigint) filter (where e.type = 'payment_refunded'), 0)::bigint as refunded
      from events e where ${happened(tenantId, ['payment_captured', 'payment_refunded'], null)} and e.data ? 'currency'
      group by 1, 2`.execute(tx),
    sql<{ sold: number }>`
      with ${calendar(tenantId, days, now)}
      select coalesce(sum(coalesce((e.data->>'quantity')::int, 1)), 0)::int as sold
      from events e where ${happened(tenantId, ['occupation_sold'], null)}`.execute(tx),
    sql<{ day: string }>`with ${calendar(tenantId, days, now)} select to_char(day, 'YYYY-MM-DD') as day from span order by 1`.execute(tx),
    countWanting(tx, tenantId),
  ]);
  const sum = (rows: readonly Taken[], of: 'captured' | 'refunded') => rows.reduce((all, row) => all + row[of], 0);
  return {
    sold: sold.rows[0]?.sold ?? 0,
    wanting,
    currencies: [...new Set(taken.rows.map((row) => row.currency))].toSorted().map((currency) => {
      const mine = taken.rows.filter((row) => row.currency === currency);
      const on = new Map(mine.map((row) => [row.day, row]));
      return {
        currency,
        captured: sum(mine, 'captured'),
        refunded: sum(mine, 'refunded'),
        days: span.rows.map(({ day }) => ({ day, captured: on.get(day)?.captured ?? 0, refunded: on.get(day)?.refunded ?? 0 })),
      };
    }),
  };
};
