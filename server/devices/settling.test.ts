import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ControllerRef } from '@hatchway/contract/devices.ts';
import { newController, speaker, startHarness, startPlainBroker, until, type Harness } from './test-harness.ts';

/** Who is away nobody can say who hears nothing: a broker outside that is away itself says nothing of cabinets. */

type Broker = Awaited<ReturnType<typeof startPlainBroker>>;
const speaking = async (broker: Broker, ref: ControllerRef, session?: string) => {
  const said = speaker(await broker.client(), ref, session);
  await said.birth();
  await said.lwt(true);
  return said;
};
const connections = (harness: Harness, ref: ControllerRef) => harness.of('connection', ref).map(({ online, reason }) => [online, reason]);
const silence = [false, 'not-heard'];

test('a server that starts without its broker says that nobody is away, until it has listened for long enough', async () => {
  const gone = await startPlainBroker();
  await gone.close();
  const [here, away] = [newController(), newController()];
  // long enough to say that one is there, on a busy machine too
  const settleMs = 3_000;
  const harness = await startHarness({ url: gone.url, settleMs, believedOnline: async () => [here, away] });
  await pause(settleMs + 500);
  expect(harness.facts).toEqual([]);

  const broker = await startPlainBroker(gone.port);
  await speaking(broker, here);
  await until(() => harness.of('connection', away).length > 0);
  expect(connections(harness, away)).toEqual([silence]);
  expect(connections(harness, here)).toEqual([[true, null]]);
  await harness.close();
  await broker.close();
});

test('a server that lost its broker knows of nobody until it hears again, and settles anew', async () => {
  const first = await startPlainBroker();
  const [here, away] = [newController(), newController()];
  const harness = await startHarness({ url: first.url, settleMs: 3_000, believedOnline: async () => [here, away] });
  await speaking(first, here);
  const { session } = await speaking(first, away);
  const online = (ref: ControllerRef) => harness.devices.facts.online(ref);
  await until(() => online(here) && online(away));
  await first.close();
  await until(() => !harness.devices.connected);
  expect([online(here), online(away)]).toEqual([null, null]);

  // It remembers nothing of what the first one kept, as one in memory.
  const second = await startPlainBroker(first.port);
  await speaking(second, here);
  await until(() => connections(harness, away).length > 1);
  expect(connections(harness, away)).toEqual([[true, null], silence]);
  expect(connections(harness, here)).toEqual([
    [true, null],
    [true, null],
  ]);
  // It had been there all the time: what it says in the session that it had holds.
  await (await speaking(second, away, session)).state('closed');
  await until(() => harness.of('door', away).length > 0);
  expect(connections(harness, away)).toEqual([[true, null], silence, [true, null]]);
  await harness.close();
  await second.close();
});
