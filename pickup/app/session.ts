import type { PickupKey } from '@hatchway/contract/pickup.ts';
import { placeOf, type Place } from './place.ts';

/** What the page is at: a place without its secret in the address. */
export type Stand =
  | { page: 'enter'; cabinet: string | null }
  | { page: 'pickup'; key: PickupKey }
  | { page: 'link'; token: string }
  | { page: 'unknown' };

const isStand = (value: unknown): value is { hatchway: Stand } => typeof value === 'object' && value !== null && 'hatchway' in value;

const standOf = (place: Place): Stand => {
  if (place.page === 'pickup') return { page: 'pickup', key: { token: place.token } };
  if (place.page === 'link') return { page: 'link', token: place.token };
  return place;
};

/**
 * Reads where we are. A secret is moved out of the address into the history entry: there a reload still finds it,
 * and no screenshot, shared address, bookmark or shoulder gets hold of it.
 */
export function currentStand(): Stand {
  const place = placeOf(location.pathname);
  const secret = place.page === 'pickup' || place.page === 'link';
  if (!secret && isStand(history.state)) return history.state.hatchway;
  const stand = standOf(place);
  if (secret) history.replaceState({ hatchway: stand }, '', '/');
  return stand;
}

/** The same page has come to be about something else: Back does not lead to what it was. */
export function becomeStand(stand: Stand): void {
  history.replaceState({ hatchway: stand }, '', '/');
  dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
}

/** Goes on to another stand; the browser's Back leads to where we were. */
export function goTo(stand: Stand): void {
  const address = stand.page === 'enter' && stand.cabinet !== null ? `/c/${encodeURIComponent(stand.cabinet)}` : '/';
  history.pushState({ hatchway: stand }, '', address);
  dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }));
}
