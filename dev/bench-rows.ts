import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/** The superuser's address of the embedded database in a data folder, as operators find it (docs/operations.md). */
export function ownerUrlOf(folder: string): string {
  const read = (file: string) => readFileSync(path.join(folder, 'pg', file), 'utf8');
  const port = read('data/postmaster.pid').split('\n')[3];
  return `postgres://postgres:${read('password').trim()}@127.0.0.1:${port}/postgres`;
}

/** Fills a company with rows behind the API's back: what is measured is reading among them, not making them. */
export async function grow(
  ownerUrl: string,
  tenantId: string,
  cabinetId: string,
  rows: { lockers: number; events: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    // one made by the API says what a cabinet is; these are its likes, 500 doors each
    await client.query(
      `insert into cabinets (tenant_id, id, site_id, number, name, created_at, updated_at)
       select tenant_id, uuidv7(), site_id, 100000 + n, 'Cabinet ' || n, now() - n * interval '1 hour', now()
       from cabinets, generate_series(1, $3) n where tenant_id = $1 and id = $2`,
      [tenantId, cabinetId, Math.ceil(rows.lockers / 500)],
    );
    await client.query(
      `insert into lockers (tenant_id, id, cabinet_id, compartment, door_tag, size, created_at, updated_at)
       select c.tenant_id, uuidv7(), c.id, d, 'L' || c.number || '-' || d, (array['XS','S','M','L','XL'])[1 + d % 5], now() - (c.number * 500 + d) * interval '1 second', now()
       from cabinets c, generate_series(1, 500) d where c.tenant_id = $1 and c.number > 100000 limit $2`,
      [tenantId, rows.lockers],
    );
    await client.query(
      `insert into events (tenant_id, id, type, at, actor_kind, actor_name, data)
       select $1, uuidv7(- n * interval '1 second'), 'locker_opened', date_trunc('milliseconds', now() - n * interval '1 second'), 'system', 'Hatchway', '{}'
       from generate_series(1, $2) n`,
      [tenantId, rows.events],
    );
    await client.query('vacuum analyze cabinets, lockers, events');
  } finally {
    await client.end();
  }
}

/** Every locker of the company free again, so that the next turn finds what this one found. */
export async function free(ownerUrl: string, tenantId: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('update occupations set stage = 98 where tenant_id = $1 and stage < 98', [tenantId]);
    await client.query('delete from outbox where tenant_id = $1', [tenantId]);
  } finally {
    await client.end();
  }
}
