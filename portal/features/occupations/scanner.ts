import { useEffect, useRef } from 'react';
import { takeScans } from '../../app/scans.ts';

/** Hears a scanner wherever the focus is, save in a field: there it types, and the field knows what to do with it. */
export function useScanner(onScan: (text: string) => void): void {
  const latest = useRef(onScan);
  useEffect(() => {
    latest.current = onScan;
  });
  useEffect(
    () =>
      takeScans((text) => {
        latest.current(text);
        return true;
      }, 'screen'),
    [],
  );
}
