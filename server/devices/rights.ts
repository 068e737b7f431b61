import { readDeviceTopic, lwtMessage, type ControllerRef } from '@hatchway/contract/devices.ts';

/** Who stands behind a connection: the server itself, or one controller of one company. */
export type Principal = { readonly kind: 'server' } | ({ readonly kind: 'device' } & ControllerRef);

interface Publication {
  topic: string;
  retain: boolean;
  qos: number;
}

const RETAINED = new Set(['lwt', 'birth', 'state']);

/** Null where it is allowed, else why not. A device says what it is; only the server commands; nobody leaves a command behind. */
export function mayPublish(who: Principal, message: Publication): string | null {
  const topic = readDeviceTopic(message.topic);
  if (topic === null) return 'not a device topic';
  if (who.kind === 'server') {
    if (topic.kind !== 'cmd') return 'the server sends commands only';
    return message.retain ? 'a command is never retained' : null;
  }
  if (topic.tenantId !== who.tenantId || topic.controllerId !== who.controllerId) return "another controller's topic";
  if (topic.kind === 'cmd') return 'a device sends no commands';
  if (message.qos > 1) return 'quality of service 2 is not spoken here';
  if (message.retain && !RETAINED.has(topic.kind)) return `${topic.kind} is never retained`;
  return null;
}

/** The server may listen to everything of ours; a device to its own commands, by their exact name. */
export function maySubscribe(who: Principal, filter: string): boolean {
  if (who.kind === 'server') return filter.startsWith('pml/v1/');
  const topic = readDeviceTopic(filter);
  return topic?.kind === 'cmd' && topic.tenantId === who.tenantId && topic.controllerId === who.controllerId;
}

/** A last will may only say, on the controller's own lwt topic, that it is gone: retained, or later listeners would take it for online. */
export function mayLeaveWill(who: Principal, will: Publication & { payload: Uint8Array | string }): string | null {
  if (who.kind === 'server') return 'the server leaves no will';
  const refusal = mayPublish(who, will);
  if (refusal !== null) return refusal;
  if (readDeviceTopic(will.topic)?.kind !== 'lwt') return 'a will belongs on lwt';
  if (!will.retain || will.qos !== 1) return 'a will is retained and of quality 1';
  const parsed = lwtMessage.safeParse(parse(will.payload));
  return parsed.success && !parsed.data.online ? null : 'a will says online: false';
}

function parse(payload: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof payload === 'string' ? payload : Buffer.from(payload).toString('utf8'));
  } catch {
    return undefined;
  }
}
