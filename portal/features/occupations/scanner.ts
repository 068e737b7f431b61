import { useEffect, useRef } from 'react';
import { tone } from '../../app/sound.ts';

/** A scanner types faster than people do: at most this many milliseconds from key to key. */
const BETWEEN = 45;
const SHORTEST = 3;

type ScanState = { text: string; at: number };
export const nothingScanned: ScanState = { text: '', at: 0 };

/** Pure part: one key more. `scan` is what was scanned when the key ended it. */
export function scanKey(state: ScanState, key: string, at: number): { state: ScanState; scan: string | null } {
  const text = at - state.at <= BETWEEN ? state.text : '';
  if (key === 'Enter') return { state: nothingScanned, scan: text.length >= SHORTEST ? text : null };
  if (key.length !== 1) return { state: key === 'Shift' ? { ...state, at } : nothingScanned, scan: null };
  return { state: { text: text + key, at }, scan: null };
}

const typesInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Hears a scanner wherever the focus is, save in a field: there it types, and the field knows what to do with it. */
export function useScanner(onScan: (text: string) => void): void {
  const latest = useRef(onScan);
  useEffect(() => {
    latest.current = onScan;
  });
  useEffect(() => {
    let state = nothingScanned;
    const hear = (event: KeyboardEvent) => {
      if (typesInto(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = scanKey(state, event.key, event.timeStamp);
      state = next.state;
      if (next.scan === null) return;
      // The Enter belongs to the scan; it must not press the button that has the focus.
      event.preventDefault();
      event.stopPropagation();
      tone('scan');
      latest.current(next.scan);
    };
    document.addEventListener('keydown', hear, true);
    return () => document.removeEventListener('keydown', hear, true);
  }, []);
}
