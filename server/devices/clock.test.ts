import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceTopics, type CmdMessage } from '@hatchway/contract/devices.ts';
import type { Fact } from './fact.ts';
import { createFacts } from './facts.ts';
import { newController, nowIso, silentLog, speaker, startHarness, type Harness } from './test-harness.ts';

/** A controller's clock is wrong: what it says of time is read by how wrong it is. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = Date.parse('2026-03-02T12:00:00.000Z');

type Row = {
  clock: number;
  bornAgo?: number;
  bootedRetained?: boolean;
  kind?: 'state' | 'event';
  old?: boolean;
  ago: number;
  told: number;
};
const table: [string, Row][] = [
  ['right, now', { clock: 0, ago: 0, told: 0 }],
  ['right, an event that waited', { clock: 0, bornAgo: HOUR, kind: 'event', ago: 20 * MINUTE, told: 20 * MINUTE }],
  ['10 minutes behind, now', { clock: -10 * MINUTE, ago: 0, told: 0 }],
  ['10 minutes behind, an event now', { clock: -10 * MINUTE, kind: 'event', ago: 0, told: 0 }],
  ['50 minutes behind, an event now', { clock: -50 * MINUTE, kind: 'event', ago: 0, told: 0 }],
  ['50 minutes behind, an event that waited', { clock: -50 * MINUTE, bornAgo: HOUR, kind: 'event', ago: 20 * MINUTE, told: 20 * MINUTE }],
  ['30 seconds behind', { clock: -30 * SECOND, ago: 0, told: 0 }],
  ['30 seconds behind, an event', { clock: -30 * SECOND, kind: 'event', ago: 0, told: 0 }],
  ['an hour ahead', { clock: HOUR, ago: 0, told: 0 }],
  ['an hour ahead, an event', { clock: HOUR, kind: 'event', ago: 0, told: 0 }],
  ['at 1970, as after a battery', { clock: -NOW, kind: 'event', ago: 0, told: 0 }],
  ['an event from before its session', { clock: 0, bornAgo: MINUTE, kind: 'event', ago: HOUR, told: MINUTE }],
  ['an event of a session before', { clock: 0, bornAgo: MINUTE, kind: 'event', old: true, ago: HOUR, told: HOUR }],
  ['an event from after its arrival', { clock: 0, kind: 'event', ago: -HOUR, told: 0 }],
  [
    '10 minutes behind, heard of first by what the broker kept',
    { clock: -10 * MINUTE, bootedRetained: true, bornAgo: HOUR, ago: 0, told: 0 },
  ],
];

test.each(table)('%s', async (_name, { clock, bornAgo = 0, bootedRetained = false, kind = 'state', old = false, ago, told }) => {
  const facts: Fact[] = [];
  let now = NOW - bornAgo;
  const part = createFacts({ onFact: async (fact) => void facts.push(fact), log: silentLog, now: () => now });
  const ref = newController();
  const hear = (topic: string, body: object, retained = false) =>
    part.hear(topic, Buffer.from(JSON.stringify({ session: 'a', ts: new Date(now + clock).toISOString(), ...body })), retained);
  hear(deviceTopics.birth(ref), { fw: '1', model: 'm', protocol: 1, compartments: [{ no: 1 }] }, bootedRetained);
  hear(deviceTopics.lwt(ref), { online: true }, bootedRetained);
  now = NOW;
  const body = { seq: 1, ts: new Date(now - ago + clock).toISOString(), ...(old ? { session: 'before' } : {}) };
  if (kind === 'state') hear(deviceTopics.state(ref, 1), { door: 'open', lock: 'locked', occupancy: 'unknown', ...body });
  else hear(deviceTopics.event(ref), { type: 'forced', compartment: 1, ...body });
  await part.drain();
  expect(NOW - Date.parse(facts.at(-1)?.at ?? '')).toBe(told);
});

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

test.each([-10 * MINUTE, -30 * SECOND, 0, 10 * MINUTE])('a command is in time by a clock that is %d ms ahead', async (clock) => {
  const ref = newController();
  const client = await harness.client(ref);
  const said = speaker(client, ref);
  const ts = () => nowIso(clock);
  const left: number[] = [];
  client.on('message', (_topic, payload) => {
    const { cmdId, expiresAt } = JSON.parse(payload.toString()) as CmdMessage;
    left.push(Date.parse(expiresAt) - (Date.now() + clock));
    void said.ack(cmdId, 'opened', { ts: ts() });
  });
  await client.subscribeAsync(deviceTopics.cmd(ref), { qos: 1 });
  await said.birth({ ts: ts() });
  await said.lwt(true, { ts: ts() });
  await expect.poll(() => harness.devices.facts.online(ref)).toBe(true);
  const expiresAt = new Date(Date.now() + 5 * SECOND);
  expect(await harness.devices.doors.open({ ...ref, compartment: 1, commandId: crypto.randomUUID(), expiresAt })).toMatchObject({
    outcome: 'opened',
  });
  expect(left[0]).toBeGreaterThan(0);
  expect(left[0]).toBeLessThanOrEqual(6 * SECOND);
});
