import { DEVICE_LIMITS } from '@hatchway/contract/devices.ts';
import { SILENCES, type Silences } from '@hatchway/domain/policy.ts';

/** How long the server waits for what does not come by itself. Read each time that a wait begins. */
export type Pace = { -readonly [K in keyof Silences]: number } & {
  /** A controller ignores a command after this, and its word is awaited so long in all. */
  commandMs: number;
  answerMs: number;
  /** A controller is asked to say everything again at most this often, or a confused one would be asked without end. */
  askMs: number;
  /** Two controllers have thrown each other out; after so long without it one of them is gone. */
  calmMs: number;
  /** A message that was refused for the moment is tried again so much later each time; after the last it has failed. */
  againSeconds: readonly number[];
  /** A door that opens again so soon after it was shut has not been opened anew: its contact bounces, or its lock did not catch. */
  bounceMs: number;
  /** How often a call that takes long says that it is still worked on. */
  stillMs: number;
  /** How often a node that hears no other one reads who was put out meanwhile. */
  catchUpMs: number;
  /** How often a company's Microsoft directory is asked what changed: who was removed there is out as soon. */
  directoryMs: number;
};

/** Tests alone set another. */
export const PACE: Readonly<Pace> = {
  ...SILENCES,
  commandMs: DEVICE_LIMITS.commandMs,
  answerMs: DEVICE_LIMITS.answerMs,
  askMs: 5_000,
  calmMs: 120_000,
  againSeconds: [2, 15, 60, 300, 900, 3600, 3 * 3600],
  bounceMs: 2_000,
  stillMs: 5_000,
  catchUpMs: 2_000,
  directoryMs: 10_000,
};
