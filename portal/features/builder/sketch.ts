import type { Cabinet, ChangedDoor } from '@hatchway/contract/cabinets.ts';
import { sameTag } from '@hatchway/domain/codes.ts';
import { COMPARTMENT_MOST, DOOR_HEIGHT, freeCompartment, type DrawnDoor, type Drawing } from '@hatchway/domain/layout.ts';
import { SIZES, type Reach, type Service, type Size } from '@hatchway/domain/terms.ts';
import type { Locker } from '../../app/queries.ts';
import type { Layout } from '../../ui/wall/model.ts';

/** A wall while it is drawn. `key` names a door from the first stroke on: its locker's id, or a word of our own until it has one. */
export type SketchDoor = DrawnDoor & {
  readonly key: string;
  /** Not theirs to see who draws: it keeps its place, and what else is said of it here stands for nothing. */
  readonly hidden?: true;
};
export type SketchColumn = { readonly key: string; readonly width: number; readonly doors: readonly SketchDoor[] };
export type Sketch = readonly SketchColumn[];
export type Place = { readonly column: number; readonly row: number };

/** Millimetres that heights and widths snap to. */
export const SNAP = { height: 10, width: 50 } as const;
export const snapped = (value: number, step: number, { least, most }: { least: number; most: number }): number =>
  Math.min(most, Math.max(least, Math.round(value / step) * step));

/** What a door of this height is called, where nobody said otherwise. */
export const sizeFor = (height: number): Size =>
  height <= 120 ? 'XS' : height <= 220 ? 'S' : height <= 360 ? 'M' : height <= 620 ? 'L' : 'XL';
export const HEIGHT_OF: Readonly<Record<Size, number>> = { XS: 100, S: 150, M: 300, L: 450, XL: 900 };

export const doorsOf = (sketch: Sketch): SketchDoor[] => sketch.flatMap((column) => column.doors);
export const totalOf = (column: { readonly doors: readonly { readonly height: number }[] }): number =>
  column.doors.reduce((sum, door) => sum + door.height, 0);

export const placeOf = (sketch: Sketch, key: string): Place | null => {
  for (const [column, { doors }] of sketch.entries()) {
    const row = doors.findIndex((door) => door.key === key);
    if (row >= 0) return { column, row };
  }
  return null;
};
export const doorAt = (sketch: Sketch, key: string): SketchDoor | undefined => doorsOf(sketch).find((door) => door.key === key);

/** The key of a column that is saved: none that a stroke makes is like it. */
const columnKey = (at: number, first: string | undefined): string => `column-${at}-${first ?? 'empty'}`;

/** The wall as it is saved. A door that the caller may not see keeps its place, as nobody's. */
export const sketchOf = (cabinet: Pick<Cabinet, 'columns'>, lockers: readonly Locker[]): Sketch => {
  const byId = new Map(lockers.map((locker) => [locker.id, locker]));
  let unseen = 0;
  // Stands for the tag and lock of a door that is hidden; neither is ever sent.
  const hidden = () => {
    unseen += 1;
    return { doorTag: `#${unseen}`, compartment: COMPARTMENT_MOST + 1 - unseen };
  };
  return cabinet.columns.map((column, index) => ({
    key: columnKey(index, column.doors[0]?.lockerId),
    width: column.width,
    doors: column.doors.map(({ lockerId, height }) => {
      const locker = byId.get(lockerId);
      const { doorTag, compartment } = locker ?? hidden();
      return {
        key: lockerId,
        lockerId,
        height,
        doorTag,
        compartment,
        size: locker?.size ?? 'M',
        reach: locker?.reach ?? 'middle',
        name: locker?.name ?? '',
        services: (locker?.services ?? []) as readonly Service[],
        policyRef: locker?.policyRef ?? null,
        ...(locker ? {} : { hidden: true as const }),
      };
    }),
  }));
};

/**
 * What was sent, as it is built now: a door that was new by the locker that was made for it, and each column as one that is saved, since
 * strokes on what is saved count their keys from the start.
 */
export const builtOf = (sent: Sketch, { columns }: Pick<Cabinet, 'columns'>): Sketch =>
  sent.map((column, at) => ({
    ...column,
    key: columnKey(at, columns[at]?.doors[0]?.lockerId),
    doors: column.doors.map((door, row) => {
      const lockerId = columns[at]?.doors[row]?.lockerId;
      return door.lockerId !== null || lockerId === undefined ? door : { ...door, key: lockerId, lockerId };
    }),
  }));

/** Without the words of our own, for the rules. */
export const drawingOf = (sketch: Sketch): Drawing => sketch.map(({ width, doors }) => ({ width, doors }));
export const layoutOf = (sketch: Sketch): Layout =>
  sketch.map(({ width, doors }) => ({ width, doors: doors.map(({ key, height }) => ({ lockerId: key, height })) }));

/** What goes to the server: of a door that is there, only what is another. */
export const columnsOf = (sketch: Sketch, base: Sketch): { width: number; doors: ChangedDoor[] }[] => {
  const before = new Map(doorsOf(base).map((door) => [door.key, door]));
  return sketch.map(({ width, doors }) => ({
    width,
    doors: doors.map((door) => {
      const { lockerId, height, doorTag, compartment, size, reach, name, policyRef } = door;
      const services = [...door.services];
      const was = before.get(door.key);
      if (lockerId === null || !was) return { height, doorTag, compartment, size, reach, name, services, policyRef };
      return {
        lockerId,
        height,
        ...(doorTag === was.doorTag ? {} : { doorTag }),
        ...(compartment === was.compartment ? {} : { compartment }),
        ...(size === was.size ? {} : { size }),
        ...(reach === was.reach ? {} : { reach }),
        ...(name === was.name ? {} : { name }),
        ...(policyRef === was.policyRef ? {} : { policyRef }),
        ...(services.join() === was.services.join() ? {} : { services }),
      };
    }),
  }));
};

/** The next tag after one: the same letters, the next number that is on no door of the wall. */
const tagAfter = (doors: readonly { readonly doorTag: string }[], like: string): string => {
  const used = new Set(doors.map((door) => sameTag(door.doorTag)));
  const [, prefix = '', digits = '00'] = /^(.*?)(\d+)$/.exec(like) ?? [];
  const letters = prefix === '' && !/\d$/.test(like) ? (like === '' ? 'A' : `${like}-`) : prefix;
  for (let number = Number(digits) + 1; ; number++) {
    const tag = `${letters}${String(number).padStart(digits.length, '0')}`;
    if (!used.has(sameTag(tag))) return tag;
  }
};

export type NewDoor = { size: Size; height?: number };
export const makeDoor = (
  sketch: Sketch,
  key: string,
  { size, height = HEIGHT_OF[size] }: NewDoor,
  like: string,
  reach: Reach = 'middle',
): SketchDoor => ({
  key,
  lockerId: null,
  doorTag: tagAfter(doorsOf(sketch), like),
  compartment: freeCompartment(doorsOf(sketch)),
  size,
  reach,
  name: '',
  services: [],
  policyRef: null,
  height: snapped(height, SNAP.height, DOOR_HEIGHT),
});

export const isSize = (value: string): value is Size => SIZES.some((size) => size === value);
