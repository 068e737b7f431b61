import type { BirthMessage, ControllerRef, DeviceEvent } from '@hatchway/contract/devices.ts';

/** Said by ourselves of a controller that may come back in the session that it had: nobody heard of it, or two controllers speak as it. */
export const NOT_HEARD = 'not-heard';
export const TWO_CONTROLLERS = 'two-controllers';

/**
 * What a controller said, after everything stale, doubled or forged was taken out. `at` is the controller's clock where that is plausible,
 * else the time of arrival. `retained` facts are what a broker kept for us: true as of `at`, not news.
 *
 * This process remembers sessions and sequence numbers only while it runs, and several processes may hear the same message.
 * Whoever stores facts keeps `session` and `seq` of the last one per compartment beside the row, and ignores a repeated pair; and beside
 * the cabinet which session holds and which are over, since a process that lags says what was long ago.
 */
export type Fact = ControllerRef & {
  at: string;
  retained: boolean;
  /** By how many ms its clock is behind ours; below 0 it is ahead. Left out where nobody knows. */
  behind?: number;
} & (
    | { kind: 'connection'; online: boolean; session: string | null; reason: string | null }
    | {
        kind: 'birth';
        session: string;
        /** The sessions that this process heard before it: what it knows to be over. */
        after: readonly string[];
        fw: string;
        model: string;
        canLock: boolean;
        sensors: boolean;
        compartments: BirthMessage['compartments'];
      }
    | {
        kind: 'door';
        compartment: number;
        door: 'opened' | 'closed' | 'unknown';
        lock: 'locked' | 'unlocked' | 'unknown';
        occupancy: 'occupied' | 'empty' | 'unknown';
        session: string;
        seq: number;
        cmdId?: string;
      }
    | { kind: 'event'; type: DeviceEvent; compartment?: number; session: string; seq: number; cmdId?: string }
  );
