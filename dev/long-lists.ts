import pg from 'pg';

/** As many rows of one list, put there behind the API's back: what is measured is looking at them, not making them. */
const ROWS = {
  assets: `insert into assets (tenant_id, id, name, data, external_id, created_at, updated_at)
    select $1, uuidv7(), 'Thing ' || lpad(n::text, 6, '0'), '{"colour":"red"}', 'X' || n, now(), now() from generate_series(0, $2::int - 1) n`,
  // Uses that are over. Those of the company's lockers lie in the middle of them, in each state that has a badge of its own: some are late
  // (not by their deadline, or the sweep had something to do about it), and what is lent waits to be looked at.
  occupations: `with filled as (update lockers set content = 'occupied' where tenant_id = $1 returning id, door_tag),
    doors as (select id, door_tag, row_number() over () as at, count(*) over () as count from filled),
    numbered as (select n, n - $2::int / 2 + coalesce((select max(count) from doors), 0) / 2 as door from generate_series(0, $2::int - 1) n)
    insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, asset_text, receiver_name, receiver_email,
      pickup_by, overdue, created_by, created_at, updated_at, ended_at)
    select $1, uuidv7(), kind, kind, stage, time, d.id, coalesce(d.door_tag, 'D' || n % 500), 'Parcel ' || n,
      'Person ' || lpad(n::text, 6, '0'), 'person' || n || '@speed.test', now() + interval '90 days', n % 3 = 0,
      '{"kind":"system","id":"speed","name":"Hatchway"}', time, time, case when stage = 98 then now() end
    from numbered left join doors d on d.at = door,
      lateral (select now() - n * interval '1 second' as time,
        (array['delivery', 'lending', 'storage'])[1 + n % 3] as kind,
        case when d.id is null then 98 else (array[3, 2, 5])[1 + n % 3] end as stage) o`,
  history: `insert into events (tenant_id, id, type, at, actor_kind, actor_id, actor_name, door_tag, occupation_id, occupation_type, data)
    select $1, uuidv7(- n * interval '1 second'),
      (array['occupation_created', 'occupation_filled', 'locker_opened', 'locker_closed'])[1 + n % 4], now() - n * interval '1 second',
      case when n % 2 = 0 then 'person' else 'device' end, 'actor' || n % 7, 'Actor ' || n % 7, 'D' || lpad(n::text, 6, '0'),
      uuidv7(), 'delivery', '{}' from generate_series(0, $2::int - 1) n`,
};

export async function fill(ownerUrl: string, tenantId: string, list: keyof typeof ROWS, rows: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(ROWS[list], [tenantId, rows]);
    await client.query('analyze assets, occupations, events');
  } finally {
    await client.end();
  }
}
