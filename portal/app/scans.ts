import { tone } from './sound.ts';

/** A hand scanner types like a person, only faster than one can: at most this many milliseconds between two keys. */
const FASTEST_HAND = 50;
/** Door tags such as A04 are the shortest codes there are. */
const SHORTEST_CODE = 3;

type ScanState = { text: string; at: number };
export const nothingScanned: ScanState = { text: '', at: 0 };

/** One key more. `scan` is what was scanned when the key ended it. */
export const scanKey = (state: ScanState, key: string, at: number): { state: ScanState; scan: string | null } => {
  const text = at - state.at <= FASTEST_HAND ? state.text : '';
  if (key === 'Enter') return { state: nothingScanned, scan: text.length >= SHORTEST_CODE ? text : null };
  if (key.length !== 1) return { state: key === 'Shift' ? { text, at } : nothingScanned, scan: null };
  return { state: { text: text + key, at }, scan: null };
};

/** What becomes of a scan; false where whoever hears it has no use for it now. */
type Take = (code: string) => boolean;

/** Tells scans from typing, and gives each to one taker: the screen that takes scans, else the frame around it. */
export const createScans = () => {
  const takers = { screen: [] as Take[], frame: [] as Take[] };
  let state = nothingScanned;
  return {
    /** Answers how to stop. */
    take: (take: Take, where: keyof typeof takers): (() => void) => {
      takers[where].push(take);
      return () => void takers[where].splice(takers[where].indexOf(take), 1);
    },
    /** A burst is under way: its keys are no commands. */
    within: (at: number): boolean => state.text.length > 1 && at - state.at <= FASTEST_HAND,
    /** Answers true when the key ended a scan (Enter after a fast burst) and was thereby used up. */
    key: (key: string, at: number): boolean => {
      const next = scanKey(state, key, at);
      ({ state } = next);
      const taker = takers.screen.at(-1) ?? takers.frame.at(-1);
      return next.scan !== null && taker !== undefined && taker(next.scan);
    },
  };
};

const scans = createScans();
export const { within } = scans;

/** Fields take a scan as what is typed into them, and know what to do with it. */
export const typesInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'));

const hear = (event: KeyboardEvent): void => {
  if (typesInto(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!scans.key(event.key, event.timeStamp)) return;
  // The Enter belongs to the scan; it must not press the button that has the focus.
  event.preventDefault();
  event.stopPropagation();
  tone('scan');
};

/** The one listener to a hand scanner; the same function is added once, however often it is asked for. */
export const takeScans: typeof scans.take = (take, where) => {
  document.addEventListener('keydown', hear, true);
  return scans.take(take, where);
};
