import type { PickupKey } from '@hatchway/contract/pickup.ts';
import { keepKnown } from './choices.ts';
import { placeOf, type Place } from './place.ts';

/** What the page is at: a place without its secret in the address. */
export type Stand =
  | { page: 'enter'; cabinet: string | null }
  | { page: 'pickup'; key: PickupKey }
  | { page: 'link'; token: string }
  | { page: 'shop'; name: string; good: string | null }
  | { page: 'unknown' };

/** `cabinet`: whose own page it began at, which leads back there. A screen that hangs beside a cabinet shows that page to everybody. */
type Entry = { hatchway: Stand; cabinet: string | null };

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && 'hatchway' in value;

const standOf = (place: Place): Stand => {
  if (place.page === 'pickup') return { page: 'pickup', key: { token: place.token } };
  if (place.page === 'purchase') return { page: 'pickup', key: { purchase: place.token } };
  if (place.page === 'link') return { page: 'link', token: place.token };
  return place;
};

const addressOf = (stand: Stand): string => {
  if (stand.page === 'shop') return `/shop/${stand.name}${stand.good === null ? '' : `/${stand.good}`}`;
  return stand.page === 'enter' && stand.cabinet !== null ? `/c/${encodeURIComponent(stand.cabinet)}` : '/';
};

/** The browser keeps an entry's state when its own address is typed once more: whoever types it wants the beginning, and no reload. */
let isTyped = performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'navigate');

/**
 * Reads where we are. A secret is moved out of the address into the history entry: there a reload still finds it,
 * and no screenshot, shared address, bookmark or shoulder gets hold of it.
 */
export function currentStand(): Stand {
  const place = placeOf(location.pathname);
  if (isTyped) history.replaceState(null, '');
  isTyped = false;
  const secret = place.page === 'pickup' || place.page === 'link' || place.page === 'purchase';
  const state: unknown = history.state;
  if (!secret && isEntry(state)) return state.hatchway;
  const stand = standOf(place);
  const cabinet = place.page === 'purchase' ? place.cabinet : null;
  if (secret) history.replaceState({ hatchway: stand, cabinet } satisfies Entry, '', addressOf({ page: 'enter', cabinet }));
  return stand;
}

/** Where it began, and begins for whoever comes next. */
export function beginning(): Stand & { page: 'enter' } {
  const stand = currentStand();
  const state: unknown = history.state;
  return { page: 'enter', cabinet: stand.page === 'enter' ? stand.cabinet : isEntry(state) ? (state.cabinet ?? null) : null };
}

const entryOf = (stand: Stand): Entry => ({ hatchway: stand, cabinet: beginning().cabinet });
const moved = () => dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));

/** The same page has come to be about something else: Back does not lead to what it was. */
export function becomeStand(stand: Stand): void {
  history.replaceState(entryOf(stand), '', addressOf(stand));
  moved();
}

/** Goes on to another stand; the browser's Back leads to where we were. Whoever typed, scanned or bought their way to a door is a person. */
export function goTo(stand: Stand): void {
  if (stand.page === 'pickup' || stand.page === 'link') keepKnown();
  history.pushState(entryOf(stand), '', addressOf(stand));
  moved();
}

/** Back to the beginning, with nothing left of whoever was here: Back does not lead to their door, nor is anybody signed in any more. */
export function leave(): void {
  history.replaceState(null, '', addressOf(beginning()));
  location.reload();
}

/** For who opens the beginning in another tab. */
export const beginningAddress = (): string => addressOf(beginning());
