import {
  COLUMN_WIDTH,
  COLUMNS_AT_MOST,
  DOOR_HEIGHT,
  DOORS_AT_MOST,
  layoutDiff,
  lostDoors,
  reachAt,
  type Hold,
} from '@hatchway/domain/layout.ts';
import {
  doorAt,
  doorsOf,
  drawingOf,
  makeDoor,
  placeOf,
  sizeFor,
  SNAP,
  snapped,
  totalOf,
  type NewDoor,
  type Place,
  type Sketch,
  type SketchColumn,
  type SketchDoor,
} from './sketch.ts';

export type Fields = Partial<Pick<SketchDoor, 'doorTag' | 'compartment' | 'size' | 'reach' | 'name' | 'services' | 'policyRef'>>;
export type Action =
  | { kind: 'add-door'; door: NewDoor; at: Place }
  | { kind: 'add-column'; at: number; width?: number }
  | { kind: 'move-door'; key: string; to: Place }
  | { kind: 'move-column'; key: string; to: number }
  | { kind: 'remove'; keys: readonly string[] }
  | { kind: 'remove-column'; key: string }
  | { kind: 'split'; key: string; parts: number }
  | { kind: 'merge'; keys: readonly string[] }
  | { kind: 'height'; keys: readonly string[]; height: number }
  /** Moves the border below a door; the next one gives or takes what it needs. */
  | { kind: 'border'; key: string; by: number }
  | { kind: 'width'; key: string; width: number }
  | { kind: 'describe'; keys: readonly string[]; fields: Fields }
  | { kind: 'tags'; tags: ReadonlyMap<string, string> }
  | { kind: 'replace'; sketch: Sketch }
  | { kind: 'undo' }
  | { kind: 'redo' };

export type Refusal =
  | { readonly code: 'held'; readonly tags: readonly { readonly tag: string; readonly hold: Hold }[] }
  | { readonly code: 'not-neighbours' | 'too-small' | 'too-many' | 'gone' };

export type Editor = {
  /** As it is saved. */
  readonly base: Sketch;
  readonly now: Sketch;
  readonly past: readonly Sketch[];
  readonly future: readonly Sketch[];
  /** For the keys of doors and columns that are not made yet. */
  readonly next: number;
  /** Why the last action changed nothing. */
  readonly refused: Refusal | null;
};
/** Strokes that can be taken back. */
const REMEMBERED = 200;

export const editorOf = (base: Sketch): Editor => ({ base, now: base, past: [], future: [], next: 1, refused: null });
type HoldOf = (lockerId: string) => Hold | null;

/**
 * One stroke. An action that would lose a door in use or in doubt, or that cannot be drawn, changes nothing and says why in `refused`.
 * Whatever comes out has every key once, no door below the least height, and each tag and lock at most once where that held before and
 * the action itself gave no other.
 */
export function edit(editor: Editor, action: Action, holdOf: HoldOf): Editor {
  if (action.kind === 'undo' || action.kind === 'redo') return walk(editor, action.kind, holdOf);
  const drawn = draw(editor, action.kind === 'merge' ? { ...action, keys: heldFirst(editor.now, action.keys, holdOf) } : action);
  if ('code' in drawn) return { ...editor, refused: drawn };
  const { sketch, made } = drawn;
  const held = newlyLost(editor, sketch, holdOf);
  if (held) return { ...editor, refused: held };
  if (sketch === editor.now) return { ...editor, refused: null };
  return {
    ...editor,
    now: sketch,
    past: [...editor.past, editor.now].slice(-REMEMBERED),
    future: [],
    next: editor.next + made,
    refused: null,
  };
}

function walk(editor: Editor, kind: 'undo' | 'redo', holdOf: HoldOf): Editor {
  const { past, future, now } = editor;
  const to = kind === 'undo' ? past.at(-1) : future[0];
  if (to === undefined) return { ...editor, refused: null };
  // Somebody may have put something in since.
  const held = newlyLost(editor, to, holdOf);
  if (held) return { ...editor, refused: held };
  return kind === 'undo'
    ? { ...editor, now: to, past: past.slice(0, -1), future: [now, ...future], refused: null }
    : { ...editor, now: to, past: [...past, now], future: future.slice(1), refused: null };
}

/** Of doors that are joined the first one stays: that is one in use where there is one, in whatever order they were chosen. */
function heldFirst(now: Sketch, keys: readonly string[], holdOf: HoldOf): string[] {
  const isHeld = (key: string): boolean => {
    const lockerId = doorAt(now, key)?.lockerId;
    return lockerId != null && holdOf(lockerId) !== null;
  };
  return keys.toSorted((a, b) => Number(isHeld(b)) - Number(isHeld(a)));
}

/** Doors that must not be lost and would be by this, though not by what is drawn already. */
function newlyLost(editor: Editor, sketch: Sketch, holdOf: HoldOf): Refusal | null {
  const lostBy = (one: Sketch) => lostDoors(layoutDiff(drawingOf(editor.base), drawingOf(one)), holdOf);
  const already = new Set(lostBy(editor.now).map((door) => `${door.how} ${door.lockerId}`));
  const lost = lostBy(sketch).filter((door) => !already.has(`${door.how} ${door.lockerId}`));
  return lost.length === 0 ? null : { code: 'held', tags: lost.map(({ doorTag, hold }) => ({ tag: doorTag, hold })) };
}

type Drawn = { sketch: Sketch; made: number } | Refusal;
const same = (sketch: Sketch, made = 0): Drawn => ({ sketch, made });
const put = <T>(list: readonly T[], at: number, ...what: T[]): T[] => [...list.slice(0, at), ...what, ...list.slice(at)];
const clamp = (value: number, most: number): number => Math.max(0, Math.min(most, value));
const column = (sketch: Sketch, at: number, change: (one: SketchColumn) => SketchColumn): Sketch =>
  sketch.map((one, index) => (index === at ? change(one) : one));
const doors = (sketch: Sketch, change: (door: SketchDoor) => SketchDoor): Sketch =>
  sketch.map((one) => {
    const changed = one.doors.map(change);
    return changed.every((door, at) => door === one.doors[at]) ? one : { ...one, doors: changed };
  });
/** The size follows the height while it says what the height says. */
const tall = (door: SketchDoor, height: number): SketchDoor => ({
  ...door,
  height,
  size: door.size === sizeFor(door.height) ? sizeFor(height) : door.size,
});

function draw(editor: Editor, action: Exclude<Action, { kind: 'undo' | 'redo' }>): Drawn {
  const { now } = editor;
  const key = (n = 0) => `new-${editor.next + n}`;
  switch (action.kind) {
    case 'add-door':
      return addDoor(now, key(), action);
    case 'add-column': {
      if (now.length >= COLUMNS_AT_MOST) return { code: 'too-many' };
      const beside = now[clamp(action.at, now.length) - 1] ?? now[0];
      const width = snapped(action.width ?? beside?.width ?? 450, SNAP.width, COLUMN_WIDTH);
      return same(put(now, clamp(action.at, now.length), { key: key(), width, doors: [] }), 1);
    }
    case 'move-door':
      return moveDoor(now, action);
    case 'move-column': {
      const from = now.findIndex((one) => one.key === action.key);
      const moved = now[from];
      if (!moved) return { code: 'gone' };
      const rest = now.filter((one) => one !== moved);
      const to = clamp(action.to, rest.length);
      return to === from ? same(now) : same(put(rest, to, moved));
    }
    case 'remove': {
      const gone = new Set(action.keys);
      return same(
        now.map((one) =>
          one.doors.some((door) => gone.has(door.key)) ? { ...one, doors: one.doors.filter((door) => !gone.has(door.key)) } : one,
        ),
      );
    }
    case 'remove-column':
      return now.some((one) => one.key === action.key) ? same(now.filter((one) => one.key !== action.key)) : { code: 'gone' };
    case 'split':
      return split(now, key, action);
    case 'merge':
      return merge(now, action.keys);
    case 'height': {
      const height = snapped(action.height, SNAP.height, DOOR_HEIGHT);
      return same(doors(now, (door) => (action.keys.includes(door.key) && door.height !== height ? tall(door, height) : door)));
    }
    case 'border':
      return border(now, action);
    case 'width': {
      const at = now.findIndex((one) => one.key === action.key);
      if (at < 0) return { code: 'gone' };
      const width = snapped(action.width, SNAP.width, COLUMN_WIDTH);
      return now[at]?.width === width ? same(now) : same(column(now, at, (one) => ({ ...one, width })));
    }
    case 'describe':
      return same(doors(now, (door) => (action.keys.includes(door.key) ? { ...door, ...action.fields } : door)));
    case 'tags':
      return same(
        doors(now, (door) => (action.tags.has(door.key) ? { ...door, doorTag: action.tags.get(door.key) ?? door.doorTag } : door)),
      );
    case 'replace':
      return same(action.sketch, doorsOf(action.sketch).length + action.sketch.length);
  }
}

function addDoor(now: Sketch, key: string, { door, at }: Extract<Action, { kind: 'add-door' }>): Drawn {
  // The first door of an empty wall brings its column.
  if (now.length === 0) return { sketch: [{ key: `${key}-column`, width: 450, doors: [makeDoor([], key, door, '')] }], made: 1 };
  const index = clamp(at.column, now.length - 1);
  const into = now[index];
  if (!into) return { code: 'gone' };
  if (into.doors.length >= DOORS_AT_MOST) return { code: 'too-many' };
  const row = clamp(at.row, into.doors.length);
  const like = into.doors[row - 1] ?? into.doors[0] ?? doorsOf(now).at(-1);
  const made = makeDoor(now, key, door, like?.doorTag ?? '');
  const above = into.doors.slice(0, row).reduce((sum, one) => sum + one.height, 0);
  const placed = { ...made, reach: reachAt(above, made.height, totalOf(into) + made.height) };
  return same(
    column(now, index, (one) => ({ ...one, doors: put(one.doors, row, placed) })),
    1,
  );
}

function moveDoor(now: Sketch, { key, to }: Extract<Action, { kind: 'move-door' }>): Drawn {
  const from = placeOf(now, key);
  const door = doorAt(now, key);
  const into = now[to.column];
  if (!from || !door || !into) return { code: 'gone' };
  if (into.doors.length >= DOORS_AT_MOST && from.column !== to.column) return { code: 'too-many' };
  const without = column(now, from.column, (one) => ({ ...one, doors: one.doors.filter((other) => other !== door) }));
  const row = clamp(to.row, without[to.column]?.doors.length ?? 0);
  if (from.column === to.column && from.row === row) return same(now);
  return same(column(without, to.column, (one) => ({ ...one, doors: put(one.doors, row, door) })));
}

/** The door itself keeps its tag, its lock and what lies in it; the parts below it are new. */
function split(now: Sketch, key: (n?: number) => string, { key: which, parts }: Extract<Action, { kind: 'split' }>): Drawn {
  const place = placeOf(now, which);
  const door = doorAt(now, which);
  if (!place || !door) return { code: 'gone' };
  // Equal to the millimetre, on no grid; what does not go up evenly makes the upper ones one higher.
  const least = Math.floor(door.height / parts);
  if (!(parts >= 2) || least < DOOR_HEIGHT.least) return { code: 'too-small' };
  const [own = least, ...others] = Array.from({ length: parts }, (_, at) => least + (at < door.height % parts ? 1 : 0));
  if ((now[place.column]?.doors.length ?? 0) + parts - 1 > DOORS_AT_MOST) return { code: 'too-many' };
  let sketch = column(now, place.column, (one) => ({
    ...one,
    doors: one.doors.map((other) => (other === door ? tall(other, own) : other)),
  }));
  for (const [n, part] of others.entries()) {
    const made = makeDoor(sketch, key(n), { size: sizeFor(part), height: part }, door.doorTag, door.reach);
    const like = { ...made, height: part, services: door.services, policyRef: door.policyRef };
    sketch = column(sketch, place.column, (one) => ({ ...one, doors: put(one.doors, place.row + 1 + n, like) }));
  }
  return same(sketch, parts - 1);
}

/** Doors that stand under each other become one: the one that must be kept, else the topmost. */
function merge(now: Sketch, keys: readonly string[]): Drawn {
  const places = keys.map((key) => placeOf(now, key)).filter((place) => place !== null);
  const index = places[0]?.column ?? -1;
  const rows = places.map(({ row }) => row).toSorted((a, b) => a - b);
  const apart = places.some((place) => place.column !== index) || rows.some((row, at) => at > 0 && row !== (rows[at - 1] ?? 0) + 1);
  if (places.length < 2 || apart) return { code: 'not-neighbours' };
  const one = now[index];
  const joined = rows.flatMap((row) => one?.doors[row] ?? []);
  // One that is saved is kept before one that is not: somebody may have something in it.
  const kept =
    joined.find((door) => door.key === keys[0] && door.lockerId !== null) ?? joined.find((door) => door.lockerId !== null) ?? joined[0];
  const height = joined.reduce((sum, door) => sum + door.height, 0);
  if (!kept || height > DOOR_HEIGHT.most) return { code: 'too-many' };
  const merged = tall(kept, height);
  return same(
    column(now, index, (before) => ({
      ...before,
      doors: before.doors.flatMap((door) => (door === joined[0] ? [merged] : joined.includes(door) ? [] : [door])),
    })),
  );
}

function border(now: Sketch, { key, by }: Extract<Action, { kind: 'border' }>): Drawn {
  const place = placeOf(now, key);
  const above = place && now[place.column]?.doors[place.row];
  const below = place && now[place.column]?.doors[place.row + 1];
  if (!place || !above) return { code: 'gone' };
  const wanted = snapped(above.height + by, SNAP.height, DOOR_HEIGHT);
  if (!below) return wanted === above.height ? same(now) : same(doors(now, (door) => (door === above ? tall(door, wanted) : door)));
  const height = Math.max(DOOR_HEIGHT.least, Math.min(wanted, above.height + below.height - DOOR_HEIGHT.least));
  const rest = above.height + below.height - height;
  if (height === above.height || rest > DOOR_HEIGHT.most) return same(now);
  return same(doors(now, (door) => (door === above ? tall(door, height) : door === below ? tall(door, rest) : door)));
}
