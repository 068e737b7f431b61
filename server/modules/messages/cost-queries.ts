import { sql } from 'kysely';
import type { SmsMonth } from '@hatchway/contract/operator.ts';
import type { Tx } from '../../db/database.ts';

const MONTHS = 12;

/** By months of the company's clock, the newest first. What was refused went nowhere and weighs nothing; it counts from when it was queued. */
export const smsMonths = async (tx: Tx, tenantId: string, now: string): Promise<SmsMonth[]> => {
  const { rows } = await sql<SmsMonth>`
    with told as (
      select to_char(date_trunc('month', m.created_at at time zone c.time_zone), 'YYYY-MM') as month, m.state, m.segments,
        m.price_millionths, m.price_currency
      from messages m join companies c on c.id = m.tenant_id
      where m.tenant_id = ${tenantId} and m.channel = 'sms' and m.segments is not null and m.state not in ('queued', 'sent')
        and m.created_at >= (date_trunc('month', ${now}::timestamptz at time zone c.time_zone) - ${MONTHS - 1} * interval '1 month')
          at time zone c.time_zone),
    priced as (
      select month, price_currency as currency, sum(price_millionths) / 1000000.0 as amount, count(*)::int as messages
      from told where price_millionths is not null group by 1, 2)
    select month, count(*) filter (where state <> 'unknown')::int as messages,
      coalesce(sum(segments) filter (where state <> 'unknown'), 0)::int as segments,
      count(*) filter (where state = 'unknown')::int as unsure,
      coalesce((select jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount, 'messages', messages) order by currency)
        from priced p where p.month = told.month), '[]') as prices
    from told group by month order by month desc`.execute(tx);
  return rows;
};
