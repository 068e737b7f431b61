import { afterAll, beforeAll, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { hearFact } from './facts.ts';

let server: TestServer;
let tenantId: string;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  const company = await testCompany(server);
  tenantId = company.id;
  admin = await company.person(['admin']);
  wall = await testCabinet(server, admin.api, 1);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

it('a cabinet whose controller is paired anew: no session that was over comes back, and no alarm is told twice', async () => {
  const [lot] = wall.lockers;
  const params = { id: lot?.id ?? '' };
  const read = () => admin.api('GET /lockers/{id}', { params });
  const first = wall.say().session;
  await wall.cut();
  await expect.poll(async () => (await read()).connection).toBe('offline');
  await wall.plug();
  await expect.poll(async () => (await read()).door).toBe('closed');
  const { session } = wall.say();
  await wall.say().event('tamper', { seq: 900 });
  await expect.poll(async () => (await read()).inDoubt).toBe(true);
  await admin.api('PUT /lockers/{id}/content', { params, body: { content: 'empty', note: 'looked' } });

  const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
  await server.as(null)('POST /devices/pair', { body: { code, fw: '2', model: 'new' } });
  // Said by a server that lags, or carried late by a broker.
  const from = { tenantId, controllerId: wall.id, at: new Date().toISOString(), retained: false };
  const birth = {
    kind: 'birth',
    fw: 'old',
    model: 'old',
    canLock: false,
    sensors: false,
    compartments: [] as [],
    after: [] as [],
  } as const;
  for (const over of [first, session]) {
    await hearFact(server.deps, { ...birth, ...from, session: over });
    await hearFact(server.deps, { kind: 'connection', ...from, online: true, session: over, reason: null });
  }
  await hearFact(server.deps, { kind: 'event', ...from, type: 'tamper', compartment: 1, session, seq: 900 });
  expect(await read()).toMatchObject({ connection: 'offline', content: 'empty', inDoubt: false });
  expect(await query(server.database.ownerUrl, 'select firmware from cabinets where id = $1', [wall.id])).toEqual([{ firmware: '2' }]);
});
