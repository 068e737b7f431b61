import { sql, type SqlBool } from 'kysely';
import { identifierForm } from '@hatchway/domain/identifier.ts';
import { piecesOf } from '@hatchway/domain/words.ts';
import type { Tx } from '../../db/database.ts';
import type { KeptWay } from '../../http/list.ts';
import { malformedAt } from '../../http/problem.ts';
import { both, each, either, only, type Ground } from './ways.ts';

/** Each is looked for by itself, in all that the company has. */
const WORDS_AT_MOST = 12;

/** What visitors did is told one by one up to so many, and asked for inside of the page beyond. */
const FEW = 200;

/** Ids stay as PostgreSQL writes a list of them: they are given back to it as they came. */
type Ids = string;
const NO_IDS: Ids = '{}';
type Found = { names: string[]; lockers: Ids; assets: Ids; occupations: Ids; visits: Ids | null };
const NONE: Found = { names: [], lockers: NO_IDS, assets: NO_IDS, occupations: NO_IDS, visits: NO_IDS };

/** What the word is the beginning of: a name that the company knows, a door, a use (its receiver, order, content), an asset, or a visitor's name. */
const find = async (tx: Tx, word: string): Promise<Found> => {
  const { rows } = await sql<Found>`select names, lockers::text, assets::text, occupations::text, visits::text
    from search_known(${word}, ${identifierForm(word)}, ${FEW}, null, null, null)`.execute(tx);
  return rows[0] ?? NONE;
};

/** Not somebody who came with a link or code alone: the index of names is of the others (migration 041). */
const known = sql<SqlBool>`not (e.actor_kind = 'person' and e.actor_id is null)`;

/** The lists are given, not asked for inside: the planner sees how long they are. */
const fitting = (word: string, found: Found): Ground => {
  const any = (column: string, of: Ids): Ground[] => (of === NO_IDS ? [] : [only(sql<SqlBool>`${sql.ref(column)} = any(${of}::uuid[])`)]);
  return either(
    both(each('e.actor_name', found.names), only(known)),
    ...(found.visits === null ? [only(sql<SqlBool>`e.id in (select search_visits(${word}))`)] : any('e.id', found.visits)),
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
  const found = await Promise.all(words.map(async (word) => fitting(word, await find(tx, word))));
  const [first = either(), ...others] = found;
  // The first is followed, and the others are asked for.
  return others.reduce((fit, { one }) => both(fit, only(one)), first);
};

const ofOneWord: KeptWay['where'] = ({ word, form, v, i }, reads) =>
  sql<SqlBool>`e.id = any((select (search_known(${word}, ${form}, ${FEW}, ${sql.lit(reads)},
    ${v ?? sql.lit('infinity')}::timestamptz, ${i ?? sql.lit('ffffffff-ffff-ffff-ffff-ffffffffffff')}::uuid)).events)::uuid[])`;

/** `wordsSearched` of one word, for the newest of the whole history: found by the statement that reads the page. Null for none or several. */
export const oneWordSearched = (text: unknown): KeptWay | null => {
  const [word, ...others] = typeof text === 'string' ? piecesOf(text) : [];
  if (word === undefined || others.length > 0) return null;
  return { keptAs: 'a word', asked: { word, form: identifierForm(word) }, where: ofOneWord };
};
