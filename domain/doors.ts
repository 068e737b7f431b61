import { STAGES, type DoorState, type LockState, type OccupationType, type Stage } from './terms.ts';

/**
 * Stages in which an open command may name the occupation: something is to be put in (RESERVED, INITIATED), taken (CLAIMING), taken
 * out or brought back (VACANT), or refilled (FILLED, ACQUIRABLE). Everywhere else the door stays shut for it.
 */
const CALLS_FOR_AN_OPEN_DOOR: readonly Stage[] = [STAGES.RESERVED, STAGES.INITIATED, STAGES.CLAIMING, STAGES.VACANT];
const REFILL: readonly Stage[] = [STAGES.FILLED, STAGES.ACQUIRABLE];
const REFILLED: readonly OccupationType[] = ['consumable', 'sale'];

/** Types that hold several pieces and are refilled. */
export function isStock(type: OccupationType): boolean {
  return REFILLED.includes(type);
}

/** Pieces in one locker: above that it is a typing mistake. */
export const MAX_PIECES = 100_000;

export function doorMayOpen(occupation: { readonly stage: Stage; readonly type: OccupationType }): boolean {
  if (CALLS_FOR_AN_OPEN_DOOR.includes(occupation.stage)) return true;
  return REFILL.includes(occupation.stage) && isStock(occupation.type);
}

/**
 * Shut, and the controller says that its lock is not: whoever pulls opens it. One that was told to open lets its lock go before the door
 * moves; until that command has ended this is no news, and of an open door it never is.
 */
export function isNotLocked(door: { readonly door: DoorState; readonly lock: LockState; readonly opening: boolean }): boolean {
  return door.door === 'closed' && door.lock === 'unlocked' && !door.opening;
}

/** By the controller's own code of a refusal: the lock let go, and the door did not move. */
export function isJam(code: unknown): boolean {
  return typeof code === 'string' && /jam/i.test(code);
}
