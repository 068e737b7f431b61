import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase, type Db, type Tx } from './database.ts';
import { asApp } from './migrate.ts';

export type TestDatabase = {
  db: Db;
  /** As the server connects: the app role. */
  url: string;
  /** The superuser, in the same database: for what a test must see or break behind the server's back. */
  ownerUrl: string;
  close(): Promise<void>;
};

/** A migrated, empty database of its own (some 50 ms). Close it in afterAll. `plansItself`: PostgreSQL plans as it does in production. */
export async function testDatabase({ plansItself = false } = {}): Promise<TestDatabase> {
  const { ownerUrl, template, appPassword } = inject('cluster');
  keep(ownerUrl);
  const name = `hatchway_test_${randomBytes(6).toString('hex')}`;
  // its files are copied: to write each of its pages to the log takes six times as much of the processors
  await query(ownerUrl, `create database ${name} template ${template} strategy file_copy`);
  // Rights on a database itself are not copied with it.
  await query(ownerUrl, `revoke create, temporary on database ${name} from public`);
  if (plansItself) await query(ownerUrl, `alter database ${name} set plan_cache_mode = auto`);
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  const app = asApp(url.href, appPassword);
  const db = openDatabase(app, { max: 8 });
  keep(url.href);
  const close = async () => {
    await db.close();
    await letGo(url.href);
    await query(ownerUrl, `drop database ${name} with (force)`);
  };
  return { db, url: app, ownerUrl: url.href, close };
}

/**
 * How many wait for what one transaction holds, also those behind one another. Whatever else waits in the cluster, as a sweep or
 * another file's server may at any time, is none of them.
 */
export async function waitersFor(ownerUrl: string, holder: pg.Client | Tx): Promise<number> {
  const { rows } =
    holder instanceof pg.Client
      ? await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
      : await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(holder);
  const [row] = await query<{ waiters: number }>(
    ownerUrl,
    `with recursive held(pid) as (
       select $1::int
       union select a.pid from pg_stat_activity a join held on held.pid = any(pg_blocking_pids(a.pid)) where a.wait_event_type = 'Lock')
     select count(*)::int - 1 as waiters from held`,
    [rows[0]?.pid],
  );
  return row?.waiters ?? 0;
}

/** Lines to who asks again and again: to connect takes twenty times as much of the processors as a short statement. */
const kept = new Map<string, pg.Pool>();
const keep = (url: string): void => {
  if (kept.has(url)) return;
  const pool = new pg.Pool({ connectionString: url, max: 20, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // A line that its database is dropped under, or that a test cuts, is told of by who asks next.
  const ignore = () => {};
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  kept.set(url, pool);
};
const letGo = async (url: string): Promise<void> => {
  const pool = kept.get(url);
  kept.delete(url);
  await pool?.end();
};

/** One statement, as whoever the address names; rows as pg reads them. What it sets for its session may hold for a later one. */
export async function query<R extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<R[]> {
  const pool = kept.get(url);
  if (pool) return (await pool.query<R>(sql, values)).rows;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
