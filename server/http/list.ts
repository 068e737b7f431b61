import {
  sql,
  type CompiledQuery,
  type Expression,
  type QueryExecutorProvider,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';
import { LIMIT_MOST, type ListQuery, type Operator } from '@hatchway/contract/list.ts';
import { inUtc } from '@hatchway/domain/deadlines.ts';
import { endWithNext, type Tx } from '../db/database.ts';
import { madeOnce } from '../db/made-once.ts';
import type { Database } from '../db/schema.ts';
import { malformedAt } from './problem.ts';

/** A page: its rows, the cursor of the next one, and how many there are in all where the caller asked. */
export type Listed<T> = { rows: T extends readonly (infer R)[] ? R[] : never; next: string | null; total: number | null };

type SortType = 'timestamptz' | 'text' | 'int';
export type ListSpec = {
  /** The SQL behind each field that the contract declares. `array`: matches when it contains. */
  fields: Record<string, RawBuilder<unknown> | { array: RawBuilder<unknown> } | ((value: unknown) => Expression<SqlBool>)>;
  /** Never null (coalesce): a page ends at a value and an id. */
  sorts: Record<string, { column: RawBuilder<unknown>; type: SortType }>;
  id: RawBuilder<unknown>;
  text?: (words: string) => Expression<SqlBool>;
};

/**
 * For who reads a list page by page while others change it: `wanted` answers the ids of all of it in their order, and no rows; ids answer
 * those that are still there and in sight, in that order, whatever they have become. `last`: nothing is asked after the page's rows.
 */
export type Held = { ids?: 'wanted' | readonly string[]; last?: true };

/** The order of names by the company's language; the operator, who is of no company, has the English one. */
export const nameOrder = async (tx: QueryExecutorProvider, tenantId: string): Promise<RawBuilder<unknown>> => {
  if (tenantId === '') return sql`collate by_name_en`;
  const { rows } = await sql<{ locale: string }>`select locale from companies where id = ${tenantId}`.execute(tx);
  return rows[0]?.locale === 'en' ? sql`collate by_name_en` : sql`collate by_name_nb`;
};

/** Words at the beginnings of those of `body`. Without an index: for lists of which a company has few rows. */
export const wordsIn =
  (tenantId: string, body: RawBuilder<unknown>) =>
  (words: string): Expression<SqlBool> =>
    sql<SqlBool>`words_of(${tenantId}, ${body}) @@ (select words_wanted(${tenantId}, ${words}))`;

const COMPARE: Record<Exclude<Operator, '$in' | '$ne'>, RawBuilder<unknown>> = { $gt: sql`>`, $gte: sql`>=`, $lt: sql`<`, $lte: sql`<=` };

const comparison = (column: RawBuilder<unknown>, operator: string, value: unknown): RawBuilder<SqlBool> => {
  if (operator === '$in') return sql<SqlBool>`${column} = any(${value})`;
  if (operator === '$ne') return sql<SqlBool>`${column} is distinct from ${value}`;
  return sql<SqlBool>`${column} ${COMPARE[operator as keyof typeof COMPARE]} ${value}`;
};

/** Arrays match when they contain; null means empty. Greater and less mean nothing there. */
const containing = (field: string, column: RawBuilder<unknown>, wanted: unknown): Expression<SqlBool>[] => {
  if (wanted === null) return [sql<SqlBool>`cardinality(${column}) = 0`];
  if (typeof wanted !== 'object') return [sql<SqlBool>`${wanted} = any(${column})`];
  return Object.entries(wanted as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([operator, value]) => {
      if (operator === '$in') return sql<SqlBool>`${column} && ${value}`;
      if (operator === '$ne')
        return value === null ? sql<SqlBool>`cardinality(${column}) > 0` : sql<SqlBool>`not (${value} = any(${column}))`;
      throw malformedAt(`/query/q/${field}`, `${operator} has no meaning for a list`);
    });
};

/** Every list takes `tenantId`: the own company changes nothing, another one gives an empty list. The operator has none of their own. */
const conditions = (spec: ListSpec, tenantId: string, q: Record<string, unknown>): Expression<SqlBool>[] => {
  const fields: ListSpec['fields'] = { ...spec.fields, tenantId: sql`${tenantId || null}::uuid` };
  return Object.entries(q).flatMap(([field, wanted]): Expression<SqlBool>[] => {
    if (wanted === undefined) return [];
    if (field === '$text') return spec.text && typeof wanted === 'string' && wanted.trim() ? [spec.text(wanted)] : [];
    const known = fields[field];
    if (!known) throw new Error(`the contract declares ${field}, and no column stands behind it`);
    if (typeof known === 'function') return [known(wanted)];
    if ('array' in known) return containing(field, known.array, wanted);
    if (wanted === null) return [sql<SqlBool>`${known} is null`];
    if (typeof wanted !== 'object') return [sql<SqlBool>`${known} = ${wanted}`];
    return Object.entries(wanted)
      .filter(([, value]) => value !== undefined)
      .map(([operator, value]) => comparison(known, operator, value));
  });
};

/** What a row has several of, kept in a table of its own: asked there, so that what fits is found by that table's index. */
export const having =
  (id: RawBuilder<unknown>, field: string, none: RawBuilder<SqlBool>, holders: (values: readonly unknown[]) => RawBuilder<unknown>) =>
  (wanted: unknown): RawBuilder<SqlBool> => {
    if (wanted === null) return none;
    if (typeof wanted !== 'object') return sql<SqlBool>`${id} in ${holders([wanted])}`;
    const { $in, $ne, ...others } = wanted as { $in?: unknown[]; $ne?: unknown };
    if (Object.values(others).some((value) => value !== undefined)) throw malformedAt(`/query/q/${field}`, 'only a value, $in and $ne');
    const conditions = [
      ...($in ? [sql<SqlBool>`${id} in ${holders($in)}`] : []),
      ...($ne === undefined ? [] : [$ne === null ? sql<SqlBool>`not ${none}` : sql<SqlBool>`${id} not in ${holders([$ne])}`]),
    ];
    return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
  };

type Cursor = { s: string; v: string | number; i: string };
const writeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');
const readCursor = (raw: string, sort: string, type: SortType): Cursor => {
  try {
    const value = JSON.parse(Buffer.from(raw, 'base64url').toString()) as Cursor;
    const v = typeof value.v === 'string' && type === 'timestamptz' ? inUtc(value.v) : value.v;
    const fits = type === 'int' ? Number.isSafeInteger(v) : typeof v === 'string';
    if (value.s === sort && fits && v !== null && /^[0-9a-f-]{36}$/i.test(value.i)) return { ...value, v };
  } catch {
    // told below
  }
  throw malformedAt('/query/cursor', 'not a cursor of this list');
};

/** How many rows a page reads. A few numbers alone, since each is a statement of its own; a page of one length more knows that another follows. */
const PAGE_READS = [11, 26, 51, 101, 201, LIMIT_MOST + 1];
const readsOf = (limit: number): number => PAGE_READS.find((reads) => reads > limit) ?? limit + 1;

const CAST = { timestamptz: sql`::timestamptz`, text: sql`::text`, int: sql`::bigint` };

// oxlint-disable-next-line typescript/no-explicit-any -- the tables that a query joins are no business of paging
type Rows<O> = SelectQueryBuilder<Database, any, O>;
/** Rows that depend on the company alone. It must be a constant: the statement of a plain page of them is kept by it. */
export type RowsOfCompany<O> = (tx: Tx, tenantId: string) => Rows<O>;

type Asked = { tenantId: string; v?: string | number; i?: string };
type Found<O> = O & { __sort: string | number; __id: string };
type Values = Readonly<Record<string, string>>;
/** What leads to the rows of a page that hangs on nothing but these values, the newest first. The statement is kept by its name. */
export type KeptWay = { keptAs: string; asked: Values; where: (asked: Values & Asked, reads: number) => Expression<SqlBool> };
const plainPages = new WeakMap<object, Map<string, (tx: Tx, asked: Asked) => Promise<unknown[]>>>();
/** Kysely took a fifteenth of the time of a newest page to write its statement, and a fifth of that of a later one. */
const plainPage = <O>(from: RowsOfCompany<O>, key: string, make: (tx: Tx, asked: Asked) => CompiledQuery<Found<O>>) => {
  const made = plainPages.get(from) ?? new Map<string, (tx: Tx, asked: Asked) => Promise<unknown[]>>();
  plainPages.set(from, made);
  const read = made.get(key) ?? madeOnce(make);
  made.set(key, read);
  return read as (tx: Tx, asked: Asked) => Promise<Found<O>[]>;
};

/**
 * One page by key: the cost does not grow with depth. `from` is the query with what the caller may see already in it;
 * it must select the columns that `map` reads. Whoever sees only what fits one of `ways` gives those, each with an index in the order of
 * the page: every way is followed for one page's length, where an `or` of them would be looked for among everybody's rows.
 * A way that is kept is for a plain page alone: no other condition, no count, all in falling order.
 * `all`: the same rows, written to be gone through rather than to be read in order; those are counted.
 * Of words that nearly all rows hold, the page is found first and read then: all that a row is read with would be read of all of them.
 */
export const page = async <O, T>(
  tx: Tx,
  source: Rows<O> | RowsOfCompany<O>,
  spec: ListSpec,
  query: ListQuery & Held,
  tenantId: string,
  map: (row: O) => T,
  narrowed: readonly Expression<SqlBool>[] | KeptWay | null = null,
  all: Rows<O> | null = null,
): Promise<{ rows: T[]; next: string | null; total: number | null; ids?: string[] }> => {
  const descending = query.sort.startsWith('-');
  const name = descending ? query.sort.slice(1) : query.sort;
  const sorted = spec.sorts[name];
  if (!sorted) throw malformedAt('/query/sort', `cannot sort by ${name}`);
  const at = query.cursor === undefined ? null : readCursor(query.cursor, query.sort, sorted.type);
  const sort = sorted.type === 'text' ? { ...sorted, column: sql`${sorted.column} ${await nameOrder(tx, tenantId)}` } : sorted;
  const direction = descending ? sql`desc` : sql`asc`;
  const ordered = (of: Rows<O>) => of.orderBy(sql`${sort.column} ${direction}, ${spec.id} ${direction}`);
  const first = (of: Rows<O>) => ordered(of).limit(readsOf(query.limit));
  const after = (of: Rows<O>, v: unknown, i: unknown) =>
    of.where(sql<SqlBool>`(${sort.column}, ${spec.id}) ${descending ? sql`<` : sql`>`} (${v}${CAST[sort.type]}, ${i}::uuid)`);
  const read = (of: Rows<O>) => first(of).select([sql`${sort.column}`.as('__sort'), sql<string>`${spec.id}`.as('__id')]);
  const pageOf = (found: Found<O>[], total: number | null) => {
    const kept = found.slice(0, query.limit);
    const last = kept.at(-1);
    const next = found.length > query.limit && last ? writeCursor({ s: query.sort, v: last.__sort, i: last.__id }) : null;
    return { rows: kept.map(map), next, total };
  };
  const kept = narrowed && 'where' in narrowed ? narrowed : null;
  const isPlain =
    kept || (narrowed === null && query.ids === undefined && query.count !== 'true' && Object.keys(query.q ?? {}).length === 0);
  if (typeof source === 'function' && isPlain && sort === sorted) {
    const reads = readsOf(query.limit);
    const ask = plainPage<O>(source, `${query.sort} ${reads} ${at !== null} ${kept?.keptAs ?? ''}`, (asking, asked) => {
      const rows = source(asking, asked.tenantId);
      const found = kept ? rows.where(kept.where(asked as Values & Asked, reads)) : rows;
      return read(at === null ? found : after(found, asked.v, asked.i)).compile();
    });
    if (query.last) endWithNext(tx);
    return pageOf(await ask(tx, { tenantId, ...(at ? { v: at.v, i: at.i } : {}), ...kept?.asked }), null);
  }
  if (kept) throw new Error(`${kept.keptAs} leads to a plain page alone`);
  const ways = narrowed as readonly Expression<SqlBool>[] | null;
  const from = typeof source === 'function' ? source(tx, tenantId) : source;
  let rows = ways?.length === 1 && ways[0] ? from.where(ways[0]) : from;
  const { ids } = query;
  if (ids !== undefined && ids !== 'wanted') {
    const place = new Map(ids.map((id, index) => [id, index]));
    const still = (await (ways === null || ways.length === 1 ? rows : rows.where((eb) => eb.or(ways)))
      .where(sql<SqlBool>`${spec.id} = any(${ids}::uuid[])`)
      .select(sql<string>`${spec.id}`.as('__id'))
      .execute()) as (O & { __id: string })[];
    const inPlace = still.toSorted((a, b) => (place.get(a.__id) ?? 0) - (place.get(b.__id) ?? 0));
    return { rows: inPlace.map(map), next: null, total: null };
  }
  const searched = spec.text !== undefined && query.q?.['$text'] !== undefined;
  const several = ways !== null && ways.length !== 1 ? ways : searched ? [sql<SqlBool>`true`] : null;
  const wanted = conditions(spec, tenantId, query.q ?? {});
  for (const condition of wanted) rows = rows.where(condition);
  const whole = () => {
    const listed = all ?? from;
    let counted = ways?.length === 1 && ways[0] ? listed.where(ways[0]) : listed;
    for (const condition of wanted) counted = counted.where(condition);
    return several ? counted.where((eb) => eb.or(several)) : counted;
  };
  const total =
    query.count === 'true'
      ? await whole()
          .clearSelect()
          .select(sql<number>`count(*)::int`.as('count'))
          .executeTakeFirst()
      : null;
  if (ids === 'wanted') {
    const found = await ordered(whole().clearSelect() as typeof rows)
      .select(sql<string>`${spec.id}`.as('id'))
      .execute();
    return { rows: [], next: null, total: null, ids: found.map(({ id }) => id) };
  }
  if (at !== null) rows = after(rows, at.v, at.i);
  if (several?.length === 0) rows = rows.where(sql<SqlBool>`false`);
  else if (several) {
    const firsts = several.map(
      (way) =>
        sql`${first(
          rows
            .clearSelect()
            .select(sql`${spec.id}`.as('id'))
            .where(way) as typeof rows,
        )}`,
    );
    rows = from.where(sql<SqlBool>`${spec.id} in (${sql.join(firsts, sql` union all `)})`);
  }
  if (query.last) endWithNext(tx);
  return pageOf((await read(rows).execute()) as Found<O>[], total ? total.count : null);
};

/** `Link: <…>; rel="next"` of the same address with its cursor. */
export const nextLink = (url: string, cursor: string): string => {
  const next = new URL(url, 'http://x');
  next.searchParams.set('cursor', cursor);
  return `<${next.pathname}${next.search}>; rel="next"`;
};
