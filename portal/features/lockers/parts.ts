import { mayUseOnLocker, type Facts } from '@hatchway/domain/access.ts';
import { standingOf } from '@hatchway/domain/locker.ts';
import type { Size } from '@hatchway/domain/terms.ts';
import type { TFunction } from 'i18next';
import type { Cabinet, Locker } from '../../app/queries.ts';
import { isFound } from '../../ui/table/search.ts';
import { countLooks, type DoorLook, type Doors } from '../../ui/wall/model.ts';
import { doorView, lookOf } from './door-view.ts';
import { SHOWS } from './showing.ts';

type Show = (typeof SHOWS)[number];
/**
 * The same rule as the dashboard's figures, so that a figure's link shows what was counted; and what the legend counts. A door that stands
 * open, and one of a silent cabinet, is counted so whatever else it is.
 */
const shows: Record<Show, (locker: Locker) => boolean> = {
  free: (locker) => standingOf(locker) === 'free',
  'in-use': (locker) => standingOf(locker) === 'inUse',
  open: (locker) => locker.door === 'opened',
  'in-doubt': (locker) => standingOf(locker) === 'inDoubt',
  'out-of-service': (locker) => standingOf(locker) === 'outOfService',
  unready: (locker) => standingOf(locker) === 'unready',
  offline: (locker) => locker.connection === 'offline' && locker.paired,
};

/** What the walls are narrowed to. */
type Narrowed = { show: Show | undefined; size: Size | undefined; found: ((locker: Locker) => boolean) | undefined };
/** What one wall shows, and how much of what. */
export type Part = {
  lockers: readonly Locker[];
  /** Those that it was narrowed to. */
  asked: readonly Locker[];
  /** How many are of the size and the words that it was narrowed to. */
  sized: number;
  doors: Doors;
  counts: Record<Show, number>;
  looks: ReadonlyMap<DoorLook, number>;
};

/** Each word must stand in the door's number, its site's or cabinet's name, or its state as the screen says it. */
export function finder(find: string | undefined, cabinets: readonly Cabinet[], t: TFunction): Narrowed['found'] {
  if (find === undefined) return undefined;
  const places = new Map(cabinets.map(({ id, name, siteName }) => [id, `${name}\n${siteName}`]));
  return (locker) => {
    const known = [locker.doorTag, locker.name, places.get(locker.cabinetId) ?? '', t(`terms.lockerState.${lookOf(locker)}`)];
    return isFound(find, known);
  };
}

const reckon = (lockers: readonly Locker[], { show, size, found }: Narrowed): Part => {
  const sized = lockers.filter((locker) => (size === undefined || locker.size === size) && (found === undefined || found(locker)));
  const asked = show === undefined ? sized : sized.filter(shows[show]);
  const meant = new Set(asked);
  const doors: Doors = Object.fromEntries(
    lockers.map((locker) => [locker.id, meant.has(locker) ? doorView(locker) : { ...doorView(locker), faint: true }]),
  );
  const counts = Object.fromEntries(SHOWS.map((one) => [one, sized.filter(shows[one]).length])) as Record<Show, number>;
  // What stands back has no fill of its own, so the legend explains what is looked for.
  const looks = countLooks(Object.values(doors).filter((door) => door.faint !== true));
  const away = asked.filter(shows.offline).length;
  if (away > 0) looks.set('offline', away);
  return {
    lockers,
    asked,
    sized: sized.length,
    doors,
    counts,
    looks,
  };
};

/** Each wall's part is reckoned once for the list that it was reckoned of: a door that moves costs its own wall, not all of them. */
const reckoned = new WeakMap<readonly Locker[], Narrowed & { facts: Facts; part: Part }>();
export const partOf = (lockers: readonly Locker[], facts: Facts, { show, size, found }: Narrowed): Part => {
  const known = reckoned.get(lockers);
  if (known?.facts === facts && known.show === show && known.size === size && known.found === found) return known.part;
  const part = reckon(
    lockers.filter((locker) => mayUseOnLocker('lock-control', locker.id, facts)),
    { show, size, found },
  );
  reckoned.set(lockers, { facts, show, size, found, part });
  return part;
};

/** How much of what all walls together show. */
export function countParts(parts: Iterable<Part>): Pick<Part, 'counts' | 'looks' | 'sized'> {
  const counts = Object.fromEntries(SHOWS.map((one) => [one, 0])) as Record<Show, number>;
  const looks = new Map<DoorLook, number>();
  let sized = 0;
  for (const part of parts) {
    sized += part.sized;
    for (const one of SHOWS) counts[one] += part.counts[one];
    for (const [look, count] of part.looks) looks.set(look, (looks.get(look) ?? 0) + count);
  }
  return { counts, looks, sized };
}
