import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testServer, type TestServer } from '../test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ config: { logLevel: 'silent' } });
});
afterAll(() => server.stop());

const counted = async (result: string): Promise<number> =>
  (await server.deps.metrics.jobs.get()).values.find(({ labels }) => labels.name === 'look-again' && labels.result === result)?.value ?? 0;

it('come as fast as they are done, not one at each look; one that fails takes no other along', async () => {
  const { db, jobs } = server.deps;
  const tenantId = randomUUID();
  await db.tenant(tenantId, async (tx) => {
    for (let i = 0; i < 60; i++) {
      // Of an occupation that is not there nothing is to be done; a tenant that is none is a defect.
      const job = { name: 'look-again', tenantId: i === 7 ? 'none' : tenantId, occupationId: randomUUID(), command: 'fill' } as const;
      await jobs.enqueue(tx, job);
    }
  });
  await expect.poll(() => counted('done')).toBe(59);
  expect(await counted('failed')).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await counted('done')).toBe(59);
});
