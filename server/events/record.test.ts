import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemScope } from '../scope.ts';
import { testCompany } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';
import { CHANGES, type OutboxMessage } from './outbox.ts';
import { record, type Change } from './record.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.stop());

it('tells of however many rows in messages that a bus between nodes takes, each of them once and in order', async () => {
  const { id: tenantId } = await testCompany(server);
  const changes = Array.from({ length: 15_000 }, (): Change => ({ kind: 'assets', id: randomUUID(), method: 'PUT' }));
  const told: OutboxMessage[] = [];
  server.deps.bus.subscribe(CHANGES, (message) => {
    if ((message as OutboxMessage).tenantId === tenantId) told.push(message as OutboxMessage);
  });
  await server.deps.db.tenant(tenantId, (tx) => record(tx, systemScope(tenantId, new Date().toISOString()), [], changes));
  server.deps.outbox.wake();
  const heard = () => told.flatMap((one) => one.changes).filter(({ kind }) => kind === 'assets');
  await expect.poll(() => heard().length).toBe(changes.length);
  expect(heard()).toEqual(changes);
  expect(Math.max(...told.map((one) => JSON.stringify(one).length))).toBeLessThan(100_000);
});
