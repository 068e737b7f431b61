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

const drawnBy = (mine: Editor): Sketch[] => [mine.now, ...mine.past.toReversed(), ...mine.future];

/**
 * Doors that are new in somebody's strokes and were made by a saving of theirs: their key there, by the key here. Only where the whole wall
 * stands as they drew it: two who draw at once are given the same next tag and lock for doors of their own.
 */
function madeMeanwhile(mine: Editor, saved: Sketch): ReadonlyMap<string, string> {
  const before = new Set(doorsOf(mine.base).map((door) => door.key));
  // What was sent may be another stroke than the last one.
  const sent = drawnBy(mine).find((sketch) => isBuilt(sketch, saved, before));
  const there = doorsOf(saved);
  return new Map(
    doorsOf(sent ?? []).flatMap((door, at) => {
      const key = there[at]?.key;
      return door.lockerId === null && key !== undefined ? [[door.key, key] as const] : [];
    }),
  );
}

const meeting = (sketch: Sketch, made: ReadonlyMap<string, string>): Sketch =>
  sketch.map((column) => ({
    ...column,
    doors: column.doors.map((door) => {
      const key = made.get(door.key);
      return key === undefined ? door : { ...door, key, lockerId: key };
    }),
  }));

const isSame = (drawn: Sketch, saved: Sketch): boolean =>
  JSON.stringify(columnsOf(drawn, saved)) === JSON.stringify(columnsOf(saved, saved));

/**
 * Which of somebody's strokes is what is saved by now, in all that is said of each door: their own saving, whose answer was lost. None where
 * what is saved is what they began with: then it tells nothing of them.
 */
export function ownSaved(mine: Editor, saved: Sketch): Sketch | undefined {
  if (isSame(mine.base, saved)) return undefined;
  const made = madeMeanwhile(mine, saved);
  return drawnBy(mine).find((sketch) => isSame(meeting(sketch, made), saved));
}

/**
 * What is saved by now, put under somebody's strokes: shown instead of them (`theirs`; undo brings them back), or kept under them (`mine`).
 * Strokes whose saving was done though its answer was lost meet their own doors there, which are not made again.
 */
export function rebased(mine: Editor, saved: Sketch, how: 'theirs' | 'mine'): Editor {
  const made = madeMeanwhile(mine, saved);
  const now = meeting(mine.now, made);
  const past = mine.past.map((sketch) => meeting(sketch, made));
  return {
    ...mine,
    base: saved,
    now: how === 'theirs' || isSame(now, saved) ? saved : now,
    past: how === 'theirs' ? [...past, now] : past,
    future: [],
    refused: null,
  };
}
