import { localDay } from './dates.ts';

const MINUTE = 60_000;
/** Who listens, by the zone whose days they show; undefined is the browser's. */
const heard = new Map<string | undefined, Set<() => void>>();
const days = new Map<string | undefined, string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Once a minute at least: the timer of a computer that slept over midnight would come hours late. At each full minute, for days begin at one
 * in every zone there is.
 */
const wait = (): void => {
  timer = setTimeout(
    () => {
      for (const [zone, told] of heard) {
        const today = localDay(0, zone);
        if (today === days.get(zone)) continue;
        days.set(zone, today);
        for (const tell of told) tell();
      }
      wait();
    },
    MINUTE - (Date.now() % MINUTE),
  );
};

/** Tells when another day begins in a zone; without one in the browser's. One timer for all who listen, and none where nobody does. */
export const onMidnight = (tell: () => void, zone?: string): (() => void) => {
  const told = heard.get(zone) ?? new Set();
  if (told.size === 0) days.set(zone, localDay(0, zone));
  heard.set(zone, told.add(tell));
  if (timer === undefined) wait();
  return () => {
    told.delete(tell);
    if (told.size === 0 && heard.get(zone) === told) heard.delete(zone);
    if (heard.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
};
