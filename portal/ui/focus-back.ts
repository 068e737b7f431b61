import { useEffect, useLayoutEffect, useRef, type FocusEvent } from 'react';

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** Nothing that is worked at has the focus: what comes next may take it. */
export const isFocusFree = (): boolean => isLost() || document.activeElement?.matches('[data-page-title]') === true;

/** What has the focus; of an item of a menu, which closes, the button that opened it. */
const openerNow = (): HTMLElement | null => {
  const here = isLost() ? null : document.activeElement;
  const menu = here?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = menu == null ? here : document.getElementById(menu);
  return opener instanceof HTMLElement ? opener : null;
};

/** Where to go where the opener is gone: to the dialog that still stands, or to the screen's title. */
const heading = (): HTMLElement | null =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog][aria-modal=true]')].at(-1) ?? document.querySelector('[data-page-title]');

/** Of dialogs that close in this moment: one that opens in their place goes back to what opened them. */
let leaving: readonly HTMLElement[] = [];

/**
 * A dialog that closes gives the focus back to what opened it, or to a heading where that is gone or cannot be pressed any more. Mantine
 * gives it back only of a dialog that is told to close, and ours go with the state that made them.
 */
export const useFocusBack = (open: boolean): void => {
  useLayoutEffect(() => {
    if (!open) return undefined;
    const now = openerNow();
    const openers = now === null ? leaving : [now];
    return () => {
      leaving = [...leaving, ...openers];
      requestAnimationFrame(() => {
        leaving = [];
        for (const opener of openers) if (isLost()) opener.focus();
        // A question and the dialog that it stood over go together: each one's opener comes before any heading.
        requestAnimationFrame(() => isLost() && heading()?.focus({ preventScroll: true }));
      });
    };
  }, [open]);
};

/**
 * A button that works gives up the focus; where the dialog stays with what went wrong, Tab must not begin behind it. `focused`: what had it
 * last, as the dialog's `onFocus` tells.
 * @param away it works, or its dialog closes
 */
export const useFocusKept = (away: boolean) => {
  const focused = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!away && document.activeElement === document.body) focused.current?.focus();
  }, [away]);
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    focused.current = target;
  };
  return { focused, onFocus };
};
