import { z } from 'zod';
import { SIZES } from '@hatchway/domain/terms.ts';

/**
 * What cabinet controllers and the server say to each other over MQTT 3.1.1, below `pml/v1/{tenantId}/{controllerId}/`.
 * Payloads are JSON, at most DEVICE_LIMITS.packetBytes. Unknown members are ignored, so that either side may learn new words first.
 *
 * | topic                   | from   | QoS | retained |
 * | lwt                     | device | 1   | yes, and the last will is its `online: false` |
 * | birth                   | device | 1   | yes      |
 * | compartments/{no}/state | device | 1   | yes; alone the truth about a door |
 * | event                   | device | 1   | no       |
 * | cmd                     | server | 1   | never: a retained open would fire at every reconnect |
 * | ack                     | device | 1   | no       |
 *
 * A controller takes a new `session` at every connect and says, in this order: birth, lwt (online), the state of every compartment.
 * A session is a name that its cabinet never had before, whichever controller stood there: a UUID, not a count that a power cut or a new
 * controller begins again. One that is over is not believed any more, nor is what was said under it heard twice.
 * `seq` grows with every message of a session. `ts` is the controller's clock when the message was written.
 */
export const DEVICE_ROOT = 'pml/v1';
export const DEVICE_PROTOCOL = 1;

export const DEVICE_LIMITS = {
  /** A birth of 255 compartments takes some 25 kB. */
  packetBytes: 64 * 1024,
  /** The controller ignores a command after this; the server waits answerMs in all. */
  commandMs: 5_000,
  answerMs: 7_000,
  /** A command whose deadline lies further ahead than this is of a wrong clock, and is refused as `future`. */
  futureMs: 60_000,
  /** How many command ids a controller remembers, at least. */
  rememberedCommands: 50,
  /** Loss shows within one and a half times the keepalive. */
  keepaliveSeconds: 20,
  maxKeepaliveSeconds: 60,
} as const;

export interface ControllerRef {
  readonly tenantId: string;
  readonly controllerId: string;
}

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const at = z.iso.datetime({ offset: true });
const seq = z.int().min(0);
export const compartmentSize = z.enum(SIZES);
const compartmentNo = z.int().min(1).max(999);

export const lwtMessage = z.object({
  online: z.boolean(),
  session: id,
  /** `shutdown` after a goodbye, `lost` in the last will. */
  reason: z.string().max(40).optional(),
  /** In a last will this is when the will was written, that is: when the session began. */
  ts: at,
});

export const birthMessage = z.object({
  session: id,
  fw: z.string().max(60),
  model: z.string().max(60),
  protocol: z.int().min(1),
  canLock: z.boolean().default(false),
  compartments: z
    .array(
      z.object({
        no: compartmentNo,
        size: compartmentSize.optional(),
        sensors: z.array(z.enum(['door', 'occupancy'])).default(['door']),
      }),
    )
    .max(255),
  ts: at,
});

export const stateMessage = z.object({
  door: z.enum(['open', 'closed', 'unknown']),
  lock: z.enum(['locked', 'unlocked', 'unknown']).default('unknown'),
  occupancy: z.enum(['occupied', 'empty', 'unknown']).default('unknown'),
  seq,
  session: id,
  /**
   * The command that last moved this door or its lock, also where it found the door open already; it stays until the next one, so that a
   * server that was away learns of it.
   */
  cmdId: id.optional(),
  ts: at,
});

export const DEVICE_EVENTS = ['door_opened', 'door_closed', 'forced', 'left_open', 'tamper', 'jam'] as const;
export type DeviceEvent = (typeof DEVICE_EVENTS)[number];

export const eventMessage = z.object({
  seq,
  session: id,
  type: z.enum(DEVICE_EVENTS),
  /** Left out of an alarm of the housing itself. */
  compartment: compartmentNo.optional(),
  cmdId: id.optional(),
  ts: at,
});

export const DEVICE_OPS = ['open', 'lock', 'status', 'reboot'] as const;
export type DeviceOp = (typeof DEVICE_OPS)[number];

/** `status` makes the controller say birth, lwt and all states again. `open` and `lock` name a compartment. */
export const cmdMessage = z
  .object({
    cmdId: id,
    op: z.enum(DEVICE_OPS),
    compartment: compartmentNo.optional(),
    expiresAt: at,
    pulseMs: z.int().min(10).max(10_000).optional(),
  })
  .refine((cmd) => cmd.compartment !== undefined || cmd.op === 'status' || cmd.op === 'reboot', { path: ['compartment'] });

export const ACK_RESULTS = ['accepted', 'opened', 'failed', 'expired', 'duplicate', 'rejected'] as const;

/**
 * Two stages: `accepted` (understood, not yet done), then the physical end. `failed` codes: jammed, no-power.
 * `rejected` codes: future, retained, no-such-compartment, cannot-lock, door-open. `duplicate` repeats in `earlier` (and `code`) how that id ended before.
 */
export const ackMessage = z.object({
  cmdId: id,
  result: z.enum(ACK_RESULTS),
  earlier: z.enum(['accepted', 'opened', 'failed', 'expired', 'rejected']).optional(),
  code: z.string().max(40).optional(),
  door: z.enum(['open', 'closed', 'unknown']).optional(),
  seq,
  session: id,
  ts: at,
});

export type LwtMessage = z.infer<typeof lwtMessage>;
export type BirthMessage = z.infer<typeof birthMessage>;
export type StateMessage = z.infer<typeof stateMessage>;
export type EventMessage = z.infer<typeof eventMessage>;
export type CmdMessage = z.infer<typeof cmdMessage>;
export type AckMessage = z.infer<typeof ackMessage>;

const root = (ref: ControllerRef) => `${DEVICE_ROOT}/${ref.tenantId}/${ref.controllerId}`;

export const deviceTopics = {
  lwt: (ref: ControllerRef) => `${root(ref)}/lwt`,
  birth: (ref: ControllerRef) => `${root(ref)}/birth`,
  state: (ref: ControllerRef, compartment: number) => `${root(ref)}/compartments/${compartment}/state`,
  event: (ref: ControllerRef) => `${root(ref)}/event`,
  cmd: (ref: ControllerRef) => `${root(ref)}/cmd`,
  ack: (ref: ControllerRef) => `${root(ref)}/ack`,
};

/** What the server listens to. It never hears its own commands. */
export const SERVER_SUBSCRIPTIONS = ['lwt', 'birth', 'compartments/+/state', 'event', 'ack'].map(
  (suffix) => `${DEVICE_ROOT}/+/+/${suffix}`,
);

/** Of these, what nobody says again: said while no server listens, it is to wait at the broker. */
export const SERVER_EVENTS = `${DEVICE_ROOT}/+/+/event`;

export type DeviceTopic = ControllerRef & ({ kind: 'lwt' | 'birth' | 'event' | 'cmd' | 'ack' } | { kind: 'state'; compartment: number });

const topicShape =
  /^pml\/v1\/([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_-]{1,64})\/(?:(lwt|birth|event|cmd|ack)|compartments\/([1-9]\d{0,2})\/state)$/;

/** Null for anything that is not one of ours, wildcards included. */
export function readDeviceTopic(topic: string): DeviceTopic | null {
  const [, tenantId, controllerId, kind, compartment] = topicShape.exec(topic) ?? [];
  if (tenantId === undefined || controllerId === undefined) return null;
  if (compartment !== undefined) return { tenantId, controllerId, kind: 'state', compartment: Number(compartment) };
  return { tenantId, controllerId, kind: kind as 'lwt' | 'birth' | 'event' | 'cmd' | 'ack' };
}

/** The user name of a controller is the middle of its topics, so that brokers outside can write their access rules with it (`pml/v1/%u/…`). */
export const deviceUsername = (ref: ControllerRef) => `${ref.tenantId}/${ref.controllerId}`;

export function readDeviceUsername(username: string): ControllerRef | null {
  const [, tenantId, controllerId] = /^([A-Za-z0-9_-]{1,64})\/([A-Za-z0-9_-]{1,64})$/.exec(username) ?? [];
  return tenantId === undefined || controllerId === undefined ? null : { tenantId, controllerId };
}

/** Letters and digits that nobody mistakes for each other: no 0/O, 1/I/L, U (reads as V). 8 of them: 30^8, for ten minutes, once. */
export const PAIRING_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const PAIRING_CODE_LENGTH = 8;
export const PAIRING_MINUTES = 10;

/** People type codes in small letters and with a dash in the middle. */
export const pairingCode = z
  .string()
  .max(20)
  .transform((code) => code.toUpperCase().replace(/[\s-]/g, ''))
  .pipe(z.string().regex(new RegExp(`^[${PAIRING_ALPHABET}]{${PAIRING_CODE_LENGTH}}$`)));

/** POST /v1/devices/pair, without a login: the code is the proof. */
export const pairingRequest = z.object({ code: pairingCode, fw: z.string().max(60), model: z.string().max(60) });
/** The password is shown this once. */
export const pairingAnswer = z.object({
  tenantId: id,
  controllerId: id,
  username: z.string(),
  password: z.string(),
  mqttUrl: z.string(),
});
export type PairingRequest = z.infer<typeof pairingRequest>;
export type PairingAnswer = z.infer<typeof pairingAnswer>;
