import { sameTag } from '@hatchway/domain/codes.ts';
import type { Editor } from './edit.ts';
import { columnsOf, doorsOf, type Sketch, type SketchDoor } from './sketch.ts';

const placeOnController = (door: SketchDoor): string => `${door.compartment} ${sameTag(door.doorTag)}`;

/** Doors that are new in somebody's strokes and stand in what is saved by now, lock and tag alike: their key there, by the key here. */
function madeMeanwhile(mine: Editor, saved: Sketch): ReadonlyMap<string, string> {
  const before = new Set(doorsOf(mine.base).map((door) => door.key));
  const made = new Map(doorsOf(saved).flatMap((door) => (before.has(door.key) ? [] : [[placeOnController(door), door.key] as const])));
  const found = new Map<string, string>();
  // What was sent may be an earlier stroke than the last one.
  for (const sketch of made.size > 0 ? [mine.now, ...mine.past.toReversed()] : [])
    for (const door of doorsOf(sketch)) {
      const key = made.get(placeOnController(door));
      if (door.lockerId !== null || found.has(door.key) || key === undefined) continue;
      found.set(door.key, key);
      made.delete(placeOnController(door));
    }
  return found;
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
