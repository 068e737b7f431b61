import { randomUUID } from 'node:crypto';
import { connect as connectTcp } from 'node:net';
import { connectAsync, MqttClient } from 'mqtt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEVICE_LIMITS, deviceTopics, deviceUsername, type ControllerRef } from '@hatchway/contract/devices.ts';
import type { Log } from './log.ts';
import { newController, nowIso, silentLog, speaker, startHarness, until, type Harness } from './test-harness.ts';

let harness: Harness;
const mine = newController();
const neighbour = newController(mine.tenantId);
const foreign = newController();
const will = (ref: ControllerRef, more: object = {}) => ({
  topic: deviceTopics.lwt(ref),
  payload: Buffer.from(JSON.stringify({ online: false, session: 's1', ts: nowIso() })),
  qos: 1 as const,
  retain: true,
  ...more,
});

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const ends = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()));

describe('who gets in', () => {
  const attempt = (options: object) => connectAsync(harness.devices.mqttUrl, { reconnectPeriod: 0, protocolVersion: 4, ...options }, false);

  test('no login, a wrong password, a made-up name and the server’s name are refused', async () => {
    const { username, password } = harness.give(mine);
    const clientId = mine.controllerId;
    await expect(attempt({ clientId })).rejects.toThrow(/username or password/i);
    await expect(attempt({ clientId, username, password: `${password}x` })).rejects.toThrow(/password/i);
    await expect(attempt({ clientId, username: 'a/b', password })).rejects.toThrow(/password/i);
    await expect(attempt({ clientId, username: 'hatchway-server', password: 'guess' })).rejects.toThrow(/password/i);
  });

  test("another controller's client id is refused, so that it cannot be thrown out", async () => {
    const victim = await harness.client(neighbour);
    await expect(harness.client(mine, { clientId: neighbour.controllerId })).rejects.toThrow(/identifier/i);
    expect(victim.connected).toBe(true);
    victim.end(true);
  });

  test.each([
    ["another company's lwt", () => will(foreign)],
    ["a neighbour's lwt", () => will(neighbour)],
    ['a command', () => will(mine, { topic: deviceTopics.cmd(mine), payload: Buffer.from('{}') })],
    ['an event', () => will(mine, { topic: deviceTopics.event(mine) })],
    ['online: true', () => will(mine, { payload: Buffer.from(JSON.stringify({ online: true, session: 's', ts: nowIso() })) })],
    ['garbage', () => will(mine, { payload: Buffer.from('not json') })],
    ['something not retained', () => will(mine, { retain: false })],
  ])('a last will of %s is refused', async (_name, make) => {
    await expect(harness.client(mine, { will: make() })).rejects.toThrow(/not authorized/i);
  });

  test('a withdrawn credential ends the connection and does not come back', async () => {
    const ref = newController();
    const client = await harness.client(ref, { will: will(ref) });
    const gone = ends(client);
    harness.passwords.delete(`${ref.tenantId}/${ref.controllerId}`);
    harness.devices.kick(ref.controllerId);
    await gone;
    await expect(attempt({ clientId: ref.controllerId, username: `${ref.tenantId}/${ref.controllerId}`, password: 'old' })).rejects.toThrow(
      /username or password/i,
    );
  });

  test('a credential withdrawn while its login is looked up does not slip through', async () => {
    const ref = newController();
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const own = await startHarness({
      credentials: async () => {
        asked.resolve();
        await held.promise;
        return ref;
      },
    });
    const login = own.client(ref);
    const refused = login.then(
      () => 'let in',
      (error: Error) => error.message,
    );
    await asked.promise;
    own.devices.kick(ref.controllerId);
    held.resolve();
    expect(await refused).toMatch(/username or password/i);
    await own.close();
  });
});

describe('a flood of refused logins', () => {
  const lines: { fields: Record<string, unknown>; said: string }[] = [];
  const keep = (fields: unknown, said?: string) => void lines.push({ fields: fields as Record<string, unknown>, said: said ?? '' });
  const log = { ...silentLog, warn: keep, info: keep, error: keep, debug: keep } as Log;
  let now = Date.parse('2026-03-02T10:00:00Z');
  let asked: string[] = [];
  const right = newController();
  const victim = deviceUsername(newController());
  let own: Harness;

  beforeAll(async () => {
    const passwords = new Map<string, string>();
    own = await startHarness(
      {
        log,
        embedded: { now: () => now },
        credentials: async (username, password) => {
          asked.push(username);
          return passwords.get(username) === password ? right : null;
        },
      },
      passwords,
    );
  });
  afterAll(() => own.close());
  beforeEach(() => {
    now += 60_000;
    asked = [];
    lines.length = 0;
  });

  const attempt = (username: string, clientId = username, localAddress = '127.0.0.1') =>
    new Promise<string>((resolve) => {
      const port = own.devices.mqttPort ?? 0;
      const client = new MqttClient(() => connectTcp({ port, host: '127.0.0.1', localAddress }), {
        clientId,
        username,
        password: 'guess',
        reconnectPeriod: 0,
        protocolVersion: 4,
      });
      client.once('connect', () => resolve('let in'));
      client.once('error', ({ message }) => resolve(message));
    });
  const times = async (count: number, username: (at: number) => string) => {
    for (let at = 0; at < count; at += 1) await attempt(username(at), `c${at}`);
  };

  test.each([
    ['a name', 'x'.repeat(60_000), 'c'],
    ['a client id', 'x', 'c'.repeat(60_000)],
    ['both', 'x'.repeat(30_000), 'c'.repeat(30_000)],
    ['other letters', 'ø'.repeat(20_000), '\u{1f512}'.repeat(5_000)],
    ['line breaks', 'a\n'.repeat(20_000), 'b\r\n'.repeat(5_000)],
    ['its own name and more', `${deviceUsername(right)}${'/'.repeat(50_000)}`, right.controllerId],
  ])('that is long by %s writes short lines', async (_name, username, clientId) => {
    await attempt(username, clientId);
    expect(lines.map(({ said }) => said)).toContain('device login refused');
    for (const line of lines) expect(JSON.stringify(line).length).toBeLessThan(1_000);
  });

  test('is looked at thirty times a minute for one name, and told once', async () => {
    await times(32, () => victim);
    expect(asked).toHaveLength(30);
    expect(await attempt(victim)).toMatch(/unavailable/i);
    expect(lines.filter(({ said }) => said.includes('unseen'))).toHaveLength(1);
    expect(lines.filter(({ said }) => said === 'device login refused')).toHaveLength(30);
    now += 60_000;
    await attempt(victim);
    expect(asked).toHaveLength(31);
  });

  test('is looked at 120 times a minute from one network, and hurts neither others nor who signs in rightly', async () => {
    const before = await own.client(right);
    before.end(true);
    asked = [];
    await times(122, (at) => `stranger-${at}`);
    expect(asked).toHaveLength(120);
    expect(await attempt('stranger-0')).toMatch(/unavailable/i);
    const again = await own.client(right);
    expect(again.connected).toBe(true);
    again.end(true);
    expect(await attempt('stranger-123', 'c', '127.0.0.9')).toMatch(/username or password/i);
    expect(lines.filter(({ said }) => said.includes('unseen'))).toHaveLength(1);
  });

  test('at one moment is looked at no more often', async () => {
    const said = await Promise.all(Array.from({ length: 60 }, () => attempt('x'.repeat(60_000), 'c')));
    expect(asked).toHaveLength(30);
    expect(said).not.toContain('let in');
    expect(JSON.stringify(lines).length).toBeLessThan(50_000);
  });
});

describe('what a controller may say', () => {
  test.each([
    ["another company's state", deviceTopics.state(foreign, 1), false],
    ["a neighbour's event", deviceTopics.event(neighbour), false],
    ['a command to itself', deviceTopics.cmd(mine), false],
    ['a command to a neighbour', deviceTopics.cmd(neighbour), false],
    ['a retained event', deviceTopics.event(mine), true],
    ['a retained ack', deviceTopics.ack(mine), true],
    ['a topic of its own making', `pml/v1/${mine.tenantId}/${mine.controllerId}/other`, false],
    ['compartment 0', `pml/v1/${mine.tenantId}/${mine.controllerId}/compartments/0/state`, false],
    ['the broker’s own topics', '$SYS/x', false],
  ])('%s ends the connection, and nobody hears it', async (_name, topic, retain) => {
    const client = await harness.client(mine);
    const before = harness.facts.length;
    const gone = ends(client);
    client.publish(topic, JSON.stringify({ seq: 1, session: 's', type: 'tamper', door: 'open', ts: nowIso() }), { qos: 1, retain });
    await gone;
    expect(harness.facts.length).toBe(before);
  });

  test('a packet beyond the limit is cut off while it is announced, before login too', async () => {
    const client = await harness.client(mine);
    const gone = ends(client);
    client.publish(deviceTopics.event(mine), Buffer.alloc(DEVICE_LIMITS.packetBytes + 1), { qos: 1 });
    await gone;
    expect(client.connected).toBe(false);
    const socket = connectTcp(harness.devices.mqttPort ?? 0, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // A CONNECT that says it is 200 MB long, of which only the beginning comes.
    socket.write(Buffer.from([0x10, 0x80, 0x84, 0xaf, 0x5f, 0, 4]));
    await closed;
  });
});

describe('what a controller may hear', () => {
  test.each([
    '#',
    'pml/v1/#',
    '+/+/+/+/cmd',
    `pml/v1/${mine.tenantId}/+/cmd`,
    deviceTopics.cmd(neighbour),
    deviceTopics.cmd(foreign),
    deviceTopics.lwt(mine),
    '$SYS/#',
  ])('not %s', async (filter) => {
    const client = await harness.client(mine);
    const granted = await client.subscribeAsync(filter, { qos: 1 }).catch((error: Error) => error.message);
    // Refused with the whole connection, or with 128 in the answer.
    expect(typeof granted === 'string' ? [128] : granted.map((grant) => grant.qos)).toEqual([128]);
    client.end(true);
  });

  test('its own commands, and none that were sent while it was away', async () => {
    const ref = newController();
    const first = await harness.client(ref, { clean: false });
    await first.subscribeAsync(deviceTopics.cmd(ref), { qos: 1 });
    const said = speaker(first, ref);
    await said.birth();
    await said.lwt(true);
    const command = { ...ref, compartment: 1, commandId: randomUUID(), expiresAt: new Date(Date.now() + 200) };
    const heard = new Promise<string>((resolve) => first.once('message', (_topic, payload) => resolve(payload.toString())));
    const outcome = harness.devices.doors.open(command);
    expect(JSON.parse(await heard)).toMatchObject({ cmdId: command.commandId, op: 'open', compartment: 1 });
    await first.endAsync();
    const second = harness.devices.doors.open({ ...command, commandId: randomUUID(), expiresAt: new Date(Date.now() + 200) });
    expect((await outcome).outcome).toBe('no-answer');
    await second;
    const again = await harness.client(ref, { clean: false });
    const late: string[] = [];
    again.on('message', (_topic, payload) => late.push(payload.toString()));
    await again.subscribeAsync(deviceTopics.cmd(ref), { qos: 1 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(late).toEqual([]);
  });
});

test('a server command can be answered only by the controller it was for', async () => {
  const ref = newController();
  const other = newController();
  const [client, liar] = [await harness.client(ref), await harness.client(other)];
  const [said, lied] = [speaker(client, ref), speaker(liar, other)];
  for (const one of [said, lied]) {
    await one.birth();
    await one.lwt(true);
  }
  await until(() => harness.of('connection', ref).length === 1 && harness.of('connection', other).length === 1);
  const commandId = randomUUID();
  const outcome = harness.devices.doors.open({ ...ref, compartment: 1, commandId, expiresAt: new Date(Date.now() + 150) });
  await lied.ack(commandId, 'opened');
  await lied.state('open', { cmdId: commandId });
  expect((await outcome).outcome).toBe('no-answer');
});
