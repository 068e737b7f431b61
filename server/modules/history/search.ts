import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { carrying } from '../occupations/queries.ts';

type Condition = RawBuilder<SqlBool>;
const WORDS_AT_MOST = 12;
/** Beyond these, names are followed together: one way for each would make a question as long as a company is large. */
const NAMES_ALONE = 12;

type Found = { names: string[]; lockers: string[]; occupations: string[]; assets: string[] };

/** What the word is the beginning of: a name that the company knows, a door, a use (its receiver, order, content) or an asset. */
const find = async (tx: Tx, word: string): Promise<Found> => {
  const { rows } = await sql<Found>`select array(select search_actors(${word})) as names,
    array(select search_lockers(${word})) as lockers,
    array(${carrying(word)}) as occupations,
    array(select search_assets(${word})) as assets`.execute(tx);
  return rows[0] ?? { names: [], lockers: [], occupations: [], assets: [] };
};

/** Not somebody who came with a link or code alone: the index of names is of the others (migration 041). */
const known = sql<SqlBool>`not (e.actor_kind = 'person' and e.actor_id is null)`;

/** Each with an index in the order of time, or of few rows. The lists are given, not asked for inside: the planner sees how long they are. */
const waysTo = (word: string, found: Found): Condition[] => {
  const [alone, together] = [found.names.slice(0, NAMES_ALONE), found.names.slice(NAMES_ALONE)];
  const any = (column: string, of: readonly string[]): Condition[] =>
    of.length === 0 ? [] : [sql<SqlBool>`${sql.ref(column)} = any(${of})`];
  return [
    ...alone.map((name) => sql<SqlBool>`e.actor_name = ${name} and ${known}`),
    ...any('e.actor_name', together).map((way) => sql<SqlBool>`${way} and ${known}`),
    sql<SqlBool>`e.id in (select search_visits(${word}))`,
    ...any('e.locker_id', found.lockers),
    ...any('e.occupation_id', found.occupations),
    ...any('e.asset_id', found.assets),
  ];
};

/**
 * Events that every word fits, as ways of a page: each is followed for one page's length, so that neither a word that nearly all fit nor
 * one that nearly none fits reads the whole history. Null where nothing is searched for.
 */
export const waysOfWords = async (tx: Tx, text: unknown): Promise<Condition[] | null> => {
  if (typeof text !== 'string' || text.trim() === '') return null;
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_AT_MOST);
  const found: Condition[][] = [];
  for (const word of words) found.push(waysTo(word, await find(tx, word)));
  const [first = [], ...others] = found;
  return first.map((way) => others.reduce((both, ways) => sql<SqlBool>`${both} and (${sql.join(ways, sql` or `)})`, way));
};
