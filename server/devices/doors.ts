import {
  ackMessage,
  deviceTopics,
  readDeviceTopic,
  type AckMessage,
  type CmdMessage,
  type ControllerRef,
  type DeviceOp,
} from '@hatchway/contract/devices.ts';
import type { Fact } from './fact.ts';
import type { Link } from './link.ts';
import type { Log } from './log.ts';
import { PACE, type Pace } from '../pace.ts';

/**
 * How a command ended. `opened` is said by the controller alone; `done` is the same for lock, status and reboot.
 * `no-answer` means that nobody knows: the door may have opened. The same command is never sent under a new id without a person's word.
 * `offline`: known to be away, and nothing was sent. Codes beside those of the contract: deadline-passed, stopping, broker-away.
 */
export interface Outcome<Done extends string> {
  outcome: Done | 'refused' | 'no-answer' | 'offline';
  code?: string;
  at: string;
}

interface ControllerCommand extends ControllerRef {
  commandId: string;
  /** PACE.commandMs from now, by default. */
  expiresAt?: string | Date;
}
export interface DoorCommand extends ControllerCommand {
  compartment: number;
}

export interface Doors {
  /** Giving the same command again while it is under way joins it; before its deadline it is sent again, under its id. */
  open(command: DoorCommand): Promise<Outcome<'opened'>>;
  lock(command: DoorCommand): Promise<Outcome<'done'>>;
  status(command: ControllerCommand): Promise<Outcome<'done'>>;
  reboot(command: ControllerCommand): Promise<Outcome<'done'>>;
  /** Fed with the acks of the broker and with facts as they are heard. */
  hearAck(topic: string, payload: Uint8Array, retained: boolean): void;
  hearFact(fact: Fact): void;
  readonly pending: number;
  /** Takes no more commands, and waits for those under way; after `ms` they end as no-answer. */
  stop(ms?: number): Promise<void>;
}

export interface DoorsOptions {
  link: Pick<Link, 'send' | 'connected' | 'onReady'>;
  /** null: nobody knows yet, so it is tried. */
  online: (ref: ControllerRef, op: DeviceOp) => boolean | null;
  /** By how many ms a controller's clock is behind ours: it reads a deadline by its own. */
  behind?: (ref: ControllerRef) => number;
  log: Log;
  now?: () => number;
  /** A command's deadline where it names none, and how long beyond it the controller's word is still awaited. Asked at each command. */
  pace?: Readonly<Pick<Pace, 'commandMs' | 'answerMs'>>;
  repeatMs?: number;
}

type Ended = { outcome: 'done' | 'refused' | 'no-answer' | 'offline'; code?: string };

interface Pending {
  op: DeviceOp;
  compartment: number | undefined;
  promise: Promise<Outcome<'done'>>;
  heard: boolean;
  send: () => void;
  end: (ended: Ended) => void;
}

export function createDoors(options: DoorsOptions): Doors {
  const { link, log, now = Date.now, behind = () => 0, pace = PACE, repeatMs = 1_500 } = options;
  // By controller and id: no controller may answer for another one.
  const pending = new Map<string, Pending>();
  let stopping = false;

  const keyOf = (ref: ControllerRef, commandId: string) => `${ref.tenantId}/${ref.controllerId}/${commandId}`;
  const at = () => new Date(now()).toISOString();

  async function run(op: DeviceOp, command: ControllerCommand & { compartment?: number }): Promise<Outcome<'done'>> {
    const key = keyOf(command, command.commandId);
    const under = pending.get(key);
    if (under) return under.promise;
    if (stopping) return { outcome: 'no-answer', code: 'stopping', at: at() };
    const deadline = command.expiresAt === undefined ? now() + pace.commandMs : new Date(command.expiresAt).getTime();
    // It may have been sent before, by a process that is no more: what became of it nobody knows.
    if (deadline <= now()) return { outcome: 'no-answer', code: 'deadline-passed', at: at() };
    // Known at once: nothing was sent, and a broker that is back within the deadline would open a door that nobody waits at any more.
    if (!link.connected) return { outcome: 'offline', code: 'broker-away', at: at() };
    if (options.online(command, op) === false) return { outcome: 'offline', at: at() };
    return begin(op, command, key, deadline);
  }

  function begin(op: DeviceOp, command: ControllerCommand & { compartment?: number }, key: string, deadline: number) {
    const { commandId: cmdId, compartment } = command;
    const message: Omit<CmdMessage, 'expiresAt'> = { cmdId, op, ...(compartment === undefined ? {} : { compartment }) };
    const payload = () => JSON.stringify({ ...message, expiresAt: new Date(deadline - behind(command)).toISOString() });
    const { promise, resolve } = Promise.withResolvers<Outcome<'done'>>();
    let takeBack = () => {};

    const one: Pending = {
      op,
      compartment,
      promise,
      heard: false,
      send() {
        if (one.heard || !link.connected || now() >= deadline) return;
        takeBack();
        takeBack = link.send(deviceTopics.cmd(command), payload());
      },
      end(ended) {
        if (!pending.delete(key)) return;
        clearInterval(repeat);
        clearTimeout(stopSending);
        clearTimeout(patience);
        takeBack();
        log.info(
          { tenantId: command.tenantId, controllerId: command.controllerId, compartment, cmdId, op, ...ended },
          'door command ended',
        );
        resolve({ ...ended, at: at() });
      },
    };
    const repeat = setInterval(() => one.send(), repeatMs);
    const stopSending = setTimeout(() => {
      clearInterval(repeat);
      takeBack();
    }, deadline - now());
    const patience = setTimeout(() => one.end({ outcome: 'no-answer' }), deadline - now() + pace.answerMs - pace.commandMs);
    pending.set(key, one);
    one.send();
    return promise;
  }

  link.onReady(() => {
    for (const one of pending.values()) one.send();
  });

  function answer(one: Pending, ack: AckMessage) {
    one.heard = true;
    const result = ack.result === 'duplicate' ? (ack.earlier ?? 'accepted') : ack.result;
    if (result === 'opened') return one.end({ outcome: 'done' });
    if (result === 'accepted') {
      // Understood is not done. Only where nothing moves is there nothing more to wait for.
      if (one.op === 'status' || one.op === 'reboot') one.end({ outcome: 'done' });
      return;
    }
    one.end({ outcome: 'refused', code: ack.code ?? result });
  }

  const asOpened = async (outcome: Promise<Outcome<'done'>>): Promise<Outcome<'opened'>> => {
    const ended = await outcome;
    return { ...ended, outcome: ended.outcome === 'done' ? 'opened' : ended.outcome };
  };

  return {
    open: (command) => asOpened(run('open', command)),
    lock: (command) => run('lock', command),
    status: (command) => run('status', command),
    reboot: (command) => run('reboot', command),
    get pending() {
      return pending.size;
    },
    hearAck(name, payload, retained) {
      const topic = readDeviceTopic(name);
      if (topic?.kind !== 'ack' || retained) return;
      let json: unknown;
      try {
        json = JSON.parse(Buffer.from(payload).toString('utf8'));
      } catch {
        json = undefined;
      }
      const ack = ackMessage.safeParse(json);
      if (!ack.success) return log.warn({ topic: name, bytes: payload.length }, 'device ack not understood');
      const one = pending.get(keyOf(topic, ack.data.cmdId));
      if (one) answer(one, ack.data);
    },
    hearFact(fact) {
      if (fact.kind !== 'door' || fact.cmdId === undefined || fact.retained) return;
      const one = pending.get(keyOf(fact, fact.cmdId));
      if (one?.compartment !== fact.compartment) return;
      one.heard = true;
      if (one.op === 'open' && fact.door === 'opened') one.end({ outcome: 'done' });
      if (one.op === 'lock' && fact.lock === 'locked') one.end({ outcome: 'done' });
    },
    async stop(ms = pace.answerMs) {
      stopping = true;
      const all = Promise.all([...pending.values()].map((one) => one.promise));
      const timer = setTimeout(() => {
        for (const one of pending.values()) one.end({ outcome: 'no-answer', code: 'stopping' });
      }, ms);
      await all;
      clearTimeout(timer);
    },
  };
}
