import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { carrying } from '../occupations/queries.ts';

type Condition = RawBuilder<SqlBool>;
const WORDS_AT_MOST = 12;
/** Names of people, keys and cabinets that a company's history is looked through for; each costs one step along an index. */
const NAMES_AT_MOST = 5_000;
/** Beyond these, names are followed together: one way for each would make a question as long as a company is large. */
const NAMES_ALONE = 12;

/** Every name that did something, by the index alone: from each one straight to the next. */
const names = (tenantId: string, word: string) => sql`array(
  with recursive known (name, step) as (
    (select e.actor_name, 1 from events e where e.tenant_id = ${tenantId} and e.actor_name is not null order by e.actor_name limit 1)
    union all
    select (select e.actor_name from events e where e.tenant_id = ${tenantId} and e.actor_name > known.name order by e.actor_name limit 1),
      known.step + 1
    from known where known.name is not null and known.step < ${NAMES_AT_MOST})
  select name from known where name is not null and words_of(${tenantId}, name) @@ words_wanted(${tenantId}, ${word}))`;

type Found = { names: string[]; lockers: string[]; occupations: string[]; assets: string[] };

/** What the word is the beginning of: a name, a door, a use (its receiver, order, content) or an asset. */
const find = async (tx: Tx, tenantId: string, word: string): Promise<Found> => {
  const { rows } = await sql<Found>`select ${names(tenantId, word)} as names,
    array(select search_lockers(${word})) as lockers,
    array(${carrying(word)}) as occupations,
    array(select search_assets(${word})) as assets`.execute(tx);
  return rows[0] ?? { names: [], lockers: [], occupations: [], assets: [] };
};

/** Each with an index in the order of time, or of few rows. The lists are given, not asked for inside: the planner sees how long they are. */
const waysTo = (found: Found): Condition[] => {
  const [alone, together] = [found.names.slice(0, NAMES_ALONE), found.names.slice(NAMES_ALONE)];
  const any = (column: string, of: readonly string[]): Condition[] =>
    of.length === 0 ? [] : [sql<SqlBool>`${sql.ref(column)} = any(${of})`];
  return [
    ...alone.map((name) => sql<SqlBool>`e.actor_name = ${name}`),
    ...any('e.actor_name', together),
    ...any('e.locker_id', found.lockers),
    ...any('e.occupation_id', found.occupations),
    ...any('e.asset_id', found.assets),
  ];
};

/**
 * Events that every word fits, as ways of a page: each is followed for one page's length, so that neither a word that nearly all fit nor
 * one that nearly none fits reads the whole history. Null where nothing is searched for.
 */
export const waysOfWords = async (tx: Tx, tenantId: string, text: unknown): Promise<Condition[] | null> => {
  if (typeof text !== 'string' || text.trim() === '') return null;
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_AT_MOST);
  const found: Condition[][] = [];
  for (const word of words) found.push(waysTo(await find(tx, tenantId, word)));
  const [first = [], ...others] = found;
  if (others.some((ways) => ways.length === 0)) return [];
  return first.map((way) => others.reduce((both, ways) => sql<SqlBool>`${both} and (${sql.join(ways, sql` or `)})`, way));
};
