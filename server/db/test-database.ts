import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabase, type Db } from './database.ts';
import { asApp } from './migrate.ts';

export type TestDatabase = {
  db: Db;
  /** As the server connects: the app role. */
  url: string;
  /** The superuser, in the same database: for what a test must see or break behind the server's back. */
  ownerUrl: string;
  close(): Promise<void>;
};

/** A migrated, empty database of its own (some 70 ms). Close it in afterAll. */
export async function testDatabase(): Promise<TestDatabase> {
  const { ownerUrl, template, appPassword } = inject('cluster');
  const name = `hatchway_test_${randomBytes(6).toString('hex')}`;
  await query(ownerUrl, `create database ${name} template ${template}`);
  // Rights on a database itself are not copied with it.
  await query(ownerUrl, `revoke create, temporary on database ${name} from public`);
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  const app = asApp(url.href, appPassword);
  const db = openDatabase(app, { max: 8 });
  const close = async () => {
    await db.close();
    await query(ownerUrl, `drop database ${name} with (force)`);
  };
  return { db, url: app, ownerUrl: url.href, close };
}

/** One statement, as whoever the address names; rows as pg reads them. */
export async function query<R extends pg.QueryResultRow>(url: string, sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
