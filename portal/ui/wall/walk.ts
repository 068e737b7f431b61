import type { Layout } from './model.ts';

type WalkKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End' | 'WallStart' | 'WallEnd';

type Place = { column: number; row: number };

function placeOf(layout: Layout, lockerId: string): Place | undefined {
  for (const [column, { doors }] of layout.entries()) {
    const row = doors.findIndex((door) => door.lockerId === lockerId);
    if (row >= 0) return { column, row };
  }
  return undefined;
}

/** Height of the middle of a door over the top of its column. */
function middle(layout: Layout, place: Place): number {
  const doors = layout[place.column]?.doors ?? [];
  let top = 0;
  for (const [row, door] of doors.entries()) {
    if (row === place.row) return top + door.height / 2;
    top += door.height;
  }
  return top;
}

function doorAt(layout: Layout, column: number, height: number): string | undefined {
  const doors = layout[column]?.doors ?? [];
  let bottom = 0;
  for (const door of doors) {
    bottom += door.height;
    if (height < bottom) return door.lockerId;
  }
  return doors.at(-1)?.lockerId;
}

function sideways(layout: Layout, place: Place, step: 1 | -1): string | undefined {
  const height = middle(layout, place);
  for (let column = place.column + step; column >= 0 && column < layout.length; column += step) {
    const found = doorAt(layout, column, height);
    if (found !== undefined) return found;
  }
  return undefined;
}

const first = (layout: Layout) => layout.find((column) => column.doors.length > 0)?.doors[0]?.lockerId;
const last = (layout: Layout) => layout.findLast((column) => column.doors.length > 0)?.doors.at(-1)?.lockerId;

/** Where a key leads from a door: up and down its column, sideways to the door at the same height. At an edge it stays. */
export function walk(layout: Layout, from: string, key: WalkKey): string {
  if (key === 'WallStart') return first(layout) ?? from;
  if (key === 'WallEnd') return last(layout) ?? from;
  const place = placeOf(layout, from);
  if (place === undefined) return first(layout) ?? from;
  const doors = layout[place.column]?.doors ?? [];
  const to = {
    ArrowUp: () => doors[place.row - 1]?.lockerId,
    ArrowDown: () => doors[place.row + 1]?.lockerId,
    ArrowLeft: () => sideways(layout, place, -1),
    ArrowRight: () => sideways(layout, place, 1),
    Home: () => doors[0]?.lockerId,
    End: () => doors.at(-1)?.lockerId,
  }[key]();
  return to ?? from;
}

export function walkKey(event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): WalkKey | undefined {
  if (event.altKey) return undefined;
  const far = event.ctrlKey || event.metaKey;
  switch (event.key) {
    case 'ArrowUp':
    case 'ArrowDown':
    case 'ArrowLeft':
    case 'ArrowRight':
      return far ? undefined : event.key;
    case 'Home':
      return far ? 'WallStart' : 'Home';
    case 'End':
      return far ? 'WallEnd' : 'End';
    default:
      return undefined;
  }
}
