import { tone } from './sound.ts';

/** A hand scanner types like a person, only faster than one can: at most this many milliseconds between two keys. */
const FASTEST_HAND = 50;
/** While a screen is drawn, keys reach it late: at most this many milliseconds between two of one scan. */
const DRAWING = 300;
/** Door tags such as A04 are the shortest codes there are. */
const SHORTEST_CODE = 3;

/** `cut`: what came before may be lost, so that it is no whole scan however it ends. `late`: the page is drawn while it goes on. */
type ScanState = { text: string; at: number; cut?: boolean; late?: boolean };
export const nothingScanned: ScanState = { text: '', at: 0 };

const follows = (state: ScanState, at: number): boolean => at - state.at <= (state.late === true ? DRAWING : FASTEST_HAND);

/** One key more. `scan` is what was scanned when the key ended it. */
export const scanKey = (state: ScanState, key: string, at: number): { state: ScanState; scan: string | null } => {
  const before = follows(state, at) ? state : nothingScanned;
  const { text, cut } = before;
  if (key === 'Enter') return { state: nothingScanned, scan: text.length >= SHORTEST_CODE && cut !== true ? text : null };
  if (key.length !== 1) return { state: key === 'Shift' ? { ...before, at } : nothingScanned, scan: null };
  return { state: { ...before, text: text + key, at }, scan: null };
};

/** What becomes of a scan; false where whoever hears it has no use for it now. */
type Take = (code: string) => boolean;

/**
 * Tells scans from typing, and gives each to one taker: the screen that takes scans, else the frame around it. `since`: when it began to
 * listen. A burst that was under way then is dropped whole: its first characters went to nobody.
 */
export const createScans = (since = -Infinity) => {
  const takers = { screen: [] as Take[], frame: [] as Take[] };
  let state: ScanState = { text: '', at: since, cut: true, late: true };
  return {
    /** Answers how to stop. */
    take: (take: Take, where: keyof typeof takers): (() => void) => {
      takers[where].push(take);
      return () => void takers[where].splice(takers[where].indexOf(take), 1);
    },
    /** A burst is under way: its keys are no commands. */
    within: (at: number): boolean => state.text.length > 1 && at - state.at <= FASTEST_HAND,
    /**
     * A burst goes on that began before its screen was there: the rest of it is nothing to type into the field that has the focus now. One
     * of which nothing was heard may as well be a hand's.
     */
    goesOn: (at: number): boolean => takers.screen.length > 0 && state.text.trim() !== '' && follows(state, at),
    /** Answers true when the key ended a scan (Enter after a fast burst) and was thereby used up. */
    key: (key: string, at: number, late = state.late ?? false): boolean => {
      const next = scanKey({ ...state, late }, key, at);
      ({ state } = next);
      const taker = takers.screen.at(-1) ?? takers.frame.at(-1);
      return next.scan !== null && taker !== undefined && taker(next.scan);
    },
  };
};

const scans = createScans(globalThis.performance.now());
export const { within } = scans;

/** Fields take a scan as what is typed into them, and know what to do with it. */
export const typesInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'));

const hear = (event: KeyboardEvent): void => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const inField = typesInto(event.target);
  // The field of a dialog is where somebody meant to type.
  if (inField && (!scans.goesOn(event.timeStamp) || document.querySelector('[role="dialog"]') !== null)) return;
  const taken = scans.key(event.key, event.timeStamp, inField || undefined);
  // The Enter belongs to the scan; it must not press the button that has the focus.
  if (taken || (inField && (event.key.length === 1 || event.key === 'Enter'))) {
    event.preventDefault();
    event.stopPropagation();
  }
  if (taken) tone('scan');
};

/** The one listener to a hand scanner, there before any screen is; the same function is added once, however often it is asked for. */
export const hearScans = (): void => document.addEventListener('keydown', hear, true);

export const takeScans: typeof scans.take = (take, where) => {
  hearScans();
  return scans.take(take, where);
};
