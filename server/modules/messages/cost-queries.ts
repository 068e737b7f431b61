import { sql } from 'kysely';
import type { SmsMonth } from '@hatchway/contract/operator.ts';
import type { Tx } from '../../db/database.ts';

const MONTHS = 12;

/**
 * By months of the company's clock, the newest first, also those without any. What was refused went nowhere and weighs nothing; it counts
 * from when it was queued.
 */
export const smsMonths = async (tx: Tx, tenantId: string, now: string): Promise<SmsMonth[]> => {
  const { rows } = await sql<SmsMonth>`
    with company as (
      select time_zone, date_trunc('month', ${now}::timestamptz at time zone time_zone) as this from companies where id = ${tenantId}),
    months as (
      select to_char(start, 'YYYY-MM') as month
      from company c, generate_series(c.this - ${MONTHS - 1} * interval '1 month', c.this, interval '1 month') as start),
    told as (
      select to_char(m.created_at at time zone c.time_zone, 'YYYY-MM') as month, m.state, m.segments, m.price_millionths, m.price_currency
      from messages m, company c
      where m.tenant_id = ${tenantId} and m.channel = 'sms' and m.segments is not null and m.state not in ('queued', 'sent')
        and m.created_at >= (c.this - ${MONTHS - 1} * interval '1 month') at time zone c.time_zone),
    priced as (
      select month, price_currency as currency, sum(price_millionths) / 1000000.0 as amount, count(*)::int as messages
      from told where price_millionths is not null group by 1, 2)
    select n.month, count(*) filter (where t.state <> 'unknown')::int as messages,
      coalesce(sum(t.segments) filter (where t.state <> 'unknown'), 0)::int as segments,
      count(*) filter (where t.state = 'unknown')::int as unsure,
      coalesce((select jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount, 'messages', messages) order by currency)
        from priced p where p.month = n.month), '[]') as prices
    from months n left join told t on t.month = n.month group by n.month order by n.month desc`.execute(tx);
  return rows;
};
