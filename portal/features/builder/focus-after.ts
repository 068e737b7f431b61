import { useEffect, useRef } from 'react';
import type { Action } from './edit.ts';
import { doorAt, placeOf, type Sketch } from './sketch.ts';

/** Where something stood that a stroke takes away. */
const emptied = (was: Sketch, action: Action) =>
  action.kind === 'remove'
    ? placeOf(was, action.keys[0] ?? '')
    : action.kind === 'remove-column'
      ? { column: was.findIndex(({ key }) => key === action.key), row: 0 }
      : null;

/** Which of the doors that were joined is the one that there is now. */
const mergedOf = (now: Sketch, { keys }: Extract<Action, { kind: 'merge' }>): string | undefined =>
  keys.find((key) => doorAt(now, key) !== undefined);

const besideOf = (was: Sketch, now: Sketch, action: Action): string | undefined => {
  if (action.kind === 'merge') return mergedOf(now, action);
  const place = emptied(was, action);
  if (place === null) return undefined;
  const { doors } = now[Math.min(place.column, now.length - 1)] ?? { doors: [] };
  return doors[Math.min(place.row, doors.length - 1)]?.key;
};

/**
 * What is taken away takes the focus with it, and so does the button that joins two doors: there is one. It goes on to the door that stands
 * there now, so that keys walk on from there.
 */
export const focusAfter = (canvas: HTMLElement | null, was: Sketch, now: Sketch, action: Action): void => {
  const key = besideOf(was, now, action);
  if (key === undefined) return;
  // the wall is drawn anew first
  requestAnimationFrame(() => canvas?.querySelector<HTMLElement>(`[data-door="${CSS.escape(key)}"]`)?.focus());
};

const isLost = () => document.activeElement === null || document.activeElement === document.body;
const title = () => document.querySelector<HTMLElement>('[data-page-title]');

/**
 * The builder's screens stand at one path, after which the frame gives the focus to no new title: whoever comes from one to the other has
 * it on that as well, once it is there.
 */
export const useTitleFocus = (screen: string): void => {
  const before = useRef(screen);
  useEffect(() => {
    if (before.current === screen) return undefined;
    before.current = screen;
    const take = (): boolean => {
      if (!isLost()) return true;
      title()?.focus({ preventScroll: true });
      return title() !== null;
    };
    if (take()) return undefined;
    const watch = new MutationObserver(() => take() && watch.disconnect());
    watch.observe(document.getElementById('content') ?? document.body, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [screen]);
};
