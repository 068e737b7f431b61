import { afterAll, beforeAll, expect, test } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

// A page of lockers keeps each row as it was last written; whatever a row is made of, a change of it is seen at once.
let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  company = await testCompany(server);
  admin = await company.person(['admin']);
  wall = await testCabinet(server, admin.api, 3);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const page = () => admin.api('GET /lockers', { query: { limit: 50 } });
/** Each as it is read by itself, where nothing is kept. */
const each = () => Promise.all(wall.lockers.map(({ id }) => admin.api('GET /lockers/{id}', { params: { id } })));
const inOrder = <T extends { id: string }>(rows: readonly T[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
const agrees = async () => {
  const [once, again, alone] = [await page(), await page(), await each()];
  expect(inOrder(once)).toEqual(inOrder(alone));
  expect(again).toEqual(once);
  return inOrder(once);
};

test('a page says what each locker says, after each kind of change', async () => {
  const lockerId = wall.lockers[0]?.id ?? '';
  const set = (text: string) => query(server.database.ownerUrl, text);
  const of = async () => (await agrees()).find(({ id }) => id === lockerId);
  await agrees();
  await admin.api('PUT /lockers/{id}/service', { params: { id: lockerId }, body: { outOfService: true, reason: 'Broken' } });
  expect((await of())?.outOfService?.reason).toBe('Broken');
  await admin.api('PUT /lockers/{id}/service', { params: { id: lockerId }, body: { outOfService: false } });
  const body = { type: 'delivery', assetText: 'Parcel', receiver: { name: 'Kari', email: 'kari@example.test' }, lockerId } as const;
  const { id } = await admin.api('POST /occupations', { body });
  expect((await of())?.occupationId).toBe(id);
  // what else it is made of, each by itself: its use, its cabinet
  await set(`update occupations set overdue = true where id = '${id}'`);
  expect((await of())?.occupation?.overdue).toBe(true);
  await set(`update cabinets set connection = 'offline' where tenant_id = '${company.id}'`);
  expect(await of()).toMatchObject({ connection: 'offline', door: 'unknown' });
  await set(`update cabinets set connection = 'online' where tenant_id = '${company.id}'`);
  await admin.api('DELETE /occupations/{id}', { params: { id }, body: { reason: 'Not needed' } });
  expect((await of())?.occupationId).toBeNull();
});

test('who asks for one gets that one, and another company none, also where all are kept', async () => {
  await page();
  const [first] = wall.lockers;
  const found = await admin.api('GET /lockers', { query: { limit: 50, q: { id: first?.id ?? '' } } });
  expect(found.map(({ id }) => id)).toEqual([first?.id]);
  const other = await testCompany(server);
  const stranger = await other.person(['admin']);
  expect(await stranger.api('GET /lockers', { query: { limit: 50 } })).toEqual([]);
});
