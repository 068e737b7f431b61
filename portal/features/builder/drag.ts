import type { Place, Sketch } from './sketch.ts';

/** Where something held at a point of the screen would come down: in the column under it (or the nearest), over the door whose middle is below it. */
export function dropPlace(frame: HTMLElement, sketch: Sketch, x: number, y: number, held: string | null): Place | null {
  const columns = [...frame.querySelectorAll<HTMLElement>('[data-column]')];
  const near = (element: HTMLElement) => {
    const { left, right } = element.getBoundingClientRect();
    return x < left ? left - x : x > right ? x - right : 0;
  };
  const nearest = columns.toSorted((a, b) => near(a) - near(b))[0];
  if (nearest === undefined) return sketch.length === 0 ? { column: 0, row: 0 } : null;
  const column = Number(nearest.dataset['column']);
  const doors = (sketch[column]?.doors ?? []).filter((door) => door.key !== held);
  let row = 0;
  for (const { key } of doors) {
    const box = nearest.querySelector(`[data-door="${CSS.escape(key)}"]`)?.getBoundingClientRect();
    if (box !== undefined && y < box.top + box.height / 2) break;
    row += 1;
  }
  return { column, row };
}

/** The gap between columns that is nearest to a point, counted without the column that is held. */
export function dropColumn(frame: HTMLElement, x: number, held: number): number {
  const columns = [...frame.querySelectorAll<HTMLElement>('[data-column]')].filter((one) => Number(one.dataset['column']) !== held);
  return columns.filter((one) => {
    const { left, width } = one.getBoundingClientRect();
    return x > left + width / 2;
  }).length;
}

/** A line to draw where it would come down, in the frame's own coordinates. */
export function markerAt(
  frame: HTMLElement,
  sketch: Sketch,
  place: Place,
  held: string | null,
): { left: number; top: number; width: number } | null {
  const outer = frame.getBoundingClientRect();
  const column = frame.querySelector<HTMLElement>(`[data-column="${place.column}"]`);
  if (column === null) return null;
  const box = column.getBoundingClientRect();
  const doors = (sketch[place.column]?.doors ?? []).filter((door) => door.key !== held);
  const rect = (key: string | undefined) =>
    key === undefined ? undefined : column.querySelector(`[data-door="${CSS.escape(key)}"]`)?.getBoundingClientRect();
  const below = rect(doors[place.row]?.key);
  const above = rect(doors[place.row - 1]?.key);
  const top = below?.top ?? above?.bottom ?? box.bottom;
  return { left: box.left - outer.left, top: top - outer.top - 2, width: box.width };
}

/** A border that a mouse can take: the last pixels of a door over another one, or over the floor. */
const EDGE = 6;
export const onEdge = (door: HTMLElement, y: number): boolean => door.getBoundingClientRect().bottom - y <= EDGE;
