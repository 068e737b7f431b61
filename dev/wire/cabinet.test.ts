import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deviceTopics, deviceUsername } from '@hatchway/contract/devices.ts';
import { newController, nowIso, startHarness, startPlainBroker, until, type Harness } from '@hatchway/server/devices/test-harness.ts';
import { PACE } from '@hatchway/server/pace.ts';
import { createCabinet, type Cabinet, type CabinetOptions } from '@hatchway/sandbox/cabinets/cabinet.ts';
import type { Layout } from '@hatchway/sandbox/cabinets/model.ts';

/** The virtual cabinet against the server's own broker, commands and facts: one wire, both ends real. */
const layout: Layout = {
  columns: [
    {
      width: 450,
      doors: [
        { no: 1, tag: 'A1', height: 300, size: 'M' },
        { no: 2, tag: 'A2', height: 600, size: 'XL' },
      ],
    },
  ],
};

let harness: Harness;
let ref: ReturnType<typeof newController>;
let cabinets: Cabinet[];
let folder: string;

function start(more: Partial<CabinetOptions> = {}): Cabinet {
  const cabinet = createCabinet({
    mqttUrl: harness.devices.mqttUrl,
    credentials: harness.give(ref),
    layout,
    latchMs: 5,
    retryMs: 20,
    leftOpenMs: 0,
    ...more,
  });
  cabinets.push(cabinet);
  return cabinet;
}

async function online(more: Partial<CabinetOptions> = {}) {
  const cabinet = start(more);
  const before = harness.of('door', ref).length;
  await until(() => harness.devices.facts.online(ref) === true && harness.of('door', ref).length >= before + 2);
  return cabinet;
}

const open = (compartment = 1, commandId: string = randomUUID(), ms = 10_000) =>
  harness.devices.doors.open({ ...ref, compartment, commandId, expiresAt: new Date(Date.now() + ms) });
const lastDoor = (compartment = 1) => harness.of('door', ref).findLast((fact) => fact.compartment === compartment);

beforeEach(async () => {
  harness = await startHarness();
  ref = newController();
  cabinets = [];
  folder = mkdtempSync(join(tmpdir(), 'cabinet-'));
});
afterEach(async () => {
  for (const cabinet of cabinets) await cabinet.close();
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('commands', () => {
  test('open: the controller says it, the door fact names the command, and closing is sensed', async () => {
    const cabinet = await online();
    const commandId = randomUUID();
    expect(await open(1, commandId)).toMatchObject({ outcome: 'opened' });
    expect(cabinet.view.doors[0]).toMatchObject({ open: true, locked: false });
    await until(() => lastDoor()?.door === 'opened');
    expect(lastDoor()).toMatchObject({ cmdId: commandId, occupancy: 'empty', retained: false });
    expect(cabinet.act({ do: 'put', door: 1, what: 'box' })).toEqual({ ok: true });
    expect(cabinet.act({ do: 'close', door: 1 })).toEqual({ ok: true });
    await until(() => lastDoor()?.door === 'closed');
    expect(lastDoor()).toMatchObject({ occupancy: 'occupied', lock: 'locked', cmdId: commandId });
    expect(harness.of('event', ref).map((fact) => fact.type)).toEqual(['door_opened', 'door_closed']);
  });

  test('a jammed door is refused, and stays closed for everybody', async () => {
    const cabinet = await online();
    cabinet.act({ do: 'jam', door: 1, on: true });
    expect(await open()).toMatchObject({ outcome: 'refused', code: 'jammed' });
    expect(lastDoor()?.door).toBe('closed');
    await until(() => harness.of('event', ref).some((fact) => fact.type === 'jam'));
  });

  test('a silent controller: no answer, in time, and the command went out more than once under one id', async () => {
    await harness.close();
    harness = await startHarness({ pace: { ...PACE, commandMs: 1_000, answerMs: 2_000 } });
    const cabinet = await online();
    cabinet.act({ do: 'fault', silent: true });
    const from = Date.now();
    expect(await open(1, randomUUID(), 1_000)).toMatchObject({ outcome: 'no-answer' });
    expect(Date.now() - from).toBeGreaterThanOrEqual(1_990);
    const sent = cabinet.view.wire.filter((line) => line.to === 'cabinet');
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.map((line) => line.text)).size).toBe(1);
    // None after the deadline, though we waited for an answer as long again: the first, and one each 80 ms of a second.
    expect(sent.length).toBeLessThanOrEqual(13);
  });

  test('a controller that wakes up before the deadline obeys the repetition, once', async () => {
    const cabinet = await online();
    cabinet.act({ do: 'fault', silent: true });
    const outcome = open();
    await until(() => cabinet.view.wire.some((line) => line.to === 'cabinet'));
    cabinet.act({ do: 'fault', silent: false });
    expect(await outcome).toMatchObject({ outcome: 'opened' });
    await until(() => harness.of('event', ref).length > 0);
    expect(harness.of('event', ref).filter((fact) => fact.type === 'door_opened')).toHaveLength(1);
  });

  test('the same id again answers how it ended, and moves nothing', async () => {
    const cabinet = await online();
    const commandId = randomUUID();
    await open(1, commandId);
    cabinet.act({ do: 'close', door: 1 });
    await until(() => lastDoor()?.door === 'closed');
    expect(await open(1, commandId)).toMatchObject({ outcome: 'opened' });
    expect(cabinet.view.doors[0]?.open).toBe(false);
    expect(cabinet.view.wire.at(-1)?.text).toContain('"duplicate"');
  });

  test('two presses of one command are one command', async () => {
    await harness.close();
    harness = await startHarness({ doors: { repeatMs: 60_000 } });
    const cabinet = await online();
    const commandId = randomUUID();
    const [a, b] = await Promise.all([open(1, commandId), open(1, commandId)]);
    expect([a.outcome, b.outcome]).toEqual(['opened', 'opened']);
    expect(cabinet.view.wire.filter((line) => line.to === 'cabinet')).toHaveLength(1);
  });

  test('past its deadline a command is not sent; a clock that is off refuses it', async () => {
    const cabinet = await online();
    expect(await open(1, randomUUID(), -1)).toMatchObject({ outcome: 'no-answer', code: 'deadline-passed' });
    expect(cabinet.view.wire.some((line) => line.to === 'cabinet')).toBe(false);
    cabinet.act({ do: 'fault', clockSkewMs: 600_000 });
    expect(await open()).toMatchObject({ outcome: 'refused', code: 'expired' });
    cabinet.act({ do: 'fault', clockSkewMs: -600_000 });
    expect(await open()).toMatchObject({ outcome: 'refused', code: 'future' });
    expect(cabinet.view.doors[0]?.open).toBe(false);
  });

  test('a slow lock still opens in time; too slow never opens', async () => {
    const cabinet = await online();
    cabinet.act({ do: 'fault', slowMs: 100 });
    expect(await open()).toMatchObject({ outcome: 'opened' });
    cabinet.act({ do: 'fault', slowMs: 450 });
    expect(await open(2, randomUUID(), 400)).toMatchObject({ outcome: 'refused', code: 'expired' });
    expect(cabinet.view.doors[1]?.open).toBe(false);
  });

  test('lock where the cabinet can, refused where it cannot or the door stands open; no such compartment', async () => {
    const cabinet = await online({ canLock: true });
    const lock = () =>
      harness.devices.doors.lock({ ...ref, compartment: 1, commandId: randomUUID(), expiresAt: new Date(Date.now() + 10_000) });
    await open();
    expect(await lock()).toMatchObject({ outcome: 'refused', code: 'door-open' });
    cabinet.act({ do: 'close', door: 1, latch: false });
    await until(() => lastDoor()?.lock === 'unlocked' && lastDoor()?.door === 'closed');
    expect(await lock()).toMatchObject({ outcome: 'done' });
    await until(() => lastDoor()?.lock === 'locked');
    expect(await open(77)).toMatchObject({ outcome: 'refused', code: 'no-such-compartment' });
    expect(harness.of('birth', ref)[0]).toMatchObject({ canLock: true, sensors: true });
  });

  test('status and reboot are done when the controller says so', async () => {
    await online();
    const command = { ...ref, commandId: randomUUID() };
    expect(await harness.devices.doors.status(command)).toMatchObject({ outcome: 'done' });
    expect(await harness.devices.doors.reboot({ ...command, commandId: randomUUID() })).toMatchObject({ outcome: 'done' });
    await until(
      () =>
        harness
          .of('connection', ref)
          .map((fact) => fact.online)
          .join() === 'true,false,true',
    );
    expect(harness.of('connection', ref)[1]?.reason).toBe('shutdown');
  });
});

describe('bad days', () => {
  test('power cut: offline once, commands answer at once, the world goes on, and the doors are told anew', async () => {
    const cabinet = await online();
    await open();
    cabinet.act({ do: 'power', to: 'cut' });
    await until(() => harness.devices.facts.online(ref) === false);
    const from = Date.now();
    expect(await open(2)).toMatchObject({ outcome: 'offline' });
    // whoever waited, waited for the deadline
    expect(Date.now() - from).toBeLessThan(10_000);
    cabinet.act({ do: 'close', door: 1 });
    cabinet.act({ do: 'power', to: 'on' });
    await until(() => lastDoor()?.door === 'closed');
    expect(harness.of('connection', ref).map((fact) => fact.online)).toEqual([true, false, true]);
  });

  test('a clean shutdown says so', async () => {
    const cabinet = await online();
    cabinet.act({ do: 'power', to: 'off' });
    await until(() => harness.of('connection', ref).at(-1)?.online === false);
    expect(harness.of('connection', ref).at(-1)?.reason).toBe('shutdown');
  });

  test('everything doubled: each thing is said once', async () => {
    const cabinet = await online();
    cabinet.act({ do: 'fault', doubled: true });
    await open();
    cabinet.act({ do: 'close', door: 1 });
    await until(() => lastDoor()?.door === 'closed');
    cabinet.act({ do: 'network', on: false });
    await until(() => harness.devices.facts.online(ref) === false);
    cabinet.act({ do: 'network', on: true });
    await until(() => harness.of('connection', ref).length === 3);
    expect(harness.of('event', ref).map((fact) => fact.type)).toEqual(['door_opened', 'door_closed']);
    expect(harness.of('birth', ref)).toHaveLength(2);
    const seen = harness.of('door', ref).map((fact) => `${fact.session}/${fact.seq}`);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('a forced door and a lying sensor are reported as the controller senses them', async () => {
    const cabinet = await online();
    cabinet.act({ do: 'force', door: 1 });
    await until(() => harness.of('event', ref).some((fact) => fact.type === 'forced'));
    expect(lastDoor()).toMatchObject({ door: 'opened' });
    expect(lastDoor()?.cmdId).toBeUndefined();
    cabinet.act({ do: 'occupancy-sensor', door: 1, says: 'occupied' });
    await until(() => lastDoor()?.occupancy === 'occupied');
    cabinet.act({ do: 'door-sensor', door: 2, says: 'closed' });
    expect(await open(2)).toMatchObject({ outcome: 'refused', code: 'door-not-seen-open' });
    expect(cabinet.view.doors[1]?.open).toBe(true);
  });

  test('an event that found no line is told after the reconnect', async () => {
    const cabinet = await online();
    cabinet.act({ do: 'network', on: false });
    await until(() => harness.devices.facts.online(ref) === false);
    cabinet.act({ do: 'force', door: 2 });
    cabinet.act({ do: 'network', on: true });
    await until(() => harness.of('event', ref).some((fact) => fact.type === 'forced'));
    await until(() => lastDoor(2)?.door === 'opened');
    expect(harness.of('event', ref).map((fact) => fact.type)).toEqual(['forced']);
  });

  test('hands cannot do what steel forbids', async () => {
    const cabinet = await online();
    expect(cabinet.act({ do: 'open', door: 1 })).toEqual({ ok: false, code: 'latched' });
    expect(cabinet.act({ do: 'put', door: 1 })).toEqual({ ok: false, code: 'closed' });
    expect(cabinet.act({ do: 'close', door: 1 })).toEqual({ ok: false, code: 'already-closed' });
    expect(cabinet.act({ do: 'take', door: 9 })).toEqual({ ok: false, code: 'no-such-door' });
    await open();
    expect(cabinet.act({ do: 'take', door: 1 })).toEqual({ ok: false, code: 'nothing-inside' });
  });

  test('a withdrawn credential: thrown out, refused, offline', async () => {
    const cabinet = await online();
    harness.passwords.delete(deviceUsername(ref));
    harness.devices.kick(ref.controllerId);
    await until(() => cabinet.view.connection === 'refused');
    await expect.poll(() => harness.devices.facts.online(ref)).toBe(false);
  });

  test('the cabinet itself is restarted: doors, contents and known commands survive', async () => {
    const stateFile = join(folder, 'one.json');
    const cabinet = await online({ stateFile });
    const commandId = randomUUID();
    await open(1, commandId);
    cabinet.act({ do: 'put', door: 1, what: 'shoes' });
    await cabinet.close();
    const again = await online({ stateFile });
    expect(again.view.doors[0]).toMatchObject({ open: true, content: 'shoes' });
    again.act({ do: 'close', door: 1 });
    expect(await open(1, commandId)).toMatchObject({ outcome: 'opened' });
    expect(again.view.doors[0]?.open).toBe(false);
  });

  test('the server is restarted: the cabinet comes back by itself and says what it knows', async () => {
    const cabinet = await online();
    await open();
    const port = harness.devices.mqttPort ?? 0;
    await harness.devices.stop();
    await until(() => cabinet.view.connection !== 'online');
    cabinet.act({ do: 'close', door: 1 });
    harness = await startHarness({ embedded: { port } }, harness.passwords);
    await until(() => lastDoor()?.door === 'closed');
    expect(harness.devices.facts.online(ref)).toBe(true);
    expect(await open(2)).toMatchObject({ outcome: 'opened' });
  });

  test('a cabinet that was not heard of since the start: tried at first, offline at once later on', async () => {
    const never = { ...newController(), compartment: 1 };
    const soon = { ...never, commandId: randomUUID(), expiresAt: new Date(Date.now() + 100) };
    expect(await harness.devices.doors.open(soon)).toMatchObject({ outcome: 'no-answer' });
    await harness.close();
    harness = await startHarness({ settleMs: 20, believedOnline: async () => [never] });
    await until(() => harness.of('connection', never).length === 1);
    expect(harness.of('connection', never)[0]).toMatchObject({ online: false, reason: 'not-heard' });
    expect(await harness.devices.doors.open({ ...never, commandId: randomUUID() })).toMatchObject({ outcome: 'offline' });
  });

  test('stopping lets a command under way end, and takes no new one', async () => {
    const cabinet = await online();
    cabinet.act({ do: 'fault', slowMs: 150 });
    const outcome = open();
    const stopped = harness.devices.doors.stop();
    expect(await open(2)).toMatchObject({ outcome: 'no-answer', code: 'stopping' });
    expect(await outcome).toMatchObject({ outcome: 'opened' });
    await stopped;
  });
});

test('stale retained: states of an earlier session that the broker still keeps are no knowledge of the new one', async () => {
  const cabinet = await online();
  await open();
  await until(() => lastDoor()?.door === 'opened');
  cabinet.act({ do: 'fault', staleRetained: true });
  cabinet.act({ do: 'power', to: 'cut' });
  await until(() => harness.devices.facts.online(ref) === false);
  const before = harness.of('door', ref).length;
  cabinet.act({ do: 'power', to: 'on' });
  await until(() => harness.devices.facts.online(ref) === true);
  expect(harness.of('door', ref)).toHaveLength(before);
});

describe('a broker outside, with no rules of its own', () => {
  test('a command that somebody left retained is refused', async () => {
    const broker = await startPlainBroker();
    const bad = await broker.client();
    const command = { cmdId: 'left-behind', op: 'open', compartment: 1, expiresAt: nowIso(30_000) };
    await bad.publishAsync(deviceTopics.cmd(ref), JSON.stringify(command), { qos: 1, retain: true });
    const acks: string[] = [];
    bad.on('message', (_topic, payload) => acks.push(payload.toString()));
    await bad.subscribeAsync(deviceTopics.ack(ref));
    const cabinet = start({ mqttUrl: broker.url });
    await until(() => acks.length > 0);
    expect(JSON.parse(acks[0] ?? '')).toMatchObject({ cmdId: 'left-behind', result: 'rejected', code: 'retained' });
    expect(cabinet.view.doors[0]?.open).toBe(false);
    await cabinet.close();
    await broker.close();
  });

  test('works as the one inside does; after a restart of the server what it kept is knowledge, and news is news', async () => {
    const broker = await startPlainBroker();
    await harness.close();
    harness = await startHarness({ url: broker.url });
    await until(() => harness.devices.connected);
    const cabinet = await online({ mqttUrl: broker.url });
    expect(await open()).toMatchObject({ outcome: 'opened' });
    await until(() => lastDoor()?.door === 'opened');

    await harness.close();
    harness = await startHarness({ url: broker.url });
    await until(() => harness.of('door', ref).length === 2);
    expect(lastDoor(1)).toMatchObject({ door: 'opened', retained: true });
    cabinet.act({ do: 'close', door: 1 });
    await until(() => lastDoor(1)?.door === 'closed');
    expect(lastDoor(1)?.retained).toBe(false);
    expect(await open(2)).toMatchObject({ outcome: 'opened' });
    await cabinet.close();
    await until(() => harness.devices.facts.online(ref) === false);
    await harness.close();
    await broker.close();
  });

  test('a late will that overwrote the lwt is found out by a server that starts after it', async () => {
    const broker = await startPlainBroker();
    await harness.close();
    const cabinet = start({ mqttUrl: broker.url });
    await until(() => cabinet.view.connection === 'online');
    const late = await broker.client();
    const will = { online: false, session: 'the-one-before', reason: 'lost', ts: nowIso(-5_000) };
    await late.publishAsync(deviceTopics.lwt(ref), JSON.stringify(will), { qos: 1, retain: true });
    harness = await startHarness({ url: broker.url });
    await until(() => harness.devices.facts.online(ref) === true);
    expect(harness.of('connection', ref).map((fact) => fact.online)).toEqual([true]);
    await cabinet.close();
    await harness.close();
    await broker.close();
  });

  test('while it is away the server starts all the same, and whoever asks for a door is told at once', async () => {
    const broker = await startPlainBroker();
    await broker.close();
    await harness.close();
    harness = await startHarness({ url: broker.url });
    expect(harness.devices.connected).toBe(false);
    expect(await open(1)).toMatchObject({ outcome: 'offline', code: 'broker-away' });
  });
});

test('a door that was shut while there was no power is not told as left open', async () => {
  // longer than it takes to cut the power and shut the door, on a busy machine too
  const cabinet = await online({ leftOpenMs: 2_000 });
  const leftOpen = (compartment: number) =>
    harness.of('event', ref).filter((fact) => fact.type === 'left_open' && fact.compartment === compartment);
  await open(1);
  await until(() => lastDoor()?.door === 'opened');
  for (const act of [
    { do: 'power', to: 'cut' },
    { do: 'close', door: 1 },
    { do: 'power', to: 'on' },
  ] as const)
    cabinet.act(act);
  await until(() => lastDoor()?.door === 'closed');
  await open(2);
  await until(() => leftOpen(2).length === 1);
  expect(leftOpen(1)).toEqual([]);
});
