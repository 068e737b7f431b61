import { mayBuild, mayUseOnLocker, type Facts } from './access.ts';
import { HOUR, MINUTE } from './deadlines.ts';
import type { OccupationType, Service } from './terms.ts';

/** What an access link is for: opens its lockers; registers a drop-off at first use and fills it; fetches what waits in its lockers. */
export const LINK_PURPOSES = ['open', 'drop-off', 'pick-up'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** Types that a link may fetch: LINK_MAY's `claim`. */
export const FETCHED = ['delivery', 'drop-off', 'recall'] as const satisfies readonly OccupationType[];
const FOR: Readonly<Record<LinkPurpose, readonly Service[]>> = { open: ['lock-control'], 'drop-off': ['drop-off'], 'pick-up': FETCHED };

/**
 * For which services a link of this purpose opens this door, in the right of whoever answers for it; empty: it stays shut. Nobody hands
 * on what they may not do themselves, so this is asked when it is made, and again at each use with what they may then.
 */
export function handsOn(purpose: LinkPurpose, lockerId: string, facts: Facts): readonly Service[] {
  if (!mayBuild([lockerId], facts)) return [];
  return FOR[purpose].filter((service) => mayUseOnLocker(service, lockerId, facts));
}

/** Whether somebody may show, lengthen or take over such a link: every door of it must be theirs to hand on. */
export function handsOnAll(link: { purpose: LinkPurpose; lockerIds: readonly string[] }, facts: Facts): boolean {
  return link.lockerIds.length > 0 && link.lockerIds.every((id) => handsOn(link.purpose, id, facts).length > 0);
}

/** `waiting`: its time has not come. The others say why it opens nothing any more. */
export const LINK_STATES = ['waiting', 'active', 'used-up', 'expired', 'revoked'] as const;
export type LinkState = (typeof LINK_STATES)[number];

export const LINK_HOURS = 24;
export const LINK_DAYS_MOST = 366;
export const LINK_USES = 1;
export const LINK_USES_MOST = 1000;

export interface LinkLimits {
  readonly validFrom: string;
  readonly validTo: string;
  readonly maxUses: number;
  readonly used: number;
  readonly revokedAt: string | null;
}

/** Withdrawn before all else, then its time, then its uses: what is said is what nobody can mend by waiting. */
export function linkState(link: LinkLimits, now: string): LinkState {
  if (link.revokedAt !== null) return 'revoked';
  const at = Date.parse(now);
  if (at >= Date.parse(link.validTo)) return 'expired';
  if (link.used >= link.maxUses) return 'used-up';
  return at < Date.parse(link.validFrom) ? 'waiting' : 'active';
}

/** A drop-off or pick-up that began in time may be brought to its end, for so long after it began. */
const USE_LIVES_ON = HOUR;
/** For so long the door of a use opens once more: it fell shut, or did not move at the first press. */
const OPENS_AGAIN = 5 * MINUTE;

const within = (since: string, ms: number, now: string): boolean => Date.parse(now) < Date.parse(since) + ms;

/** Whether who began a use may go on with it. Withdrawing the link ends that too. */
export function useLives(link: LinkLimits, begunAt: string, now: string): boolean {
  if (link.revokedAt !== null) return false;
  return within(begunAt, USE_LIVES_ON, now) || Date.parse(now) < Date.parse(link.validTo);
}

/** Whether an opening is still the use that it began as. */
export function opensAgain(link: LinkLimits, begunAt: string, now: string): boolean {
  return link.revokedAt === null && within(begunAt, OPENS_AGAIN, now);
}
