import { doorTagOf, sameTag } from './codes.ts';
import { SIZES, type Reach, type Service, type Size } from './terms.ts';

/** A wall as somebody draws it: columns from left to right, doors from top to bottom. Units: millimetres. */
export interface DrawnDoor {
  /** null for a door that is not made yet. */
  readonly lockerId: string | null;
  readonly doorTag: string;
  readonly compartment: number;
  readonly size: Size;
  readonly reach: Reach;
  readonly name: string;
  readonly services: readonly Service[];
  readonly policyRef: string | null;
  readonly height: number;
}
interface DrawnColumn {
  readonly width: number;
  readonly doors: readonly DrawnDoor[];
}
export type Drawing = readonly DrawnColumn[];

export const DOOR_HEIGHT = { least: 30, most: 3000 } as const;
export const COLUMN_WIDTH = { least: 50, most: 3000 } as const;
export const DOORS_AT_MOST = 100;
export const COLUMNS_AT_MOST = 200;
export const COMPARTMENT_MOST = 999;

/** Why a door may not be lost: somebody's use of it runs, or nobody knows what lies inside. */
export type Hold = 'in-use' | 'in-doubt';

type LayoutFault = {
  readonly code:
    | 'tag-missing'
    | 'tag-wrong'
    | 'tag-twice'
    | 'compartment-wrong'
    | 'compartment-twice'
    | 'locker-twice'
    | 'measure-wrong'
    | 'too-many-doors';
  readonly column: number;
  readonly row: number;
};

/**
 * What keeps a drawing from being built: a tag that is missing, or that could not be typed or scanned (one that its door bears already may
 * stay); a tag, a compartment or a locker that is there twice; a compartment or a measure out of range; a column of more doors than it may
 * have (than stand in one already, where those are more), told at the first that is too many. In the order of the wall, each at the later
 * of two doors.
 */
export function layoutFaults(drawing: Drawing, before: Drawing): LayoutFault[] {
  const borne = new Map(before.flatMap(({ doors }) => doors.map((door) => [door.lockerId, door.doorTag] as const)));
  const faults: LayoutFault[] = [];
  const tags = new Set<string>();
  const compartments = new Set<number>();
  const lockers = new Set<string>();
  const doorsAtMost = Math.max(DOORS_AT_MOST, ...before.map(({ doors }) => doors.length));
  const within = (value: number, { least, most }: { least: number; most: number }) => value >= least && value <= most;
  drawing.forEach(({ width, doors }, column) => {
    doors.forEach((door, row) => {
      const fault = (code: LayoutFault['code']) => faults.push({ code, column, row });
      const tag = sameTag(door.doorTag);
      if (tag === '') fault('tag-missing');
      else if (doorTagOf(tag) === null && (door.lockerId === null || borne.get(door.lockerId) !== door.doorTag)) fault('tag-wrong');
      else if (tags.has(tag)) fault('tag-twice');
      tags.add(tag);
      if (!Number.isInteger(door.compartment) || !within(door.compartment, { least: 1, most: COMPARTMENT_MOST }))
        fault('compartment-wrong');
      else if (compartments.has(door.compartment)) fault('compartment-twice');
      compartments.add(door.compartment);
      if (door.lockerId !== null) {
        if (lockers.has(door.lockerId)) fault('locker-twice');
        lockers.add(door.lockerId);
      }
      if (!within(door.height, DOOR_HEIGHT) || !within(width, COLUMN_WIDTH)) fault('measure-wrong');
      if (row === doorsAtMost) fault('too-many-doors');
    });
  });
  return faults;
}

export interface LayoutDiff {
  readonly added: readonly DrawnDoor[];
  readonly removed: readonly DrawnDoor[];
  /** Its printed label is wrong from now on. */
  readonly renamed: readonly { readonly door: DrawnDoor; readonly from: string }[];
  /** Another lock of the controller moves it from now on. */
  readonly rewired: readonly { readonly door: DrawnDoor; readonly from: number }[];
  /** Of a smaller size than it was, or lower or narrower by a third: what lies behind it may have no room behind what is left. */
  readonly cut: readonly DrawnDoor[];
  /** Size, reach, name, services or policy. */
  readonly described: readonly DrawnDoor[];
  /** Stands elsewhere, or is of another height or width. Below doors that were joined or split, it stands where it stood. */
  readonly moved: readonly DrawnDoor[];
}

const described = (a: DrawnDoor, b: DrawnDoor): boolean =>
  a.size !== b.size ||
  a.reach !== b.reach ||
  a.name !== b.name ||
  a.policyRef !== b.policyRef ||
  a.services.length !== b.services.length ||
  a.services.some((service, at) => service !== b.services[at]);

/**
 * A border that is moved by a little corrects the drawing, and cuts nothing. In two, one part may be a little the higher: a third is enough.
 * A door is as wide as its column, be that narrowed or another one.
 */
const cut = (was: Place, is: Place): boolean =>
  SIZES.indexOf(is.door.size) < SIZES.indexOf(was.door.size) || is.door.height * 3 <= was.door.height * 2 || is.width * 3 <= was.width * 2;

/** What becomes of each door. Doors are known by their locker. */
export function layoutDiff(before: Drawing, after: Drawing): LayoutDiff {
  const stood = placesOf(before);
  const stands = placesOf(after);
  const diff = {
    added: [] as DrawnDoor[],
    renamed: [] as { door: DrawnDoor; from: string }[],
    rewired: [] as { door: DrawnDoor; from: number }[],
  };
  const changed = { cut: [] as DrawnDoor[], described: [] as DrawnDoor[], moved: [] as DrawnDoor[] };
  for (const { doors } of after)
    for (const door of doors) {
      const was = door.lockerId === null ? undefined : stood.get(door.lockerId);
      const is = door.lockerId === null ? undefined : stands.get(door.lockerId);
      if (was === undefined || is === undefined) {
        diff.added.push(door);
        continue;
      }
      if (was.door.doorTag !== door.doorTag) diff.renamed.push({ door, from: was.door.doorTag });
      if (was.door.compartment !== door.compartment) diff.rewired.push({ door, from: was.door.compartment });
      if (cut(was, is)) changed.cut.push(door);
      if (described(was.door, door)) changed.described.push(door);
      const elsewhere = was.column !== is.column || (was.row !== is.row && was.top !== is.top);
      if (elsewhere || was.width !== is.width || was.door.height !== door.height) changed.moved.push(door);
    }
  const removed = before.flatMap(({ doors }) => doors).filter((door) => door.lockerId !== null && !stands.has(door.lockerId));
  return { ...diff, ...changed, removed };
}

type Place = { readonly door: DrawnDoor; readonly column: number; readonly row: number; readonly top: number; readonly width: number };
const placesOf = (drawing: Drawing): Map<string, Place> => {
  const places = new Map<string, Place>();
  drawing.forEach(({ doors, width }, column) => {
    let top = 0;
    doors.forEach((door, row) => {
      if (door.lockerId !== null) places.set(door.lockerId, { door, column, row, top, width });
      top += door.height;
    });
  });
  return places;
};

type How = 'removed' | 'rewired' | 'cut';
/**
 * Doors that the change would lose although something lies or may lie behind them: taken off the wall, cut (what lies there would stand
 * behind two doors), or put on another lock, after which the record would tell of another compartment than the one that holds it. Such a
 * change is refused as a whole.
 */
export function lostDoors(
  diff: Pick<LayoutDiff, 'removed' | 'rewired' | 'cut'>,
  holdOf: (lockerId: string) => Hold | null,
): { readonly doorTag: string; readonly lockerId: string; readonly hold: Hold; readonly how: How }[] {
  const lost = (door: DrawnDoor, doorTag: string, how: How) => {
    const hold = door.lockerId === null ? null : holdOf(door.lockerId);
    return hold === null || door.lockerId === null ? [] : [{ doorTag, lockerId: door.lockerId, hold, how }];
  };
  return [
    ...diff.removed.flatMap((door) => lost(door, door.doorTag, 'removed')),
    ...diff.rewired.flatMap(({ door }) => lost(door, door.doorTag, 'rewired')),
    ...diff.cut.flatMap((door) => lost(door, door.doorTag, 'cut')),
  ];
}

/** Lockers that the change touches, for who may. */
export const touchedBy = (diff: LayoutDiff): string[] => [
  ...new Set(
    [
      ...diff.removed,
      ...diff.described,
      ...diff.moved,
      ...diff.renamed.map(({ door }) => door),
      ...diff.rewired.map(({ door }) => door),
    ].flatMap((door) => (door.lockerId === null ? [] : [door.lockerId])),
  ),
];

/** The lowest of the controller's numbers that no door has; beyond the range where none is left. */
export function freeCompartment(doors: readonly Pick<DrawnDoor, 'compartment'>[]): number {
  const used = new Set(doors.map((door) => door.compartment));
  for (let number = 1; ; number++) if (!used.has(number)) return number;
}

/** Within whose reach a door lies, by how high its middle stands over the floor of its column. */
export function reachAt(above: number, height: number, total: number): Reach {
  const middle = total > 0 ? (above + height / 2) / total : 0.5;
  return middle < 0.25 ? 'high' : middle > 0.75 ? 'low' : 'middle';
}
