import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { installJobs, SCHEMA } from '../jobs/install.ts';
import { Refusal } from '../start-fault.ts';
import { checksumOf, migrate, type Migration, OWNER, readMigrations } from './migrate.ts';

/**
 * A backup that needs no program of PostgreSQL's, and fits any version of it: one snapshot of all rows, a JSON text a line, gzipped. The
 * schema is not in it: migrations make it. What a row is, PostgreSQL's own text of it says.
 */
type Head = { hatchway: 'backup'; format: 1; at: string; migrations: Record<string, string>; jobs: number };
type Table = { table: string; columns: string[] };
type Sequence = { sequence: string; value: string };
type End = { end: true; rows: Record<string, Sum> };
type Line = Head | Table | Sequence | End | string;
/** How many rows, and what they are in whatever order. */
type Sum = { count: number; digest: string };
export type Restored = { at: string; tables: number; rows: number };

const BATCH = 200;
/** The same text of the same value on both sides. */
const SETTINGS = `set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0`;
const SCHEMAS = `('public', '${SCHEMA}')`;

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: 'hatchway backup' });
  client.on('error', () => {});
  await client.connect();
  return client;
};

const newSum = () => {
  let count = 0;
  const digest = Buffer.alloc(32);
  return {
    add: (row: string) => {
      count += 1;
      const one = createHash('sha256').update(row).digest();
      // Added up byte by byte, so that the order of rows does not matter and equal ones do not cancel out.
      for (const [at, byte] of one.entries()) digest[at] = ((digest[at] ?? 0) + byte) & 0xff;
    },
    value: (): Sum => ({ count, digest: digest.toString('hex') }),
  };
};

/** What is reckoned from other columns is reckoned anew. */
const tablesOf = async (client: pg.Client): Promise<Table[]> =>
  (
    await client.query<Table>(
      `select format('%I.%I', n.nspname, c.relname) as table, array_agg(quote_ident(a.attname) order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
       where n.nspname in ${SCHEMAS} and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       group by 1 order by 1`,
    )
  ).rows;

async function* rowsOf(client: pg.Client, { table, columns }: Table): AsyncGenerator<string[]> {
  await client.query(`declare backup_rows no scroll cursor for select row(${columns.join(', ')})::text as row from ${table}`);
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${BATCH} from backup_rows`);
    if (rows.length === 0) break;
    yield rows.map(({ row }) => row);
  }
  await client.query('close backup_rows');
}

const sumOf = async (client: pg.Client, table: Table): Promise<Sum> => {
  const sum = newSum();
  for await (const rows of rowsOf(client, table)) for (const row of rows) sum.add(row);
  return sum.value();
};

const jobsVersion = async (client: pg.Client): Promise<number> =>
  (await client.query<{ version: number }>(`select version from ${SCHEMA}.version`)).rows[0]?.version ?? 0;

async function* linesOf(client: pg.Client): AsyncGenerator<string> {
  const text = (line: Line) => `${JSON.stringify(line)}\n`;
  const ran = await client.query<{ name: string; checksum: string }>('select name, checksum from public.migrations');
  const migrations = Object.fromEntries(ran.rows.map(({ name, checksum }) => [name, checksum]));
  yield text({ hatchway: 'backup', format: 1, at: new Date().toISOString(), migrations, jobs: await jobsVersion(client) });
  const end: End = { end: true, rows: {} };
  for (const table of await tablesOf(client)) {
    yield text(table);
    const sum = newSum();
    for await (const rows of rowsOf(client, table)) {
      for (const row of rows) sum.add(row);
      yield rows.map(text).join('');
    }
    end.rows[table.table] = sum.value();
  }
  const sequences = await client.query<Sequence>(
    `select format('%I.%I', schemaname, sequencename) as sequence, last_value::text as value from pg_sequences
     where schemaname in ${SCHEMAS} and last_value is not null`,
  );
  for (const sequence of sequences.rows) yield text(sequence);
  yield text(end);
}

/** Beside whatever goes on. `ownerUrl`: a superuser, or one with BYPASSRLS; anybody else would see no rows, and is refused instead. */
export const writeBackup = async (ownerUrl: string, file: string): Promise<void> => {
  if (existsSync(file)) throw new Refusal(`${file} is there already, and is not written over.`);
  const client = await connect(ownerUrl);
  const fresh = `${file}.new`;
  try {
    await client.query(`begin isolation level repeatable read read only; ${SETTINGS}; set local row_security = off`);
    await pipeline(Readable.from(linesOf(client)), createGzip(), createWriteStream(fresh, { mode: 0o600 }));
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    await client.end();
  }
};

async function* readLines(file: string): AsyncGenerator<Line> {
  const from = createReadStream(file);
  const text = createGunzip();
  from.once('error', (error) => text.destroy(error));
  from.pipe(text).setEncoding('utf8');
  let rest = '';
  for await (const part of text) {
    const lines = (rest + String(part)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as Line;
  }
}

type Backup = { file: string; head: Head; end: End; migrations: Migration[] };
/** The whole file is read before anything is made of it: one that was cut short or damaged restores nothing, nor one of another version. */
export const openBackup = async (file: string): Promise<Backup> => {
  let head: Head | undefined;
  let end: End | undefined;
  const sums = new Map<string, ReturnType<typeof newSum>>();
  let sum = newSum();
  try {
    for await (const line of readLines(file)) {
      if (typeof line === 'string') sum.add(line);
      else if ('table' in line) sums.set(line.table, (sum = newSum()));
      else if ('hatchway' in line) head = line;
      else if ('end' in line) end = line;
    }
  } catch (error) {
    throw new Refusal(`${file} cannot be read as a backup: ${(error as Error).message}.`, 1, { cause: error });
  }
  if (head?.format !== 1 || end === undefined) throw new Refusal(`${file} is no whole backup.`, 1);
  for (const [table, { count, digest }] of Object.entries(end.rows)) {
    const found = sums.get(table)?.value();
    if (found?.count !== count || found.digest !== digest) throw new Refusal(`${file} is damaged: the rows of ${table} are others.`, 1);
  }
  const known = readMigrations();
  for (const [name, checksum] of Object.entries(head.migrations))
    if (known.every((one) => one.name !== name || checksumOf(one) !== checksum))
      throw new Refusal(
        `${file} is of a version of Hatchway that has other migrations (${name}): restore it with that version or a newer one.`,
        1,
      );
  const ran = head.migrations;
  return { file, head, end, migrations: known.filter(({ name }) => name in ran) };
};

const insert = async (client: pg.Client, { table, columns }: Table, rows: string[]) =>
  client.query(
    `insert into ${table} (${columns.join(', ')}) overriding system value
     select ${columns.map((column) => `(r).${column}`).join(', ')} from (select one::public.backup_row as r from unnest($1::text[]) one offset 0) s`,
    [rows],
  );

/** Rows as `insert` reads them are of this type. */
const makeRowType = (client: pg.Client, { table, columns }: Table) =>
  client.query<{ make: string }>(
    `select format('drop type if exists public.backup_row; create type public.backup_row as (%s)',
       string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)) as make
     from pg_attribute where attrelid = $1::regclass and quote_ident(attname) = any($2)`,
    [table, columns],
  );

const load = async (client: pg.Client, file: string): Promise<void> => {
  let table: Table | undefined;
  let rows: string[] = [];
  const flush = async () => {
    if (table && rows.length > 0) await insert(client, table, rows);
    rows = [];
  };
  for await (const line of readLines(file)) {
    if (typeof line === 'string') {
      rows.push(line);
      if (rows.length === BATCH) await flush();
      continue;
    }
    await flush();
    if ('sequence' in line) await client.query('select setval($1::regclass, $2::bigint)', [line.sequence, line.value]);
    if (!('table' in line)) continue;
    table = line;
    const { rows: made } = await makeRowType(client, table);
    await client.query(made[0]?.make ?? '');
  }
  await client.query('drop type public.backup_row');
};

/** Statements that take away what stands in the way of loading, and those that put it back: then every reference is looked at. */
const obstacles = async (client: pg.Client): Promise<{ away: string[]; back: string[] }> => {
  const { rows } = await client.query<{ away: string; back: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as away,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid)) as back
     from pg_constraint k join pg_namespace n on n.oid = k.connamespace
     where n.nspname in ${SCHEMAS} and contype = 'f' and conparentid = 0
     union all
     select format('alter table %s no force row level security', c.oid::regclass), format('alter table %s force row level security', c.oid::regclass)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ${SCHEMAS} and relforcerowsecurity
     union all
     select format('alter table %s disable trigger user', c.oid::regclass), format('alter table %s enable trigger user', c.oid::regclass)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ${SCHEMAS} and relkind = 'r' and relhastriggers`,
  );
  return { away: rows.map(({ away }) => away), back: rows.map(({ back }) => back) };
};

/**
 * Into a database that holds nothing yet, whose roles and schema are made first, as far as the backup knows them; then the rows, in one
 * transaction that is kept only where each table holds what was saved; then what this version changes about them.
 */
export const restoreBackup = async (ownerUrl: string, appPassword: string, { file, head, end, migrations }: Backup): Promise<Restored> => {
  const client = await connect(ownerUrl);
  try {
    const { rows } = await client.query(`select from pg_tables where schemaname in ${SCHEMAS}`);
    if (rows.length > 0) throw new Refusal('The database to restore into holds tables already: make an empty one.', 1);
    await migrate(ownerUrl, { appPassword, migrations });
    await installJobs(ownerUrl);
    if ((await jobsVersion(client)) !== head.jobs)
      throw new Refusal(
        `${file} is of a version of Hatchway with another job queue: restore it with that version, then start this one.`,
        1,
      );
    await client.query(`begin; ${SETTINGS}; set local role ${OWNER}`);
    const { away, back } = await obstacles(client);
    await client.query(away.join(';'));
    await client.query(`truncate ${(await tablesOf(client)).map(({ table }) => table).join(', ')}`);
    await load(client, file);
    for (const table of await tablesOf(client)) {
      const { count, digest } = await sumOf(client, table);
      const saved = end.rows[table.table];
      if (saved && (saved.count !== count || saved.digest !== digest))
        throw new Refusal(`What was restored into ${table.table} is not what was saved; nothing was kept.`, 1);
    }
    await client.query(back.join(';'));
    await client.query('commit');
    await migrate(ownerUrl, { appPassword });
    await client.query('analyze');
  } finally {
    await client.end();
  }
  const sums = Object.values(end.rows);
  return { at: head.at, tables: sums.length, rows: sums.reduce((all, { count }) => all + count, 0) };
};
