import { setTimeout as pause } from 'node:timers/promises';
import { cmdMessage, DEVICE_LIMITS, type AckMessage, type CmdMessage } from '@hatchway/contract/devices.ts';
import { release } from './physics.ts';
import type { DoorBody, Faults } from './model.ts';

export interface Remembered {
  cmdId: string;
  earlier: 'accepted' | 'opened' | 'failed' | 'expired' | 'rejected';
  code?: string | undefined;
}

export interface CommandHost {
  faults: Faults;
  canLock: boolean;
  latchMs: number;
  remembered: Remembered[];
  now(): number;
  powered(): boolean;
  door(no: number): DoorBody | undefined;
  ack(message: Pick<AckMessage, 'cmdId' | 'result' | 'code' | 'earlier' | 'door'>): void;
  moved(door: DoorBody, event: 'door_opened' | 'jam' | null): void;
  announce(): void;
  reboot(): void;
}

/** How a careful controller treats a command: once, in time, and never one that was lying there when it came. */
export async function obey(host: CommandHost, payload: Uint8Array, retained: boolean): Promise<void> {
  const cmd = parse(payload);
  if (cmd === null || host.faults.silent) return;
  const { cmdId } = cmd;
  const end = (earlier: Remembered['earlier'], code?: string) => {
    remember(host, { cmdId, earlier, code });
    host.ack({ cmdId, result: earlier, ...(code === undefined ? {} : { code }) });
  };
  if (retained) return host.ack({ cmdId, result: 'rejected', code: 'retained' });
  const before = host.remembered.find((one) => one.cmdId === cmdId);
  if (before)
    return host.ack({ cmdId, result: 'duplicate', earlier: before.earlier, ...(before.code === undefined ? {} : { code: before.code }) });
  const deadline = Date.parse(cmd.expiresAt);
  if (host.now() >= deadline) return end('expired');
  if (deadline - host.now() > DEVICE_LIMITS.futureMs) return end('rejected', 'future');

  if (cmd.op === 'status' || cmd.op === 'reboot') {
    end('accepted');
    return cmd.op === 'status' ? host.announce() : host.reboot();
  }
  const door = host.door(cmd.compartment ?? 0);
  if (!door) return end('rejected', 'no-such-compartment');
  if (cmd.op === 'lock' && !host.canLock) return end('rejected', 'cannot-lock');
  if (cmd.op === 'lock' && door.open) return end('rejected', 'door-open');

  end('accepted');
  await pause(host.latchMs + host.faults.slowMs);
  if (!host.powered()) return;
  // Nobody stands there any more.
  if (host.now() >= deadline) return end('expired');
  door.cmdId = cmdId;
  if (cmd.op === 'lock') {
    door.locked = true;
    return host.moved(door, null);
  }
  if (release(door) === 'jammed') {
    door.cmdId = null;
    end('failed', 'jammed');
    return host.moved(door, 'jam');
  }
  host.moved(door, 'door_opened');
  // A controller believes its sensor: if that says closed, it never saw the door open.
  if (door.doorSensor === 'closed') return end('failed', 'door-not-seen-open');
  end('opened');
}

function remember(host: CommandHost, one: Remembered) {
  host.remembered = [...host.remembered.filter((other) => other.cmdId !== one.cmdId), one].slice(-DEVICE_LIMITS.rememberedCommands);
}

function parse(payload: Uint8Array): CmdMessage | null {
  try {
    return cmdMessage.safeParse(JSON.parse(Buffer.from(payload).toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
