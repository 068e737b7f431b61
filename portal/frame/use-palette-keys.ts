import { useEffect, useRef } from 'react';
import { createWedge } from './wedge.ts';

const editable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'));

/** Ctrl/Cmd-K anywhere, `/` outside of fields; and a hand scanner's burst of keys where no field takes it. */
export const usePaletteKeys = (open: (typed?: string) => void): void => {
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    const wedge = createWedge((scan) => latest.current(scan));
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        latest.current();
        return;
      }
      if (editable(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '/' && !wedge.within(event.timeStamp)) {
        event.preventDefault();
        latest.current();
        return;
      }
      if (document.querySelector('[data-takes-scans]') || document.querySelector('[role="dialog"]')) return;
      if (wedge.key(event.key, event.timeStamp)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
};
