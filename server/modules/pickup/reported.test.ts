import { afterAll, beforeAll, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { refusal } from '../occupations/test-refusal.ts';

let server: TestServer;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  admin = await (await testCompany(server)).person(['admin']);
  wall = await testCabinet(server, admin.api, 6);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const waiting = async () => {
  const lot = await wall.free();
  const receiver = { name: 'Kari Kunde', email: 'kari@example.test' };
  const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: lot.id, receiver, assetText: 'Parcel' } });
  for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
  const [row] = await query<{ token_sealed: Buffer }>(server.database.ownerUrl, 'select token_sealed from occupations where id = $1', [id]);
  const key = { token: server.deps.seal.open(row?.token_sealed ?? Buffer.alloc(0)) ?? '' };
  const report = (kind: 'jammed' | 'wrong-door' | 'not-empty' | 'nothing-inside') =>
    server.as(null)('POST /pickup/report', { body: { key, kind, note: 'Look here' } });
  const end = async () => {
    await open();
    await wall.close(lot.compartment);
    await expect.poll(async () => (await locker()).door).toBe('closed');
    await server.as(null)('POST /pickup/done', { body: { key } });
  };
  const open = () => server.as(null)('POST /pickup/open', { body: { key, doorTag: lot.doorTag } });
  const locker = () => admin.api('GET /lockers/{id}', { params: { id: lot.id } });
  const told = async () =>
    (await admin.api('GET /history', { query: { q: { lockerId: lot.id }, sort: '-at' } }))
      .filter(({ type }) => type === 'locker_reported' || type === 'locker_unknown')
      .map(({ type, data }) => [type, data['report'], data['note']]);
  return { report, end, open, locker, told };
};

it.each(['jammed', 'wrong-door', 'not-empty'] as const)('%s, said from elsewhere, leaves the locker as it is known', async (kind) => {
  const { report, locker, told } = await waiting();
  const before = await locker();
  await report(kind);
  const { content, contentWhy, inDoubt } = await locker();
  expect([content, contentWhy, inDoubt]).toEqual([before.content, before.contentWhy, false]);
  expect(await told()).toEqual([['locker_reported', kind, 'Look here']]);
});

it('jammed, said at the door, leaves it so too', async () => {
  const { report, open, locker, told } = await waiting();
  await open();
  await report('jammed');
  expect(await locker()).toMatchObject({ inDoubt: false });
  expect(await told()).toEqual([['locker_reported', 'jammed', 'Look here']]);
});

it.each(['not-empty', 'nothing-inside'] as const)('%s, said at the open door, leaves nobody knowing what lies there', async (kind) => {
  const { report, open, locker, told } = await waiting();
  await open();
  await report(kind);
  expect(await locker()).toMatchObject({ content: 'unknown', inDoubt: true });
  expect(await told()).toEqual([['locker_unknown', kind, 'Look here']]);
});

it('is said ten times an hour of one use, also all at once after it has ended', async () => {
  const { report, end, told } = await waiting();
  const other = await waiting();
  await end();
  const said = await Promise.all(
    Array.from({ length: 40 }, () =>
      report('jammed').then(
        () => 'heard',
        (error: unknown) => refusal(Promise.reject(error as Error)),
      ),
    ),
  );
  expect(said.filter((one) => one === 'heard')).toHaveLength(10);
  expect(said.filter((one) => one !== 'heard')).toEqual(Array.from({ length: 30 }, () => [429, 'too-many-requests']));
  expect(await told()).toHaveLength(10);
  await other.report('jammed');
  expect(await other.told()).toHaveLength(1);
});
