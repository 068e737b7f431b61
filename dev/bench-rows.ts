import path from 'node:path';
import { runningUrl } from '@hatchway/server/db/embedded.ts';
import pg from 'pg';

/** The superuser's address of the embedded database that runs in a data folder: the bare rows come the way that all of Hatchway's do. */
export const ownerUrlOf = (folder: string): string => runningUrl(path.join(folder, 'pg')) ?? '';

/** `saleEvery`: of so many events one is of a sale. */
export type Rows = { lockers: number; events: number; saleEvery: number };

/**
 * Fills a company with rows behind the API's back: what is measured is reading among them, not making them. `events` are those that it
 * has in all. Answers the new lockers, 2,000 at most.
 */
export async function grow(ownerUrl: string, tenantId: string, cabinetId: string, rows: Rows): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // one made by the API says what a cabinet is; these are its likes, 500 doors each
    await client.query(
      `insert into cabinets (tenant_id, id, site_id, number, name, connection, created_at, updated_at)
       select tenant_id, uuidv7(), site_id, 100000 + n, 'Cabinet ' || n, 'online', now() - n * interval '1 hour', now()
       from cabinets, generate_series(1, $3) n where tenant_id = $1 and id = $2`,
      [tenantId, cabinetId, Math.ceil(rows.lockers / 500)],
    );
    await client.query(
      `insert into lockers (tenant_id, id, cabinet_id, compartment, door_tag, size, door, door_at, created_at, updated_at)
       select c.tenant_id, uuidv7(), c.id, d, 'L' || c.number || '-' || d, (array['XS','S','M','L','XL'])[1 + d % 5], 'closed', now(),
         now() - (c.number * 500 + d) * interval '1 second', now()
       from cabinets c, generate_series(1, 500) d where c.tenant_id = $1 and c.number > 100000 limit $2`,
      [tenantId, rows.lockers],
    );
    // a hundred and more are of sales, so that there is a reader who may see those alone; each tenth is by somebody of a name of their own
    await client.query(
      `insert into events (tenant_id, id, type, at, actor_kind, actor_name, locker_id, door_tag, occupation_type, data)
       select $1, uuidv7(- n * interval '1 second'), 'locker_opened', date_trunc('milliseconds', now() - n * interval '1 second'),
         case when n % 10 = 0 then 'person' else 'system' end,
         case when n % 10 > 0 then 'Hatchway' when n <= 600 then 'Kari' || n || ' Solvang' else 'Kari' || n || ' Hansen' end,
         l.ids[1 + n % cardinality(l.ids)], 'L', case when n % $3 = 0 then 'sale' else 'delivery' end, '{}'
       from generate_series(1, $2 - (select count(*)::int from events where tenant_id = $1)) n,
         (select array_agg(id) as ids from lockers where tenant_id = $1) l`,
      [tenantId, rows.events, rows.saleEvery],
    );
    await client.query('vacuum analyze cabinets, lockers, events');
    const made = await client.query<{ id: string }>(
      `select l.id from lockers l join cabinets c on c.tenant_id = l.tenant_id and c.id = l.cabinet_id
       where l.tenant_id = $1 and c.number > 100000 order by l.id limit 2000`,
      [tenantId],
    );
    return made.rows.map((row) => row.id);
  } finally {
    await client.end();
  }
}

/** Every locker of the companies free again, so that the next turn finds what this one found. */
export async function free(ownerUrl: string, tenantIds: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('update occupations set stage = 98 where tenant_id = any($1) and stage < 98', [tenantIds]);
    await client.query('delete from outbox where tenant_id = any($1)', [tenantIds]);
    await client.query(`delete from jobs.job where data->>'tenantId' = any($1)`, [tenantIds]);
  } finally {
    await client.end();
  }
}
