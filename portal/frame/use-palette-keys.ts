import { useEffect, useRef } from 'react';
import { tone } from '../app/sound.ts';
import { createWedge } from './wedge.ts';

const editable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'));

type Options = { open: boolean; onOpen: (scan?: string) => void; onEarly: (key: string) => void };

/** Ctrl/Cmd-K anywhere, `/` outside of fields; and a hand scanner's burst of keys where no field takes it. */
export const usePaletteKeys = (options: Options): void => {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const wedge = createWedge((scan) => {
      tone('scan');
      latest.current.onOpen(scan);
    });
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const { open, onOpen, onEarly } = latest.current;
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        onOpen();
        return;
      }
      if (editable(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (open) {
        if (event.key.length === 1) onEarly(event.key);
        return;
      }
      if (event.key === '/' && !wedge.within(event.timeStamp)) {
        event.preventDefault();
        onOpen();
        return;
      }
      if (document.querySelector('[data-takes-scans], [role="dialog"]')) return;
      if (wedge.key(event.key, event.timeStamp)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
};
