import { z } from 'zod';
import { compartmentSize, type PairingAnswer } from '@hatchway/contract/devices.ts';

/** The shape of a virtual cabinet. Widths and heights are millimetres of steel. */
export const layoutSchema = z.object({
  columns: z
    .array(
      z.object({
        width: z.number().min(50).max(3_000),
        doors: z
          .array(
            z.object({
              no: z.int().min(1).max(999),
              tag: z.string().min(1).max(20),
              height: z.number().min(30).max(3_000),
              size: compartmentSize.optional(),
            }),
          )
          .min(1)
          .max(100),
      }),
    )
    .min(1)
    .max(200),
});
export type Layout = z.infer<typeof layoutSchema>;

const door = z.int().min(1).max(999);

/** Everything that a person, an accident or a thief can do to a cabinet. */
export const actionSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('open'), door }),
  /** `latch: false`: pushed to, but the lock did not catch. */
  z.object({ do: z.literal('close'), door, latch: z.boolean().default(true) }),
  z.object({ do: z.literal('force'), door }),
  z.object({ do: z.literal('put'), door, what: z.string().max(60).default('') }),
  z.object({ do: z.literal('take'), door }),
  z.object({ do: z.literal('jam'), door, on: z.boolean() }),
  z.object({ do: z.literal('occupancy-sensor'), door, says: z.enum(['truth', 'occupied', 'empty']) }),
  z.object({ do: z.literal('door-sensor'), door, says: z.enum(['truth', 'open', 'closed']) }),
  z.object({
    do: z.literal('fault'),
    silent: z.boolean().optional(),
    slowMs: z.int().min(0).max(60_000).optional(),
    doubled: z.boolean().optional(),
    staleRetained: z.boolean().optional(),
    clockSkewMs: z.int().min(-86_400_000).max(86_400_000).optional(),
    leftOpenMs: z.int().min(0).max(86_400_000).optional(),
  }),
  /** `cut`: the plug is pulled. `off`: shut down with a goodbye. */
  z.object({ do: z.literal('power'), to: z.enum(['on', 'cut', 'off']) }),
  z.object({ do: z.literal('network'), on: z.boolean() }),
  z.object({ do: z.literal('mend') }),
]);
export type Action = z.input<typeof actionSchema>;
export type HandAction = Extract<Action, { door: number }>;

export type ActionRefusal =
  | 'no-such-door'
  | 'latched'
  | 'jammed'
  | 'already-open'
  | 'already-closed'
  | 'closed'
  | 'not-empty'
  | 'nothing-inside';
export type ActionResult = { ok: true } | { ok: false; code: ActionRefusal };

/** A door as it stands there. What its sensors say of it may be another matter. */
export interface DoorBody {
  no: number;
  open: boolean;
  locked: boolean;
  content: string | null;
  jammed: boolean;
  occupancySensor: 'truth' | 'occupied' | 'empty';
  doorSensor: 'truth' | 'open' | 'closed';
  /** The command that opened or locked it last; an opening by other means takes it away. */
  cmdId: string | null;
}

export const NO_FAULTS = {
  silent: false,
  slowMs: 0,
  doubled: false,
  staleRetained: false,
  clockSkewMs: 0,
  /** How long a door may stand open before it is told of; 0 leaves it as the cabinet was made. */
  leftOpenMs: 0,
};
export type Faults = typeof NO_FAULTS;
export type Credentials = Omit<PairingAnswer, 'mqttUrl'>;

export interface WireLine {
  at: string;
  to: 'server' | 'cabinet';
  topic: string;
  text: string;
}

export interface CabinetView {
  id: string;
  name: string;
  controllerId: string;
  connection: 'online' | 'connecting' | 'refused' | 'off' | 'unplugged' | 'no-network';
  session: string | null;
  canLock: boolean;
  occupancySensors: boolean;
  layout: Layout;
  doors: DoorBody[];
  faults: Faults;
  wire: WireLine[];
}
