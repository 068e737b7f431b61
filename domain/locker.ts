import type { Connection, ContentState, DoorState, Reach, Service, Size, Stage } from './terms.ts';

export const LOCKER_LOOKS = [
  'free',
  'reserved',
  'filled',
  'ready',
  'claiming',
  'overdue',
  'open',
  'unknown',
  'offline',
  'out-of-service',
] as const;
/** How a door is drawn on a wall. */
export type LockerLook = (typeof LOCKER_LOOKS)[number];
export interface Candidate {
  readonly id: string;
  readonly cabinetId: string;
  readonly doorTag: string;
  readonly size: Size;
  readonly reach: Reach;
  readonly connection: Connection;
  readonly door: DoorState;
  readonly content: ContentState;
  readonly outOfService: boolean;
  /** Services that it is for; none named means every one. */
  readonly services: readonly Service[];
  readonly occupied: boolean;
}
export interface Wish {
  readonly size: Size | null;
  readonly service: Service;
  readonly cabinetId: string | null;
  /** Doors that were tried already. */
  readonly not: readonly string[];
}
export type Fit =
  | { readonly ok: true; readonly lockerId: string; readonly why: 'exact-size' | 'next-size-up' | 'smallest-free' }
  | { readonly ok: false; readonly code: 'no-locker' | 'none-free' | 'too-small' };
export declare function bestFit(lockers: readonly Candidate[], wish: Wish): Fit;
/** Nobody knows what is inside, or something is inside that no occupation explains. */
export declare function inDoubt(locker: { content: ContentState; occupied: boolean }): boolean;
export declare function lockerState(locker: {
  connection: Connection;
  door: DoorState;
  content: ContentState;
  outOfService: boolean;
  occupation: { stage: Stage; overdue: boolean } | null;
}): LockerLook;
