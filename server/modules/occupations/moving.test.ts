import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '@hatchway/contract/client.ts';
import type { Pickup } from '@hatchway/contract/pickup.ts';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { FILLS, testServer, type TestServer } from '../../test-server.ts';
import { toldOf } from '../messages/told.ts';

// What is moved to another locker: whoever it is for hears where it lies once it does, and never that it is out.

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
let used = 0;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 24, ['M'], ['door', 'occupancy']);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const free = () => {
  const door = wall.lockers[used++];
  if (!door) throw new Error('the wall is full');
  return door;
};
const act = (id: string, action: 'fill' | 'publish' | 'send' | 'extract' | 'reset', more: { move?: boolean; lockerId?: string } = {}) =>
  admin.api('PUT /occupations', { body: { id, action, ...more } });
const lying = async (type: 'delivery' | 'storage', offered = true) => {
  const door = free();
  const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
  const { id } = await admin.api('POST /occupations', { body: { type, lockerId: door.id, receiver } });
  await act(id, 'fill');
  if (type === 'delivery' && offered) await act(id, 'publish');
  return { id, door };
};
type Lying = Awaited<ReturnType<typeof lying>>;
const openFor = ({ id, door }: Lying, how: { takeOut?: 'move' } = {}) =>
  admin.api('POST /lockers/{id}/open', { params: { id: door.id }, body: { doorTag: door.doorTag, occupationId: id, ...how } });
const one = (id: string) => admin.api('GET /occupations/{id}', { params: { id } });
const told = async (id: string) => (await admin.api('GET /messages', { query: { q: { occupationId: id } } })).map(({ kind }) => kind);
/** What its receiver reads under their link. */
const seen = async (id: string) => {
  const [row] = await query<{ token_sealed: Buffer }>(server.database.ownerUrl, 'select token_sealed from occupations where id = $1', [id]);
  const token = server.deps.seal.open(row?.token_sealed ?? Buffer.alloc(0)) ?? '';
  return (await createClient({ base: `${server.url}/v1` })('POST /pickup/look', { body: { key: { token } } })) as Pickup;
};

// shows R4.11, R4.19
it.each(['storage', 'delivery'] as const)('of a %s its receiver is told where it lies now, and never that it is out', async (type) => {
  const made = await lying(type);
  // agreed with them, it stands whichever locker it lies in
  const { version } = await one(made.id);
  const pickupBy = new Date(Date.now() + 9 * 86_400_000).toISOString();
  await admin.api('PUT /occupations/{id}', { params: { id: made.id }, body: { version, pickupBy } });
  await openFor(made, { takeOut: 'move' });
  expect((await one(made.id)).takingOut).toBe('move');
  await wall.close(made.door.compartment, { occupancy: 'empty' });
  await expect.poll(async () => (await one(made.id)).stageName).toBe('VACANT');
  expect(await seen(made.id)).toMatchObject({ hold: 'moving', may: ['report'] });

  const goal = free();
  await act(made.id, 'reset', { lockerId: goal.id });
  expect(await seen(made.id)).toMatchObject({ hold: 'moving', may: ['report'] });
  await openFor({ id: made.id, door: goal });
  expect(await told(made.id)).toEqual([]);
  await server.paced(FILLS, async () => {
    await wall.close(goal.compartment, { occupancy: 'occupied' });
    await expect.poll(async () => (await one(made.id)).stageName).toMatch(/ACQUIRABLE|CONTACT/);
  });
  expect(await told(made.id)).toEqual(['ready']);
  expect((await one(made.id)).pickupBy).toBe(pickupBy);
  expect(await seen(made.id)).toMatchObject({ hold: null, door: { doorTag: goal.doorTag } });
});

it('by somebody’s word it is the same, in one call too', async () => {
  const [made, other] = [await lying('storage'), await lying('delivery')];
  await act(made.id, 'extract', { move: true });
  await act(made.id, 'reset', { lockerId: free().id });
  await act(made.id, 'fill');
  await act(other.id, 'extract', { move: true });
  await act(other.id, 'fill', { lockerId: free().id });
  for (const { id } of [made, other])
    expect([await told(id), (await one(id)).stageName]).toEqual([['ready'], expect.stringMatching(/ACQUIRABLE|CONTACT/)]);
});

const moved = async (occupationId: string) =>
  (
    await server.deps.db.tenant(ours.id, (tx) =>
      toldOf(tx, server.deps, ours.id, { occupationId, kind: 'ready', name: 'Kari', locale: 'en' }),
    )
  ).moved;

it('put back where it lay, taken out once more, or never told of before, it is not said to have been moved', async () => {
  const [made, back, unsent] = [await lying('delivery'), await lying('delivery'), await lying('delivery', false)];
  for (const { id } of [made, back]) await act(id, 'send');
  for (const { id } of [made, back, unsent]) await act(id, 'extract', { move: true });
  for (const { id } of [made, unsent]) await act(id, 'fill', { lockerId: free().id });
  await act(back.id, 'fill');
  expect([await moved(made.id), await moved(back.id), await moved(unsent.id)]).toEqual([true, false, false]);
  await act(made.id, 'extract');
  await act(made.id, 'fill');
  expect(await moved(made.id)).toBe(false);
});

it('what was offered to nobody yet is told to nobody', async () => {
  const made = await lying('delivery', false);
  await act(made.id, 'extract', { move: true });
  await act(made.id, 'reset', { lockerId: free().id });
  await act(made.id, 'fill');
  expect([await told(made.id), (await one(made.id)).stageName]).toEqual([[], 'FILLED']);
});

it('ended before it lies anywhere, it is told to be out', async () => {
  const made = await lying('storage');
  await act(made.id, 'extract', { move: true });
  await act(made.id, 'reset', { lockerId: free().id });
  await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: {} });
  expect(await told(made.id)).toEqual(['taken-out']);
  expect(await one(made.id)).toMatchObject({ endReason: 'taken-out' });
});

it('the owner of what was taken out of storage hears where it lies once it does again', async () => {
  const made = await lying('storage');
  await act(made.id, 'extract');
  await act(made.id, 'reset', { lockerId: free().id });
  await act(made.id, 'fill');
  expect(await told(made.id)).toEqual(['ready', 'taken-out']);
});
