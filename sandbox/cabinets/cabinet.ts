import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DEVICE_PROTOCOL, deviceTopics, type DeviceEvent } from '@hatchway/contract/devices.ts';
import { createListeners } from '../listeners.ts';
import { obey, type CommandHost, type Remembered } from './commands.ts';
import { byHand, newDoor, sensed } from './physics.ts';
import { createRadio } from './radio.ts';
import {
  actionSchema,
  NO_FAULTS,
  type Action,
  type ActionResult,
  type CabinetView,
  type Credentials,
  type DoorBody,
  type Faults,
  type Layout,
  type WireLine,
} from './model.ts';

export interface CabinetOptions {
  id?: string;
  name?: string;
  mqttUrl: string | (() => string);
  credentials: Credentials;
  layout: Layout;
  canLock?: boolean;
  occupancySensors?: boolean;
  /** Doors, contents and faults are kept here and survive a restart. */
  stateFile?: string;
  latchMs?: number;
  leftOpenMs?: number;
  retryMs?: number;
}

export type Cabinet = ReturnType<typeof createCabinet>;

interface Kept {
  doors: DoorBody[];
  faults: Faults;
  remembered: Remembered[];
  power: 'on' | 'cut' | 'off';
  network: boolean;
}

interface Unsent {
  topic: string;
  text: string;
}

export const FIRMWARE = 'virtual-2.0';
export const MODEL = 'Hatchway virtual cabinet';
const WIRE_LINES = 40;
const UNSENT_EVENTS = 100;

export function createCabinet(options: CabinetOptions) {
  const { credentials, layout, canLock = false, occupancySensors = true, leftOpenMs = 120_000 } = options;
  const nos = layout.columns.flatMap((column) => column.doors);
  const kept = load(
    options.stateFile,
    nos.map((door) => door.no),
  );
  const { on: onChange, tell } = createListeners();
  const wire: WireLine[] = [];
  const unsent = new Set<Unsent>();
  const leftOpen = new Map<number, NodeJS.Timeout>();
  let seq = 0;
  let refused = false;
  let closed = false;

  const now = () => Date.now() + kept.faults.clockSkewMs;
  const ts = () => new Date(now()).toISOString();
  const door = (no: number) => kept.doors.find((one) => one.no === no);

  function changed() {
    if (options.stateFile !== undefined) save(options.stateFile, kept);
    tell();
  }

  function note(to: WireLine['to'], topic: string, text: string) {
    wire.push({ at: new Date(Date.now()).toISOString(), to, topic: topic.split('/').slice(4).join('/'), text });
    if (wire.length > WIRE_LINES) wire.shift();
  }

  function say(topic: string, text: string, retain: boolean, sent?: () => void) {
    for (let times = kept.faults.doubled ? 2 : 1; times > 0; times -= 1) {
      note('server', topic, text);
      radio.say(topic, text, retain, sent);
    }
  }

  function sayState(one: DoorBody) {
    if (radio.session === null) return;
    const body = {
      ...sensed(one, occupancySensors),
      seq: ++seq,
      session: radio.session,
      ...(one.cmdId === null ? {} : { cmdId: one.cmdId }),
      ts: ts(),
    };
    say(deviceTopics.state(credentials, one.no), JSON.stringify(body), true);
  }

  /** Events wait for a line, if need be: they tell of what happened, whenever that is heard. */
  function sayEvent(type: DeviceEvent, one: DoorBody) {
    if (kept.power !== 'on') return;
    const session = radio.session ?? `offline-${credentials.controllerId.slice(0, 8)}-${Date.now()}`;
    const body = { seq: ++seq, session, type, compartment: one.no, ...(one.cmdId === null ? {} : { cmdId: one.cmdId }), ts: ts() };
    const event: Unsent = { topic: deviceTopics.event(credentials), text: JSON.stringify(body) };
    unsent.add(event);
    for (const oldest of unsent) if (unsent.size > UNSENT_EVENTS) unsent.delete(oldest);
    if (radio.session !== null) say(event.topic, event.text, false, () => unsent.delete(event));
  }

  function announce() {
    const { session } = radio;
    if (session === null) return;
    const compartments = nos.map(({ no, size }) => ({
      no,
      ...(size === undefined ? {} : { size }),
      sensors: occupancySensors ? ['door', 'occupancy'] : ['door'],
    }));
    const birth = { session, fw: FIRMWARE, model: MODEL, protocol: DEVICE_PROTOCOL, canLock, compartments, ts: ts() };
    say(deviceTopics.birth(credentials), JSON.stringify(birth), true);
    say(deviceTopics.lwt(credentials), JSON.stringify({ online: true, session, ts: ts() }), true);
    if (!kept.faults.staleRetained) for (const one of kept.doors) sayState(one);
    for (const event of unsent) say(event.topic, event.text, false, () => unsent.delete(event));
  }

  const radio = createRadio({
    mqttUrl: () => (typeof options.mqttUrl === 'string' ? options.mqttUrl : options.mqttUrl()),
    credentials,
    now,
    ...(options.retryMs === undefined ? {} : { retryMs: options.retryMs }),
    onOnline() {
      seq = 0;
      refused = false;
      announce();
      changed();
    },
    onOffline(wasRefused) {
      refused = wasRefused;
      changed();
    },
    onCommand(payload, retained) {
      note('cabinet', deviceTopics.cmd(credentials), Buffer.from(payload).toString('utf8').slice(0, 500));
      void obey(host, payload, retained).finally(changed);
    },
  });

  const host: CommandHost = {
    get faults() {
      return kept.faults;
    },
    canLock,
    latchMs: options.latchMs ?? 150,
    get remembered() {
      return kept.remembered;
    },
    set remembered(value) {
      kept.remembered = value;
    },
    now,
    powered: () => kept.power === 'on' && !closed,
    door,
    ack(message) {
      const { session } = radio;
      if (session !== null) say(deviceTopics.ack(credentials), JSON.stringify({ ...message, seq: ++seq, session, ts: ts() }), false);
    },
    moved(one, event) {
      sayState(one);
      if (event !== null) sayEvent(event, one);
      watch(one);
      changed();
    },
    announce,
    reboot() {
      void radio.leave().then(() => host.powered() && connect());
    },
  };

  function watch(one: DoorBody) {
    clearTimeout(leftOpen.get(one.no));
    leftOpen.delete(one.no);
    const after = kept.faults.leftOpenMs || leftOpenMs;
    if (one.open && after > 0 && kept.power === 'on') leftOpen.set(one.no, setTimeout(() => sayEvent('left_open', one), after).unref());
  }

  function connect() {
    if (kept.power === 'on' && kept.network && !closed) radio.start();
  }

  function act(input: Action): ActionResult {
    const action = actionSchema.parse(input);
    switch (action.do) {
      case 'power': {
        const { to } = action;
        kept.power = to;
        if (to === 'cut') radio.cut();
        if (to === 'off') void radio.leave();
        // Its clock has no power either, and what is done to a door meanwhile it does not see.
        for (const one of kept.doors) watch(one);
        connect();
        break;
      }
      case 'network':
        kept.network = action.on;
        if (!action.on) radio.cut();
        connect();
        break;
      case 'fault': {
        const { do: _, ...faults } = action;
        Object.assign(kept.faults, faults);
        break;
      }
      case 'mend':
        mend();
        break;
      default: {
        const one = door(action.door);
        if (!one) return { ok: false, code: 'no-such-door' };
        const result = byHand(one, action);
        if ('refusal' in result) return { ok: false, code: result.refusal };
        if (kept.power === 'on') {
          if (action.do !== 'jam') sayState(one);
          if (result.event !== null) sayEvent(result.event, one);
          watch(one);
        }
      }
    }
    changed();
    return { ok: true };
  }

  function mend() {
    Object.assign(kept, { faults: { ...NO_FAULTS }, power: 'on', network: true });
    for (const one of kept.doors) {
      Object.assign(one, { jammed: false, occupancySensor: 'truth', doorSensor: 'truth' });
      sayState(one);
    }
    connect();
  }

  function connection(): CabinetView['connection'] {
    if (kept.power !== 'on') return kept.power === 'cut' ? 'unplugged' : 'off';
    if (!kept.network) return 'no-network';
    if (radio.session !== null) return 'online';
    return refused ? 'refused' : 'connecting';
  }

  connect();
  return {
    get view(): CabinetView {
      return {
        id: options.id ?? credentials.controllerId,
        name: options.name ?? '',
        controllerId: credentials.controllerId,
        connection: connection(),
        session: radio.session,
        canLock,
        occupancySensors,
        layout,
        doors: structuredClone(kept.doors),
        faults: { ...kept.faults },
        wire: [...wire],
      };
    },
    act,
    onChange,
    async close(): Promise<void> {
      closed = true;
      for (const timer of leftOpen.values()) clearTimeout(timer);
      await radio.leave();
    },
  };
}

function load(file: string | undefined, nos: number[]): Kept {
  const fresh: Kept = { doors: nos.map(newDoor), faults: { ...NO_FAULTS }, remembered: [], power: 'on', network: true };
  if (file === undefined) return fresh;
  try {
    // Written by ourselves alone; whatever cannot be read is a cabinet straight from the factory.
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    return {
      ...fresh,
      ...kept,
      faults: { ...fresh.faults, ...kept.faults },
      doors: fresh.doors.map((door) => kept.doors.find((one) => one.no === door.no) ?? door),
    };
  } catch {
    return fresh;
  }
}

function save(file: string, kept: Kept) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(kept));
  renameSync(`${file}.new`, file);
}
