import { useEffect, useRef } from 'react';
import { takeScans, typesInto, within } from '../app/scans.ts';

type Options = { open: boolean; onOpen: (scan?: string) => void; onEarly: (key: string) => void };

/** Ctrl/Cmd-K anywhere, `/` outside of fields; and a hand scanner's burst of keys where neither a field nor the screen takes it. */
export const usePaletteKeys = (options: Options): void => {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const { open, onOpen, onEarly } = latest.current;
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        onOpen();
        return;
      }
      if (typesInto(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (open) {
        if (event.key.length === 1) onEarly(event.key);
        return;
      }
      if (event.key === '/' && !within(event.timeStamp)) {
        event.preventDefault();
        onOpen();
      }
    };
    addEventListener('keydown', onKey);
    const leave = takeScans((scan) => {
      if (document.querySelector('[role="dialog"]') !== null) return false;
      latest.current.onOpen(scan);
      return true;
    }, 'frame');
    return () => {
      removeEventListener('keydown', onKey);
      leave();
    };
  }, []);
};
