import { doorTagOf, sameTag } from '@hatchway/domain/codes.ts';
import type { Hold } from '@hatchway/domain/layout.ts';
import { doorsOf, type Sketch, type SketchDoor } from './sketch.ts';

export type Numbering = { pattern: string; order: 'columns' | 'rows'; start: number };

/** Doors as they are counted: down each column, or along each row (by where a door begins). */
const inOrder = (sketch: Sketch, order: Numbering['order']): SketchDoor[] => {
  if (order === 'columns') return doorsOf(sketch);
  return sketch
    .flatMap(({ doors }, column) => {
      let above = 0;
      return doors.map((door) => {
        const top = above;
        above += door.height;
        return { door, top, column };
      });
    })
    .sort((a, b) => a.top - b.top || a.column - b.column)
    .map(({ door }) => door);
};

/** The letter with which no door tag begins, of a company whose tags end with `last`; A where it has none, or where they end with Z. */
const letterAfter = (last: string | null | undefined): string => {
  const code = last?.charCodeAt(0) ?? 0;
  return code >= 65 && code < 90 ? String.fromCharCode(code + 1) : 'A';
};

/** What a wall is numbered by that has no tags yet: after a wall of A comes one of B. */
export const freePattern = (last: string | null | undefined): string => `${letterAfter(last)}{nn}`;

/** By a column's letter and the place in it, as `tagsBy` writes them. */
const BY_PLACE = ['{c}{r}', '{c}-{r}'];
const isPlaced = (sketch: Sketch, pattern: string): boolean => {
  const tags = tagsBy(sketch, { pattern, order: 'columns', start: 1 }, null);
  return doorsOf(sketch).every((door) => door.hidden === true || sameTag(door.doorTag) === tags.get(door.key));
};

/** What tags follow, as far as the first numbered one of these doors tells; null where none is. */
const readOf = (doors: readonly SketchDoor[]): Numbering | null => {
  for (const { doorTag } of doors) {
    const [, before, digits] = /^([^#]*?)(\d{1,5})$/.exec(doorTag) ?? [];
    if (before !== undefined && digits !== undefined)
      return { pattern: `${before}{${'n'.repeat(digits.length)}}`, order: 'columns', start: Number(digits) };
  }
  return null;
};

/** What the wall's own tags follow, as far as its first numbered door tells. */
export const ownNumbering = (sketch: Sketch): Numbering => readOf(doorsOf(sketch)) ?? { pattern: 'A{nn}', order: 'columns', start: 1 };

/**
 * What another drawing of the same wall is numbered by: the wall's own pattern from the lowest number that it bears, since lower ones may be
 * another wall's. Null where its tags follow none.
 */
export const keptNumbering = (sketch: Sketch): Numbering | null => {
  const placed = sketch.length > 1 ? BY_PLACE.find((pattern) => isPlaced(sketch, pattern)) : undefined;
  if (placed !== undefined) return { pattern: placed, order: 'columns', start: 1 };
  const all = doorsOf(sketch).flatMap((door) => readOf([door]) ?? []);
  const [own] = all;
  if (own === undefined) return null;
  return { ...own, start: Math.min(...all.filter(({ pattern }) => pattern === own.pattern).map(({ start }) => start)) };
};

/**
 * With what the numbering of some doors begins: with the number that the first of them bears; where doors between them bear the next ones,
 * after the last that the wall bears, so that nobody is met by a fault that they did not make.
 */
export const begunFor = (sketch: Sketch, keys: ReadonlySet<string> | null): Numbering => {
  const whole = ownNumbering(sketch);
  if (keys === null) return whole;
  const own = readOf(doorsOf(sketch).filter(({ key }) => keys.has(key))) ?? whole;
  if (previewOf(sketch, tagsBy(sketch, own, keys), () => null).fault !== 'same') return own;
  const borne = doorsOf(sketch).flatMap((door) => readOf([door])?.start ?? []);
  return { ...own, start: Math.max(0, ...borne) + 1 };
};

/** What stands in braces and means nothing: the first such, as it is written. */
export const unknownIn = (pattern: string): string | null =>
  pattern.match(/\{[^{}]*\}/g)?.find((word) => !/^\{(?:n+|c|r)\}$/.test(word)) ?? null;

/** What is wrong with tags that all of a new wall's doors are to bear; null where nothing is. */
export const newFault = (sketch: Sketch): Preview['fault'] =>
  previewOf(sketch, new Map(doorsOf(sketch).map((door) => [door.key, door.doorTag])), () => null).fault;

const letter = (index: number): string => (index < 26 ? '' : letter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

/**
 * Tags by a pattern: `{n}` `{nn}` `{nnn}` is the number, with so many digits at least; `{c}` the column's letter; `{r}` the door's place in
 * its column, so that A1, A2, B1 … come about as well. A door that is not theirs who number keeps its tag, and its place in the count: where
 * it was numbered by the same pattern before, no other door is given what it bears.
 */
export const tagsBy = (
  sketch: Sketch,
  { pattern, order, start }: Numbering,
  keys: ReadonlySet<string> | null,
  isTheirs: (door: SketchDoor) => boolean = () => true,
): Map<string, string> => {
  const places = new Map(sketch.flatMap(({ doors }, column) => doors.map((door, row) => [door.key, { column, row }] as const)));
  const tags = new Map<string, string>();
  let number = start;
  for (const door of inOrder(sketch, order)) {
    if (keys !== null && !keys.has(door.key)) continue;
    const { column = 0, row = 0 } = places.get(door.key) ?? {};
    const tag = pattern
      .replaceAll(/\{(n+)\}/g, (_, digits: string) => String(number).padStart(digits.length, '0'))
      .replaceAll('{c}', letter(column))
      .replaceAll('{r}', String(row + 1));
    if (isTheirs(door)) tags.set(door.key, tag.trim().toUpperCase());
    number += 1;
  }
  return tags;
};

export type Preview = {
  /** Doors whose tag becomes another. */
  changes: { key: string; from: string; to: string; hold: Hold | null; isNew: boolean }[];
  /** A pattern that gives one tag twice, or one that a label cannot carry. */
  fault: 'same' | 'wrong' | null;
};

/** What the pattern would change, and whether it can be: nothing is renamed before somebody has seen this. */
export const previewOf = (sketch: Sketch, tags: ReadonlyMap<string, string>, holdOf: (lockerId: string) => Hold | null): Preview => {
  const doors = doorsOf(sketch);
  const after = doors.map((door) => sameTag(tags.get(door.key) ?? door.doorTag));
  const changes = doors.flatMap((door) => {
    const to = tags.get(door.key);
    if (to === undefined || to === door.doorTag) return [];
    const hold = door.lockerId === null ? null : holdOf(door.lockerId);
    return [{ key: door.key, from: door.doorTag, to, hold, isNew: door.lockerId === null }];
  });
  const wrong = [...tags.values()].some((tag) => doorTagOf(tag) === null);
  return { changes, fault: wrong ? 'wrong' : new Set(after).size < after.length ? 'same' : null };
};
