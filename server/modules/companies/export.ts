import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { FileAnswer } from '../../http/serve.ts';
import { OWN_TABLES } from './commands.ts';
import { standingCompany } from './queries.ts';

/** What passes through (messages on their way out, answers kept for repeats) and what maps public words to companies. */
const LEFT_OUT: ReadonlySet<string> = new Set(['outbox', 'idempotency', 'public_refs']);
export const EXPORTED = OWN_TABLES.filter((table) => !LEFT_OUT.has(table));
type Table = (typeof EXPORTED)[number];

/** Secrets are named by what was done to them, and none leaves; `words` and `sort_name` are only how rows are found. A test holds every column of bytes against it. */
export const isLeftOut = (column: string): boolean => /_(hash|sealed)$/.test(column) || column === 'words' || column === 'sort_name';

const ROWS = 1_000;
type Row = { at: string[]; row: Record<string, unknown> };

/** What tells the rows of a table apart, behind the tenant: its primary key, as the catalogue has it (a test compares the two). */
const KEYS: Partial<Record<Table, readonly (readonly [column: string, type: 'uuid' | 'text' | 'int4'])[]>> = {
  asset_group_members: [
    ['asset_group_id', 'uuid'],
    ['asset_id', 'uuid'],
  ],
  asset_identifiers: [
    ['kind', 'text'],
    ['value', 'text'],
  ],
  tool_assets: [['asset_id', 'uuid']],
  group_members: [
    ['group_id', 'uuid'],
    ['account_id', 'uuid'],
  ],
  directory_members: [
    ['source', 'text'],
    ['group_ref', 'text'],
    ['person_ref', 'text'],
  ],
  files: [
    ['id', 'uuid'],
    ['width', 'int4'],
  ],
};
const ID = [['id', 'uuid']] as const;
export const keysOf = (table: Table) => KEYS[table] ?? ID;

/** One short transaction a page: nothing is held while somebody fetches slowly. */
const pageOf = async (tx: Tx, tenantId: string, table: Table, after: readonly string[] | null): Promise<Row[]> => {
  const keys = keysOf(table);
  const columns = sql.join(keys.map(([column]) => sql`t.${sql.id(column)}`));
  const values = (after ?? []).map((value, index) => sql`${value}::${sql.raw(keys[index]?.[1] ?? 'uuid')}`);
  const { rows } = await sql<Row>`
    select array[${sql.join(keys.map(([column]) => sql`t.${sql.id(column)}::text`))}] as at, to_jsonb(t) as row
    from ${sql.table(table)} t
    where t.tenant_id = ${tenantId} ${after === null ? sql`` : sql`and (${columns}) > (${sql.join(values)})`}
    order by ${columns} limit ${ROWS}`.execute(tx);
  return rows;
};

const members = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('memberships as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .where('m.tenant_id', '=', tenantId)
    .select(['a.id', 'a.name', 'a.email', 'a.tlf', 'a.locale'])
    .orderBy('a.id')
    .execute();

const line = (table: string, row: unknown): string => `${JSON.stringify({ table, row })}\n`;
const kept = (row: Record<string, unknown>) => Object.fromEntries(Object.entries(row).filter(([column]) => !isLeftOut(column)));

/**
 * All that is a company's own, a line of JSON for each row (`{table, row}`), without its secrets: what it takes along when it leaves.
 * Written while it is fetched, so rows that change meanwhile come as they are then. Throws `not-found`, `gone` before it begins.
 */
export const exportCompany = async (deps: Deps, id: string): Promise<FileAnswer> => {
  const found = await deps.db.operator((tx) => standingCompany(tx, id));
  const text = async function* (): AsyncGenerator<string> {
    yield line('companies', found);
    for (const account of await deps.db.tenant(id, (tx) => members(tx, id))) yield line('accounts', account);
    for (const table of EXPORTED) {
      for (let after: string[] | null = null; ;) {
        const at: string[] | null = after;
        const rows: Row[] = await deps.db.tenant(id, (tx) => pageOf(tx, id, table, at));
        if (rows.length > 0) yield rows.map(({ row }) => line(table, kept(row))).join('');
        if (rows.length < ROWS) break;
        after = rows.at(-1)?.at ?? null;
      }
    }
  };
  return {
    stream: Readable.from(text(), { objectMode: true, highWaterMark: 1 }),
    name: `${found.name} ${deps.now().toISOString().slice(0, 10)}.jsonl`,
  };
};
