import { type Scanned, scannedText } from '@hatchway/domain/scanned.ts';
import { i18next } from '../i18n/setup.ts';
import { tone } from './sound.ts';
import { toast } from './toasts.ts';

/** Outside of fields nobody types: so many milliseconds between two keys are a slow scanner's (120, and what a busy machine adds). */
const SLOWEST_SCANNER = 150;
/** In a field a scanner is told from a person by its speed alone: at most so much between two keys. */
const FASTEST_HAND = 50;
/** While a screen is drawn, keys reach it late: at most this many milliseconds between two of one scan. */
const DRAWING = 300;
/** A scan that has no ending is over when nothing more has come for so long. */
export const SILENCE = 350;
/** Door tags such as A04 are the shortest codes there are. */
const SHORTEST_CODE = 3;
const ENDINGS = ['Enter', 'Tab', 'Ctrl+J', 'Ctrl+M'] as const;
type Ending = (typeof ENDINGS)[number];
const endingOf = (key: string): Ending | null => ENDINGS.find((one) => one === key) ?? null;

/** `cut`: what came before may be lost, so that it is no whole scan however it ends. `late`: the page is drawn while it goes on. */
type ScanState = { text: string; at: number; slowest: number; cut?: boolean; late?: boolean };
export const nothingScanned: ScanState = { text: '', at: -Infinity, slowest: 0 };
/** What was sent, letter by letter, and how: for who tries the scanner. */
export type Sent = { raw: string; ending: Ending | null; slowest: number };

const begun = ({ text }: ScanState): boolean => text.trim() !== '';
const wholeOf = ({ text, cut }: ScanState): string | null => (text.trim().length >= SHORTEST_CODE && cut !== true ? text : null);

/**
 * One key more. `scan` is what was scanned when the key ended it. `part`: it belongs to a scan, and must press nothing: what ends it,
 * whole or not, and what a page takes for a command.
 */
export const scanKey = (
  state: ScanState,
  key: string,
  at: number,
  gap = FASTEST_HAND,
): { state: ScanState; scan: string | null; part: boolean } => {
  const passed = at - state.at;
  const before = passed <= (state.late === true ? DRAWING : gap) ? state : nothingScanned;
  const { text, late } = before;
  const ending = endingOf(key);
  if (ending !== null) {
    // In a field letters alone that Tab ends are a quick hand's name.
    const isName = gap === FASTEST_HAND && ending !== 'Enter' && !/\d/.test(text);
    return {
      state: nothingScanned,
      scan: isName ? null : wholeOf(before),
      part: text.trim().length > 1 || (begun(before) && passed <= FASTEST_HAND),
    };
  }
  // A dead key is how `]` comes through a Nordic keyboard.
  const typed = key === 'Dead' ? '¨' : key;
  // Shift and its like are no letters, and end nothing.
  if (/^(Shift|Control|AltGraph|CapsLock|Alt)$/.test(key)) return { state: { ...before, at }, scan: null, part: false };
  if (typed.length !== 1) return { state: nothingScanned, scan: null, part: false };
  const slowest = late === true || text === '' ? before.slowest : Math.max(before.slowest, passed);
  return { state: { ...before, text: text + typed, at, slowest }, scan: null, part: begun(before) && /[\s/']/.test(typed) };
};

/** What becomes of a scan; false where whoever hears it has no use for it now. */
type Take = (scan: Scanned, sent: Sent) => boolean;

/**
 * Tells scans from typing, and gives each to one taker: the screen that takes scans, else the frame around it. `since`: when it began to
 * listen. A burst that was under way then is dropped whole: its first characters went to nobody.
 */
export const createScans = (since = -Infinity) => {
  const takers = { screen: [] as Take[], frame: [] as Take[] };
  let state: ScanState = { text: '', at: since, slowest: 0, cut: true, late: true };
  const give = (raw: string | null, sent: Omit<Sent, 'raw'>): boolean => {
    const taker = takers.screen.at(-1) ?? takers.frame.at(-1);
    return raw !== null && taker !== undefined && taker(scannedText(raw), { raw, ...sent });
  };
  return {
    /** Answers how to stop. */
    take: (take: Take, where: keyof typeof takers): (() => void) => {
      takers[where].push(take);
      return () => void takers[where].splice(takers[where].indexOf(take), 1);
    },
    /** A burst is under way: its keys are no commands. */
    within: (at: number): boolean => state.text.length > 1 && at - state.at <= SLOWEST_SCANNER,
    /**
     * A burst goes on that began before its screen was there: the rest of it is nothing to type into the field that has the focus now. One
     * of which nothing was heard may as well be a hand's.
     */
    goesOn: (at: number): boolean =>
      takers.screen.length > 0 && begun(state) && at - state.at <= (state.late === true ? DRAWING : SLOWEST_SCANNER),
    /** `part`: the key must press nothing. `taken`: it ended a scan that somebody had a use for. */
    key: (key: string, at: number, late = state.late ?? false): { part: boolean; taken: boolean } => {
      const { slowest } = state;
      const next = scanKey({ ...state, late }, key, at, SLOWEST_SCANNER);
      ({ state } = next);
      return { part: next.part, taken: give(next.scan, { ending: endingOf(key), slowest }) };
    },
    /** Nothing came for a while: a scan without an ending is over. Letters alone may be a hand's that missed its field. */
    silence: (): boolean => {
      const { slowest } = state;
      const raw = wholeOf(state);
      state = nothingScanned;
      return raw !== null && /\d/.test(raw) && give(raw, { ending: null, slowest });
    },
  };
};

const scans = createScans(globalThis.performance.now());
export const { within } = scans;

const NO_TEXT = new Set(['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color', 'image']);
/** Fields take a scan as what is typed into them, and know what to do with it. */
export const typesInto = (target: EventTarget | null): boolean => {
  if (target instanceof HTMLInputElement) return !target.readOnly && !NO_TEXT.has(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, [role="textbox"]'));
};

/** A key as the reader of scans knows it; null where it is somebody's command. */
const keyOf = (event: KeyboardEvent): string | null => {
  const { key, ctrlKey, altKey, metaKey } = event;
  if (metaKey) return null;
  if (ctrlKey && !altKey && /^[jm]$/i.test(key)) return `Ctrl+${key.toUpperCase()}`;
  // On Windows a letter with AltGr comes with both.
  return key.length === 1 && ctrlKey !== altKey ? null : key;
};
const stop = (event: Event): void => {
  event.preventDefault();
  event.stopPropagation();
};
const again = (target: HTMLElement, key: string, code: string): boolean =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));

/** A scan may begin with a blank, which a button takes for a press: it is one when nothing follows. */
const PRESSED = 'button, summary, input, [role="button"], [role="option"], [role="menuitem"], [role="tab"]';
let held: { target: HTMLElement; timer: ReturnType<typeof setTimeout> } | null = null;
const letGo = (pressing: boolean): void => {
  if (held === null) return;
  const { target, timer } = held;
  held = null;
  clearTimeout(timer);
  if (pressing && again(target, ' ', 'Space')) target.click();
};
const hold = (event: KeyboardEvent): boolean => {
  const { target, key } = event;
  if (!event.isTrusted || event.shiftKey || !(target instanceof HTMLElement) || key !== ' ' || !target.matches(PRESSED)) return false;
  stop(event);
  if (!event.repeat) held = { target, timer: setTimeout(() => letGo(true), SLOWEST_SCANNER) };
  return true;
};

let typed = nothingScanned;
/** In a field only what a scanner ends with is ours: whatever it is, it is the Enter that fields know. */
const hearField = (event: KeyboardEvent, key: string): void => {
  const next = scanKey(typed, key, event.timeStamp);
  typed = next.state;
  if (next.scan === null || key === 'Enter' || !(event.target instanceof HTMLInputElement)) return;
  stop(event);
  if (again(event.target, 'Enter', 'Enter')) event.target.form?.requestSubmit();
};

let silence: ReturnType<typeof setTimeout> | undefined;
const hear = (event: KeyboardEvent): void => {
  const key = keyOf(event);
  if (key === null) return;
  const inField = typesInto(event.target);
  // The field of a dialog is where somebody meant to type.
  if (inField && (!scans.goesOn(event.timeStamp) || document.querySelector('[role="dialog"]') !== null)) return hearField(event, key);
  clearTimeout(silence);
  letGo(key.length !== 1 || key === ' ');
  const { part, taken } = scans.key(key, event.timeStamp, inField || undefined);
  if (part || taken || (inField && (key.length === 1 || endingOf(key) !== null))) stop(event);
  else if (hold(event)) return;
  if (taken) tone('scan');
  silence = setTimeout(() => (scans.silence() ? tone('scan') : undefined), SILENCE);
};

/** The one listener to a hand scanner, there before any screen is; the same function is added once, however often it is asked for. */
export const hearScans = (): void => {
  document.addEventListener('keydown', hear, true);
  // A button that was not pressed is not let go either.
  document.addEventListener('keyup', keepUp, true);
  // Whoever presses elsewhere meant the blank.
  document.addEventListener('pointerdown', letGoNow, true);
};
const letGoNow = (): void => letGo(true);
const keepUp = (event: KeyboardEvent): void => {
  if (event.key === ' ' && event.target instanceof HTMLElement && !typesInto(event.target) && event.target.matches(PRESSED))
    event.preventDefault();
};

/** For who reads what was sent as it was sent. */
export const takeSent: typeof scans.take = (take, where) => {
  hearScans();
  return scans.take(take, where);
};
/** What cannot be read is named, and given to nobody. */
export const takeScans = (take: (code: string) => boolean, where: 'screen' | 'frame'): (() => void) =>
  takeSent(({ text, unread }) => {
    if (unread === null) return take(text);
    toast.warn(i18next.t('frame.wrongKeyboard'));
    return true;
  }, where);
