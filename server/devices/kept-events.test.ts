import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fact } from './fact.ts';
import { newController, speaker, startHarness, startPlainBroker, until } from './test-harness.ts';

let broker: Awaited<ReturnType<typeof startPlainBroker>>;
beforeAll(async () => {
  broker = await startPlainBroker();
});
afterAll(() => broker.close());

const start = (onFact: (fact: Fact) => Promise<void>) => startHarness({ url: broker.url, keepAs: 'kept', retryMs: [5], onFact });
const storing = async () => {
  const stored: Fact[] = [];
  const harness = await start(async (fact) => void stored.push(fact));
  return { stored, close: () => harness.close() };
};

it('an event that could not be stored before its process ended waits at a broker outside for the next one; a stored one does not', async () => {
  const said = speaker(await broker.client(), newController());
  const first = await storing();
  await until(() => broker.subscribers.has('kept'));
  await said.event('jam');
  await until(() => first.stored.length > 0);
  await expect.poll(() => broker.kept('kept')).toBe(0);
  await first.close();
  await said.event('tamper');

  let tried = 0;
  const withoutDatabase = await start(() => {
    tried += 1;
    return Promise.reject(new Error('the database is away'));
  });
  await until(() => tried > 3);
  await withoutDatabase.close();
  expect(await broker.kept('kept')).toBe(1);

  const last = await storing();
  await expect.poll(() => last.stored).toMatchObject([{ kind: 'event', type: 'tamper' }]);
  await expect.poll(() => broker.kept('kept')).toBe(0);
  await last.close();
});
