import { layoutDiff, type DrawnDoor, type LayoutDiff } from '@hatchway/domain/layout.ts';
import { doorsOf, drawingOf, type Sketch } from './sketch.ts';
import { compare } from './tags.ts';

type Effect = Pick<LayoutDiff, 'added' | 'removed' | 'renamed' | 'rewired'> & {
  readonly resized: readonly { readonly door: DrawnDoor; readonly from: DrawnDoor }[];
  /** Moved, or changed in anything that none of the others tells. */
  readonly rest: readonly DrawnDoor[];
};

/** As whoever walks along the wall to change its labels reads them: 2 before 10. */
const byTag = <T>(all: readonly T[], tag: (one: T) => string): T[] => all.toSorted((a, b) => compare(tag(a), tag(b)));
const drawn = ({ doorTag }: DrawnDoor): string => doorTag;
const bears = ({ door }: { readonly door: DrawnDoor }): string => door.doorTag;

/** What saving does to each door. One that gets another tag as well is told of under both: a number hides no change of its height. */
export const effectOf = (base: Sketch, now: Sketch): Effect => {
  const { added, removed, renamed, rewired, described, moved } = layoutDiff(drawingOf(base), drawingOf(now));
  const before = new Map(doorsOf(base).map((door) => [door.lockerId, door]));
  const changed = [...new Set([...described, ...moved])];
  const resized = changed.flatMap((door) => {
    const from = before.get(door.lockerId);
    return from !== undefined && (from.size !== door.size || from.height !== door.height) ? [{ door, from }] : [];
  });
  const told = new Set(resized.map(({ door }) => door));
  return {
    added: byTag(added, drawn),
    removed: byTag(removed, drawn),
    renamed: byTag(renamed, ({ from }) => from),
    rewired: byTag(rewired, bears),
    resized: byTag(resized, bears),
    rest: byTag(
      changed.filter((door) => !told.has(door)),
      drawn,
    ),
  };
};
