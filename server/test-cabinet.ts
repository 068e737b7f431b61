import { connectAsync, type MqttClient } from 'mqtt';
import type { Client } from '@hatchway/contract/client.ts';
import { deviceTopics, type CmdMessage } from '@hatchway/contract/devices.ts';
import { speaker, until } from './devices/test-harness.ts';
import { unique, type TestServer } from './test-server.ts';

/**
 * obey: opens and says so. jam: accepts and fails. silent: hears nothing. mute: opens, but nothing that it says is heard. blind: says that
 * it did, and no sensor of its door says anything.
 */
type Mode = 'obey' | 'jam' | 'silent' | 'mute' | 'blind';

export type TestLocker = { id: string; doorTag: string; compartment: number };

export type TestCabinet = {
  id: string;
  number: number;
  lockers: TestLocker[];
  /** One that no test was given yet, nor the server chose for one; where none is left, the wall grows by one. */
  free: () => Promise<TestLocker>;
  /** How it takes commands from now on. */
  mode: Mode;
  commands: CmdMessage[];
  /** A hand at the door: shuts it, or tears it open without a command. */
  close: (compartment: number, more?: object) => Promise<unknown>;
  force: (compartment: number) => Promise<unknown>;
  /** Says whatever a test wants said, in this cabinet's present session. */
  say: () => ReturnType<typeof speaker>;
  /** The cable: torn out without a goodbye (the last will speaks), and put back with a new session. */
  cut: () => Promise<void>;
  /** `doors: false`: it says that it is there, and nothing of its doors yet. `behind`: by how many ms its clock is late as it tells of them. */
  plug: (options?: { doors?: boolean; behind?: number }) => Promise<void>;
  end: () => void;
};

/** A cabinet made, paired and plugged in through the public API, whose controller is a real MQTT client that does what the test says. */
export const testCabinet = async (
  server: TestServer,
  admin: Client,
  doors = 4,
  sizes: readonly ('XS' | 'S' | 'M' | 'L' | 'XL')[] = ['M'],
  sensors: ('door' | 'occupancy')[] = ['door'],
): Promise<TestCabinet> => {
  // a letter first: whoever searches for a door's own number finds no tag that begins with it
  const tag = `T${unique().slice(0, 5).toUpperCase()}`;
  const site = await admin('POST /sites', { body: { name: `Site ${tag}` } });
  const column = Array.from({ length: doors }, (_, index) => ({
    doorTag: `${tag}-${index + 1}`,
    compartment: index + 1,
    size: sizes[index % sizes.length] ?? ('M' as const),
    height: 300,
  }));
  const made = await admin('POST /cabinets', {
    body: { siteId: site.id, name: `Cabinet ${tag}`, columns: [{ width: 400, doors: column }] },
  });
  const { code } = await admin('POST /cabinets/{id}/pair', { params: { id: made.id } });
  const credential = await server.as(null)('POST /devices/pair', { body: { code, fw: '1.0', model: 'test' } });
  const ref = { tenantId: credential.tenantId, controllerId: credential.controllerId };
  const wall = await admin('GET /cabinets/{id}/lockers', { params: { id: made.id } });
  const lastCommand = new Map<number, string>();
  let client: MqttClient | null = null;
  let voice: ReturnType<typeof speaker> | null = null;
  const speak = () => {
    if (!voice) throw new Error('the cabinet is unplugged');
    return voice;
  };

  /** What the server asks of its own accord of a wall that grew: whoever counts commands counts those of the test. */
  const askedByGrowth = new Set<string>();
  let growing = false;
  const obey = async (cmd: CmdMessage) => {
    if (growing && cmd.op === 'status') askedByGrowth.add(cmd.cmdId);
    if (!askedByGrowth.has(cmd.cmdId)) cabinet.commands.push(cmd);
    if (cabinet.mode === 'silent') return;
    const mine = speak();
    const compartment = cmd.compartment ?? 1;
    if (cabinet.mode === 'mute') return void lastCommand.set(compartment, cmd.cmdId);
    await mine.ack(cmd.cmdId, 'accepted');
    if (cmd.op === 'status') return void (await mine.lwt(true));
    if (cabinet.mode === 'jam') return void (await mine.ack(cmd.cmdId, 'failed', { code: 'jammed' }));
    lastCommand.set(compartment, cmd.cmdId);
    if (cabinet.mode === 'blind') return void (await mine.ack(cmd.cmdId, 'opened'));
    await mine.state('open', { cmdId: cmd.cmdId, lock: 'unlocked', occupancy: 'unknown' }, compartment);
    await mine.ack(cmd.cmdId, 'opened', { door: 'open' });
  };
  // A controller names the command that moved a door until the next one does.
  const named = (compartment: number) => (lastCommand.has(compartment) ? { cmdId: lastCommand.get(compartment) } : {});
  const giveBirth = () => speak().birth({ compartments: cabinet.lockers.map(({ compartment }) => ({ no: compartment, sensors })) });
  const grow = async () => {
    const doorTag = `${tag}-${cabinet.lockers.length + 1}`;
    const size = sizes[cabinet.lockers.length % sizes.length] ?? 'M';
    const before = askedByGrowth.size;
    growing = true;
    const { id, compartment } = await admin('POST /lockers', { body: { cabinetId: made.id, doorTag, size } });
    const locker = { id, doorTag, compartment };
    cabinet.lockers.push(locker);
    await until(() => askedByGrowth.size > before);
    growing = false;
    await giveBirth();
    await speak().state('closed', { occupancy: 'unknown' }, compartment);
    await expectClosed(admin, made.id, [id]);
    return locker;
  };
  let used = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const free = (): Promise<TestLocker> => {
    const next = turn.then(async () => {
      for (;;) {
        const locker = cabinet.lockers[used++] ?? (await grow());
        const { occupationId, inDoubt } = await admin('GET /lockers/{id}', { params: { id: locker.id } });
        if (occupationId === null && !inDoubt) return locker;
      }
    });
    turn = next;
    return next;
  };
  const plug = async ({ doors: tell = true, behind = 0 } = {}) => {
    const { username, password, mqttUrl } = credential;
    const session = unique();
    const payload = JSON.stringify({ online: false, session, reason: 'lost', ts: new Date().toISOString() });
    client = await connectAsync(
      mqttUrl,
      {
        clientId: ref.controllerId,
        username,
        password,
        reconnectPeriod: 0,
        protocolVersion: 4,
        will: { topic: deviceTopics.lwt(ref), payload: Buffer.from(payload), qos: 1, retain: true },
      },
      false,
    );
    voice = speaker(client, ref, session);
    client.on('message', (_topic, body) => void obey(JSON.parse(body.toString()) as CmdMessage));
    await client.subscribeAsync(deviceTopics.cmd(ref), { qos: 1 });
    await giveBirth();
    await voice.lwt(true);
    if (!tell) return;
    const ts = new Date(Date.now() - behind).toISOString();
    for (const { compartment } of cabinet.lockers)
      await voice.state('closed', { occupancy: 'unknown', ...named(compartment), ts }, compartment);
  };
  const cabinet: TestCabinet = {
    id: made.id,
    number: made.number,
    lockers: wall.map(({ id, doorTag, compartment }) => ({ id, doorTag, compartment })),
    free,
    mode: 'obey',
    commands: [],
    close: (compartment, more = {}) => speak().state('closed', { occupancy: 'unknown', ...named(compartment), ...more }, compartment),
    force: async (compartment) => {
      await speak().state('open', { occupancy: 'unknown', ...named(compartment) }, compartment);
      await speak().event('forced', { compartment });
    },
    say: speak,
    cut: async () => {
      client?.stream.destroy();
      client?.end(true);
      client = null;
      voice = null;
    },
    plug,
    end: () => void client?.end(true),
  };
  await plug();
  await expectClosed(
    admin,
    made.id,
    wall.map(({ id }) => id),
  );
  return cabinet;
};

/** Those doors have been heard of: from here on the wall says what the controller said. */
const expectClosed = async (admin: Client, id: string, doors: string[]): Promise<void> => {
  for (const until = Date.now() + 60_000; Date.now() < until;) {
    const lockers = await admin('GET /cabinets/{id}/lockers', { params: { id } });
    const heard = new Set(lockers.filter((one) => one.connection === 'online' && one.door === 'closed').map((one) => one.id));
    if (doors.every((door) => heard.has(door))) return;
    // each door takes its while, and each look asks for all of them
    await new Promise((resolve) => setTimeout(resolve, 20 + 5 * doors.length));
  }
  throw new Error('the cabinet did not come online');
};
