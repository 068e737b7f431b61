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

/** A migrated, empty database of its own (some 50 ms). Close it in afterAll. */
export async function testDatabase(): Promise<TestDatabase> {
  const { ownerUrl, template, appPassword } = inject('cluster');
  const name = `hatchway_test_${randomBytes(6).toString('hex')}`;
  // its files are copied: to write each of its pages to the log takes six times as much of the processors
  await query(ownerUrl, `create database ${name} template ${template} strategy file_copy`);
  // Rights on a database itself are not copied with it.
  await query(ownerUrl, `revoke create, temporary on database ${name} from public`);
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  const app = asApp(url.href, appPassword);
  const db = openDatabase(app, { max: 8 });
  const behind = new pg.Pool({ connectionString: url.href, max: 8, idleTimeoutMillis: 0 });
  behind.on('error', () => {}); // some tests end all connections
  held.set(url.href, behind);
  const close = async () => {
    await db.close();
    held.delete(url.href);
    await behind.end();
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

/** Superusers' connections to the databases of this file: to open one takes twenty times as much of the processors as most statements. */
const held = new Map<string, pg.Pool>();

/** One statement, as whoever the address names; rows as pg reads them. */
export async function query<R extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<R[]> {
  const pool = held.get(url);
  if (pool) return (await pool.query<R>(sql, values)).rows;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
