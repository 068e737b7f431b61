import { sameTag } from '@hatchway/domain/codes.ts';
import type { Editor } from './edit.ts';
import { columnsOf, doorsOf, type Sketch, type SketchDoor } from './sketch.ts';

/** Whether the saved wall is the drawn one, door for door: where the drawing has a new one, it bears its tag and lock, and is new there too. */
function isBuilt(drawn: Sketch, saved: Sketch, before: ReadonlySet<string>): boolean {
  const stands = (door: SketchDoor, there: SketchDoor | undefined): boolean =>
    there !== undefined &&
    (door.lockerId === null
      ? !before.has(there.key) && door.compartment === there.compartment && sameTag(door.doorTag) === sameTag(there.doorTag)
      : door.key === there.key);
  return (
    drawn.length === saved.length &&
    drawn.every(({ doors }, at) => {
      const there = saved[at]?.doors ?? [];
      return doors.length === there.length && doors.every((door, row) => stands(door, there[row]));
    })
  );
}

/**
 * Doors that are new in somebody's strokes and were made by a saving of theirs: their key there, by the key here. Only where the whole wall
 * stands as they drew it: two who draw at once are given the same next tag and lock for doors of their own.
 */
function madeMeanwhile(mine: Editor, saved: Sketch): ReadonlyMap<string, string> {
  const before = new Set(doorsOf(mine.base).map((door) => door.key));
  // What was sent may be an earlier stroke than the last one.
  const sent = [mine.now, ...mine.past.toReversed()].find((sketch) => isBuilt(sketch, saved, before));
  const there = doorsOf(saved);
  return new Map(
    doorsOf(sent ?? []).flatMap((door, at) => {
      const key = there[at]?.key;
      return door.lockerId === null && key !== undefined ? [[door.key, key] as const] : [];
    }),
  );
}

/**
 * What is saved by now, put under somebody's strokes: shown instead of them (`theirs`; undo brings them back), or kept under them (`mine`).
 * Strokes whose saving was done though its answer was lost meet their own doors there, which are not made again.
 */
export function rebased(mine: Editor, saved: Sketch, how: 'theirs' | 'mine'): Editor {
  const made = madeMeanwhile(mine, saved);
  const met = (sketch: Sketch): Sketch =>
    sketch.map((column) => ({
      ...column,
      doors: column.doors.map((door) => {
        const key = made.get(door.key);
        return key === undefined ? door : { ...door, key, lockerId: key };
      }),
    }));
  const now = met(mine.now);
  const past = mine.past.map(met);
  const asSaved = JSON.stringify(columnsOf(now, saved)) === JSON.stringify(columnsOf(saved, saved));
  return {
    ...mine,
    base: saved,
    now: how === 'theirs' || asSaved ? saved : now,
    past: how === 'theirs' ? [...past, now] : past,
    future: [],
    refused: null,
  };
}
