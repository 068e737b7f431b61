import type { Action } from './edit.ts';
import { placeOf, type Sketch } from './sketch.ts';

/** Where something stood that a stroke takes away. */
const emptied = (was: Sketch, action: Action) =>
  action.kind === 'remove'
    ? placeOf(was, action.keys[0] ?? '')
    : action.kind === 'remove-column'
      ? { column: was.findIndex(({ key }) => key === action.key), row: 0 }
      : null;

/** What is taken away takes the focus with it. It goes on to the door that stands there now, so that keys walk on from there. */
export const focusAfter = (canvas: HTMLElement | null, was: Sketch, now: Sketch, action: Action): void => {
  const place = emptied(was, action);
  if (place === null) return;
  const { doors } = now[Math.min(place.column, now.length - 1)] ?? { doors: [] };
  const key = doors[Math.min(place.row, doors.length - 1)]?.key;
  if (key === undefined) return;
  // the wall is drawn anew first
  requestAnimationFrame(() => canvas?.querySelector<HTMLElement>(`[data-door="${CSS.escape(key)}"]`)?.focus());
};
