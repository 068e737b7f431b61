import { bestFit, isFailing, ranked, unfit, type Fit, type Wish } from '@hatchway/domain/locker.ts';
import { SIZES, type Service, type Size } from '@hatchway/domain/terms.ts';
import { candidate, isLinked, obstacleTo, type LockerFacts } from './door-view.ts';

export type Asked = {
  service: Service;
  size: Size | null;
  /** As large as a door that was given up: what was to go into it may not fit into a smaller one. */
  least?: Size | null;
  cabinetId: string | null;
  /** Cabinets that one can walk to from there: those of its site. */
  near: readonly string[];
  tried: readonly string[];
};

type MaybeSize = Size | null | undefined;
const larger = (a: MaybeSize, b: MaybeSize): Size | null => SIZES.findLast((size) => size === a || size === b) ?? null;
export const sizeFor = ({ size, least }: Pick<Asked, 'size' | 'least'>): Size | null => larger(size, least);

/**
 * Best fit in the cabinet that was asked for; where it has none, in another one of its site, so that nobody searches walls by eye.
 * A door in another town is nobody's best fit: who wants one chooses its cabinet.
 */
export function fitFor(lockers: readonly LockerFacts[], asked: Asked): Fit & { elsewhere: boolean } {
  const wish: Wish = { size: sizeFor(asked), service: asked.service, cabinetId: asked.cabinetId, not: asked.tried };
  const candidates = lockers.map(candidate);
  const here = bestFit(candidates, wish);
  if (here.ok || asked.cabinetId === null) return { ...here, elsewhere: false };
  const anywhere = bestFit(
    candidates.filter(({ cabinetId }) => asked.near.includes(cabinetId)),
    { ...wish, cabinetId: null },
  );
  return anywhere.ok ? { ...anywhere, elsewhere: true } : { ...here, elsewhere: false };
}

/** Where a door is that would do, when the site that was asked for has none: a way to another town, which somebody has to choose. */
export function fitAway(lockers: readonly LockerFacts[], asked: Asked): LockerFacts | null {
  const fit = bestFit(lockers.map(candidate), { size: sizeFor(asked), service: asked.service, cabinetId: null, not: asked.tried });
  return fit.ok ? (lockers.find(({ id }) => id === fit.lockerId) ?? null) : null;
}

type OtherDoors = { near: LockerFacts[]; away: LockerFacts[] };

/**
 * Doors that something could be moved to, best first: those of the cabinet that was asked for, then those of its site, those that somebody
 * can open by a link last, and apart from them those where nobody walks with a parcel in hand.
 */
export function otherDoors(lockers: readonly LockerFacts[], asked: Asked): OtherDoors {
  const byId = new Map(lockers.map((locker) => [locker.id, locker]));
  const wish = { size: asked.size, service: asked.service, cabinetId: null, not: asked.tried };
  const doors = ranked(lockers.map(candidate), wish).flatMap(({ id }) => byId.get(id) ?? []);
  const there = doors.filter(({ cabinetId }) => cabinetId === asked.cabinetId);
  const beside = doors.filter(({ cabinetId }) => cabinetId !== asked.cabinetId && asked.near.includes(cabinetId));
  const near = [...there, ...beside].toSorted((a, b) => Number(isLinked(a)) - Number(isLinked(b)));
  return { near, away: doors.filter((door) => !near.includes(door)) };
}

export type PassedOver = { locker: LockerFacts; why: 'failing' | 'in-doubt' | 'out-of-service' | 'linked' };

/**
 * The door that would have been the best fit, were it in order: whoever knows the wall wonders why it is not. Null where the best is
 * the one that was chosen, or nothing better stands there. `chosen`: null where there was none to be had.
 */
export function passedOver(lockers: readonly LockerFacts[], chosen: LockerFacts | null, asked: Asked): PassedOver | null {
  const service = asked.service;
  const whyNot = (locker: LockerFacts): PassedOver['why'] | null => {
    const obstacle = unfit(candidate(locker), service);
    if (obstacle === 'in-doubt' || obstacle === 'out-of-service') return obstacle;
    if (obstacle !== null) return null;
    return isFailing(locker.lastCommand) ? 'failing' : isLinked(locker) ? 'linked' : null;
  };
  const whole = (locker: LockerFacts) =>
    ({ ...candidate(locker), content: 'empty', outOfService: false, failing: false, linked: false }) as const;
  const there = lockers.filter((locker) => locker.id === chosen?.id || whyNot(locker) !== null).map(whole);
  // Tried in vain, it would still be the best.
  const [best] = ranked(there, { size: sizeFor(asked), service, cabinetId: asked.cabinetId, not: [] });
  const locker = best === undefined || best.id === chosen?.id ? undefined : lockers.find(({ id }) => id === best.id);
  const why = locker === undefined ? null : whyNot(locker);
  return locker === undefined || why === null ? null : { locker, why };
}

export type Choice = {
  locker: LockerFacts | null;
  /** Who chose it, and why it. */
  why: 'unknown-scan' | 'by-hand' | 'as-large' | 'exact-size' | 'next-size-up' | 'smallest-free' | 'no-locker' | 'none-free' | 'too-small';
  elsewhere: boolean;
  /** The door that was chosen by hand and cannot be had any more. */
  lost: LockerFacts | null;
};

/** What was scanned is no door that can be had: none is chosen then, and none is suggested. */
export const NO_DOOR = '';

/** The door that the draft stands for: the one chosen by hand while it can be had, else the best fit that is as large. */
export function chosenDoor(lockers: readonly LockerFacts[], picked: string | null, asked: Asked): Choice {
  if (picked === NO_DOOR) return { locker: null, why: 'unknown-scan', elsewhere: false, lost: null };
  const byHand = picked === null ? undefined : lockers.find((locker) => locker.id === picked);
  if (byHand !== undefined && obstacleTo(byHand, asked.service) === null) {
    return { locker: byHand, why: 'by-hand', elsewhere: false, lost: null };
  }
  const wish: Asked = { ...asked, least: larger(asked.least, byHand?.size) };
  const fit = fitFor(lockers, wish);
  const lost = byHand ?? null;
  if (!fit.ok) return { locker: null, why: fit.code, elsewhere: false, lost };
  // The size that one door had is no size that was asked for.
  const why = sizeFor(wish) === asked.size ? fit.why : 'as-large';
  return { locker: lockers.find((locker) => locker.id === fit.lockerId) ?? null, why, elsewhere: fit.elsewhere, lost };
}
