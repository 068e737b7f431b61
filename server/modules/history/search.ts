import { sql, type SqlBool } from 'kysely';
import { piecesOf } from '@hatchway/domain/words.ts';
import type { Tx } from '../../db/database.ts';
import { malformedAt } from '../../http/problem.ts';
import { carrying } from '../occupations/queries.ts';
import { both, each, either, only, type Ground } from './ways.ts';

/** Each is looked for by itself, in all that the company has. */
const WORDS_AT_MOST = 12;

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

/** The lists are given, not asked for inside: the planner sees how long they are. */
const fitting = (word: string, found: Found): Ground => {
  const any = (column: string, of: readonly string[]): Ground[] =>
    of.length === 0 ? [] : [only(sql<SqlBool>`${sql.ref(column)} = any(${of})`)];
  return either(
    both(each('e.actor_name', found.names), only(known)),
    only(sql<SqlBool>`e.id in (select search_visits(${word}))`),
    ...any('e.locker_id', found.lockers),
    ...any('e.occupation_id', found.occupations),
    ...any('e.asset_id', found.assets),
  );
};

/**
 * Events that every word fits: each way is followed for one page's length, so that neither a word that nearly all fit nor
 * one that nearly none fits reads the whole history. Null where nothing is searched for. Throws `malformed` for more words than it looks for.
 */
export const wordsSearched = async (tx: Tx, text: unknown): Promise<Ground | null> => {
  if (typeof text !== 'string' || text.trim() === '') return null;
  const words = piecesOf(text);
  if (words.length > WORDS_AT_MOST) throw malformedAt('/query/q', `$text: ${WORDS_AT_MOST} words at most`);
  const found: Ground[] = [];
  for (const word of words) found.push(fitting(word, await find(tx, word)));
  const [first = either(), ...others] = found;
  // The first is followed, and the others are asked for.
  return others.reduce((fit, { one }) => both(fit, only(one)), first);
};
