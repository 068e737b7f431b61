import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/**
 * Three roles, made here, none of which can log in but the last:
 * - hatchway_owner owns the schema and runs migrations. FORCE binds it too: a migration that must change rows of all companies
 *   says `alter table … no force row level security` before and `force` after, in its own transaction.
 * - hatchway_definer owns the few functions that read across companies, through policies made for it alone.
 * - hatchway_app is what the server connects as: it reads and writes rows, owns nothing, and passes by no policy.
 */
export const OWNER = 'hatchway_owner';
const DEFINER = 'hatchway_definer';
const APP = 'hatchway_app';
const LOCK = 4_820_117; // any number that nobody else takes; one migration at a time in a database

export type Migration = { name: string; sql: string };

export function readMigrations(folder = path.join(import.meta.dirname, 'migrations')): Migration[] {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => ({ name, sql: fs.readFileSync(path.join(folder, name), 'utf8') }));
}

export const checksumOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex');

/**
 * Brings a database up to date, each file in one transaction, and answers the names of the files it ran.
 * `ownerUrl` may make roles (a superuser, or CREATEROLE on a managed server). Throws where a file that ran before was changed or is missing.
 */
export async function migrate(ownerUrl: string, options: { appPassword: string; migrations?: Migration[] }): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await makeRoles(client, options.appPassword);
    await client.query(`set role ${OWNER}; set search_path = public`);
    const ran = await runPending(client, options.migrations ?? readMigrations());
    await expectTenCompanies(client);
    return ran;
  } finally {
    await client.end(); // ends the lock too
  }
}

/** The same database as the schema's owner: for what brings its own tables, such as the job queue in the schema `jobs`. */
export function asOwner(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.searchParams.set('options', `-c role=${OWNER}`);
  return url.href;
}

export function asApp(ownerUrl: string, appPassword: string): string {
  const url = new URL(ownerUrl);
  url.username = APP;
  url.password = appPassword;
  return url.href;
}

async function runPending(client: pg.Client, migrations: Migration[]): Promise<string[]> {
  await client.query(`create table if not exists migrations (name text primary key, checksum text not null, ran_at timestamptz not null);
    revoke all on migrations from ${APP}`);
  const before = new Map<string, string>();
  for (const row of (await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')).rows) {
    before.set(row.name, row.checksum);
  }
  const ran: string[] = [];
  for (const { name, sql } of migrations) {
    const checksum = checksumOf({ name, sql });
    const known = before.get(name);
    before.delete(name);
    if (known === checksum) continue;
    if (known !== undefined)
      throw new Error(`Migration ${name} was changed after it ran on this database. Put it back and add a new file.`);
    try {
      await client.query(`begin; ${sql}\n; insert into migrations values ('${name}', '${checksum}', now()); commit`);
    } catch (error) {
      await client.query('rollback');
      throw new Error(`Migration ${name}: ${describe(error, sql)}`, { cause: error });
    }
    ran.push(name);
  }
  if (before.size > 0) throw new Error(`This database is newer than the program: it has run ${[...before.keys()].join(', ')}.`);
  return ran;
}

/**
 * Of a table that was never counted PostgreSQL takes a company to have a row or two, so every index that begins with it looks as good as the
 * key: one occupation by its id was looked for among all of its company's. Until the first count it has a tenth of what is there. Before 18
 * there is no way to say so.
 */
async function expectTenCompanies(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  if (Number(rows[0]?.server_version_num) < 180_000) return;
  await client.query(`select pg_restore_attribute_stats('schemaname', 'public', 'relname', c.relname::text, 'attname', a.attname::text,
      'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 10::real)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples <= 0 and c.relowner = current_role::regrole`);
}

async function makeRoles(client: pg.Client, appPassword: string): Promise<void> {
  const password = client.escapeLiteral(appPassword);
  const database = client.escapeIdentifier(client.database ?? 'postgres');
  // Roles belong to the whole server, so another database's migration may be making the same ones: losing that race is fine.
  const made = async (sql: string) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await client.query(`begin; ${sql}; commit`);
      } catch (error) {
        await client.query('rollback');
        if (attempt === 5 || !/already exists|concurrently|duplicate key/.test(String(error))) throw error;
      }
    }
  };
  const roles = new Set(
    (await client.query<{ rolname: string }>(`select rolname from pg_roles where rolname like 'hatchway\\_%'`)).rows.map((r) => r.rolname),
  );
  for (const role of [OWNER, DEFINER]) if (!roles.has(role)) await made(`create role ${role} nologin`).catch(unlessExists);
  if (!roles.has(APP)) await made(`create role ${APP} login`).catch(unlessExists);
  await made(`alter role ${APP} login password ${password}`);
  await made(`alter role ${APP} set timezone = 'UTC'`);
  await made(`grant ${OWNER} to current_user; grant ${DEFINER} to ${OWNER}; grant connect on database ${database} to ${APP};
    revoke create, temporary on database ${database} from public; revoke create on schema public from public;
    grant usage, create on schema public to ${OWNER}, ${DEFINER}; grant usage on schema public to ${APP};
    create schema if not exists jobs; grant usage, create on schema jobs to ${OWNER}; grant usage on schema jobs to ${APP}`);
  const { rows } = await client.query('select 1 from pg_roles where rolname = $1 and (rolsuper or rolbypassrls)', [APP]);
  if (rows.length > 0) throw new Error(`The role ${APP} passes by row-level security. Take SUPERUSER and BYPASSRLS from it.`);
  const owned = 'alter default privileges for role ' + OWNER;
  await made(`${owned} grant select, insert, update, delete on tables to ${APP}; ${owned} grant usage on sequences to ${APP};
    ${owned} revoke execute on functions from public; ${owned} in schema jobs grant execute on functions to ${APP}`);
}

function unlessExists(error: unknown): void {
  if (!/already exists|duplicate key/.test(String(error))) throw error;
}

function describe(error: unknown, sql: string): string {
  const { message, position } = error as { message: string; position?: string };
  const line = position === undefined ? 0 : sql.slice(0, Number(position) - 'begin; '.length).split('\n').length;
  return line > 0 ? `${message} (line ${line})` : message;
}
