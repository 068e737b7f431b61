import type { Layout, LayoutColumn } from './model.ts';

export type WallMode = 'normal' | 'compact' | 'phone';

/** Pixels. `door`: what the smallest door should get (44 px is a comfortable touch target); `floor`: what it gets at
    least when that would make the wall too tall; `column`: the narrowest column; `tall`: the wall's tallest. */
const LIMITS: Record<WallMode, { door: number; floor: number; column: number; least: number; tall: number }> = {
  normal: { door: 50, floor: 34, column: 84, least: 380, tall: 760 },
  compact: { door: 26, floor: 24, column: 52, least: 180, tall: 420 },
  phone: { door: 44, floor: 44, column: 118, least: 320, tall: 900 },
};

/** Pixels of a wall's doors in its smallest form. */
export const SMALL = 132;

export type Scale = {
  /** Pixels for one unit of the layout. */
  unit: number;
  /** Height of the tallest column in pixels. */
  height: number;
  minColumn: number;
  /** And what it may shrink to, where the whole wall is then seen. */
  leastColumn: number;
  /** Of the width: a phone shows columns narrower than true, so that more than one is seen at a time. */
  squeeze: number;
};

export const heightOf = (column: LayoutColumn): number => column.doors.reduce((sum, door) => sum + door.height, 0);

/** Doors this wide can still be read; so many of them, or one of them wide, stand side by side on the narrowest phone. */
const PHONE = { door: 57, across: 4.5 };

/** A mouse hits doors of this height, so that a whole wall may fit into a window. */
const MOUSE_FLOOR = 30;

/** `room`: pixels that the wall may be tall where it should be seen whole. */
export function scaleOf(layout: Layout, mode: WallMode, room?: number): Scale {
  const limits = room === undefined ? LIMITS[mode] : { ...LIMITS[mode], tall: Math.min(room, LIMITS[mode].tall), floor: MOUSE_FLOOR };
  const total = Math.max(0, ...layout.map(heightOf));
  const smallest = Math.min(...layout.flatMap((column) => column.doors.map((door) => door.height)));
  if (!(total > 0) || !(smallest > 0))
    return { unit: 1, height: limits.least, minColumn: limits.column, leastColumn: limits.column, squeeze: 1 };
  const wanted = Math.max(limits.door / smallest, limits.least / total);
  const unit = Math.max(Math.min(wanted, limits.tall / total), limits.floor / smallest);
  const narrowest = Math.min(...layout.map((column) => column.width));
  const across = layout.reduce((sum, column) => sum + column.width / narrowest, 0);
  const leastColumn = mode === 'phone' && across <= PHONE.across ? PHONE.door : limits.column;
  return { unit, height: Math.round(total * unit), minColumn: limits.column, leastColumn, squeeze: mode === 'phone' ? 0.1 : 1 };
}

/** The frame's padding (7), border (1) and the gap between columns (5), as wall.module.css has them. */
export function wallWidth(layout: Layout, scale: Scale): number {
  const narrowest = Math.min(...layout.map((column) => column.width));
  const width = (column: LayoutColumn) => Math.max(column.width * scale.unit * scale.squeeze, (scale.minColumn * column.width) / narrowest);
  return Math.ceil(layout.reduce((sum, column) => sum + width(column) + 5, 0) + 11);
}

/** Columns this wide say their words in full. */
const LEGIBLE = 96;

/** Pixels that a wall may shrink to beside another one: less than it would take by itself, never more. */
export function legibleWidth(layout: Layout, scale: Scale): number {
  const narrowest = Math.min(...layout.map((column) => column.width));
  const legible = layout.reduce((sum, column) => sum + (LEGIBLE * column.width) / narrowest + 5, 0) + 11;
  return Math.ceil(Math.min(legible, wallWidth(layout, scale)));
}

/** How much a door of this many pixels can say: one line, tag over state, or a third line as well. */
export function roomOf(pixels: number): 'line' | 'pair' | 'full' {
  if (pixels < 46) return 'line';
  return pixels < 76 ? 'pair' : 'full';
}
