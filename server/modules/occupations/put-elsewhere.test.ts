import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '@hatchway/contract/client.ts';
import type { Pickup } from '@hatchway/contract/pickup.ts';
import { query } from '../../db/test-database.ts';
import { listen } from '../../live/test-listener.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { FILLS, testServer, type TestServer } from '../../test-server.ts';
import { toldOf } from '../messages/told.ts';
import { doubtElsewhere } from './put-elsewhere.ts';

// One thing lies in one locker: put into another one, the record that had it first is in doubt, and nothing more is said of it.

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
let used = 0;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 52, ['M'], ['door', 'occupancy']);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const kari = { name: 'Kari Nordmann', tlf: '91234567' };
const doubted = { content: 'unknown', contentWhy: 'put-elsewhere', inDoubt: true };
const thing = async (name: string, person = admin) => (await person.api('POST /assets', { body: { name } }))._id;
type Body = Parameters<typeof admin.api<'POST /occupations'>>[1]['body'];
const reserved = async (assetId: string, more: Partial<Body> = { receiver: kari }) => {
  const door = wall.lockers[used++];
  if (!door) throw new Error('the wall is full');
  const made = await admin.api('POST /occupations', {
    body: { type: 'delivery', lockerId: door.id, assetId, ...more },
  });
  return { ...made, door };
};
type Made = Awaited<ReturnType<typeof reserved>>;
const act = ({ id }: { id: string }, action: 'fill' | 'publish' | 'extract' | 'finnish' | 'return' | 'empty') =>
  admin.api('PUT /occupations', { body: { id, action } });
const claim = ({ id }: Made) => admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
const filled = async (assetId: string, more?: Partial<Body>) => {
  const made = await reserved(assetId, more);
  await act(made, 'fill');
  await looked();
  return made;
};
const open = ({ id, door }: Made) =>
  admin.api('POST /lockers/{id}/open', { params: { id: door.id }, body: { doorTag: door.doorTag, occupationId: id } });
const lockerOf = ({ door }: Made, person = admin) => person.api('GET /lockers/{id}', { params: { id: door.id } });
const look = ({ door }: Made, content: 'empty' | 'occupied') =>
  admin.api('PUT /lockers/{id}/content', { params: { id: door.id }, body: { content } });
const doubts = ({ id }: Made) =>
  query<{ data: object; actor_kind: string }>(
    server.database.ownerUrl,
    `select data, actor_kind from events where occupation_id = $1 and type = 'locker_unknown' order by id`,
    [id],
  );
/** What was put in by now has been looked for in the others. */
const looked = async () => {
  const waiting = `select 1 from jobs.job where name = 'doubt-elsewhere' and data->>'tenantId' = $1 and state in ('created', 'retry', 'active')`;
  await expect.poll(() => query(server.database.ownerUrl, waiting, [ours.id])).toEqual([]);
};

describe('a thing that is put into another locker', () => {
  // shows R4.25
  it('leaves the first in doubt once it is said to lie in the other, and not before', async () => {
    const camera = await thing('Camera');
    const first = await filled(camera);
    const second = await reserved(camera);
    await open(second);
    await looked();
    expect(await lockerOf(first)).toMatchObject({ content: 'occupied', inDoubt: false });

    const guest = await ours.scoped(['manage'], [first.door.id]);
    const listener = await listen(server.url, guest.token);
    await listener.ask({ topic: 'subscribe', event: 'lockers' });
    await act(second, 'fill');
    await expect.poll(() => lockerOf(first, guest)).toMatchObject(doubted);
    await expect.poll(() => listener.events.at(-1)?.data).toMatchObject({ id: first.door.id, ...doubted });
    listener.close();
    expect(await lockerOf(second)).toMatchObject({ content: 'occupied', inDoubt: false });
    expect(await admin.api('GET /lockers', { query: { q: { inDoubt: true } } })).toMatchObject([{ id: first.door.id }]);
    // Nobody is named, and no other door: whoever reads it need not see that one.
    expect(await doubts(first)).toEqual([{ data: { why: 'put-elsewhere' }, actor_kind: 'system' }]);
    expect(await doubts(second)).toEqual([]);
  });

  it('is told by the silence after a sensed closing too, and by a sensor', async () => {
    const camera = await thing('Sensed camera');
    const first = await filled(camera);
    const second = await reserved(camera);
    await open(second);
    await server.paced(FILLS, async () => {
      await wall.close(second.door.compartment, { occupancy: 'occupied' });
      await expect.poll(() => lockerOf(first)).toMatchObject(doubted);
      const third = await reserved(camera);
      await open(third);
      await wall.close(third.door.compartment);
      await expect.poll(() => lockerOf(second)).toMatchObject(doubted);
    });
    expect(await doubts(first)).toHaveLength(1);
  });

  it('is settled by a look, and what is done to the other locker afterwards does not raise it again', async () => {
    const camera = await thing('Settled camera');
    const first = await filled(camera);
    const second = await filled(camera);
    expect(await lockerOf(first)).toMatchObject(doubted);
    expect(await look(first, 'occupied')).toMatchObject({ content: 'occupied', inDoubt: false });
    // The look is at one door, and says nothing of the other.
    expect(await lockerOf(second)).toMatchObject({ content: 'occupied', inDoubt: false });
    await act(second, 'publish');
    await claim(second);
    await open(second);
    await wall.close(second.door.compartment);
    await act(second, 'return');
    await looked();
    expect(await lockerOf(first)).toMatchObject({ content: 'occupied', contentWhy: 'word', inDoubt: false });
    expect(await doubts(first)).toHaveLength(1);
  });

  it('asked once more of what somebody has looked at since says nothing new', async () => {
    const camera = await thing('Repeated camera');
    const first = await filled(camera);
    const at = server.deps.now().toISOString();
    const second = await filled(camera);
    await look(first, 'occupied');
    await doubtElsewhere(server.deps, { tenantId: ours.id, occupationId: second.id, at });
    expect(await lockerOf(first)).toMatchObject({ content: 'occupied', inDoubt: false });
  });

  it('lies elsewhere by a later word again: said once more', async () => {
    const camera = await thing('Wandering camera');
    const first = await filled(camera);
    const second = await filled(camera);
    await look(first, 'occupied');
    await act(second, 'extract');
    await act(second, 'fill');
    await expect.poll(() => lockerOf(first)).toMatchObject(doubted);
    // Stated empty, it holds nothing that could lie elsewhere.
    await act(first, 'empty');
    const third = await filled(camera);
    expect(await lockerOf(first)).toMatchObject({ content: 'empty', inDoubt: false });
    expect(await lockerOf(second)).toMatchObject(doubted);
    expect(await lockerOf(third)).toMatchObject({ inDoubt: false });
  });

  it('was lent out: its locker is known to be empty, until it comes back to it', async () => {
    const camera = await thing('Lent camera');
    const lent = await filled(camera, { type: 'lending' });
    await act(lent, 'publish');
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: lent.id, receiver: kari } });
    await act(lent, 'finnish');
    const second = await filled(camera);
    expect(await lockerOf(lent)).toMatchObject({ content: 'empty', inDoubt: false });
    await act(lent, 'return');
    await expect.poll(() => lockerOf(second)).toMatchObject(doubted);
    expect(await lockerOf(lent)).toMatchObject({ content: 'occupied', inDoubt: false });
  });

  it('of two filled at once leaves neither believed, and nobody waiting for the other', async () => {
    const camera = await thing('Hurried camera');
    const both = [await reserved(camera), await reserved(camera)];
    await Promise.all(both.map((made) => act(made, 'fill')));
    for (const made of both) await expect.poll(() => lockerOf(made)).toMatchObject(doubted);
  });

  it('in one call, or among several, is no other', async () => {
    const camera = await thing('Listed camera');
    const first = await filled(camera);
    const door = wall.lockers[used++];
    await admin.api('POST /occupations/delivery', { body: { lockerId: door?.id ?? '', receiver: kari, assetId: camera, fill: true } });
    await expect.poll(() => lockerOf(first)).toMatchObject(doubted);
    const third = await reserved(camera);
    await admin.api('POST /occupations/bulk', { body: { ids: [third.id], action: 'fill' } });
    await expect.poll(async () => (await admin.api('GET /lockers/{id}', { params: { id: door?.id ?? '' } })).inDoubt).toBe(true);
  });
});

describe('what is not that one thing stays as it is', () => {
  it('goods of which there are several', async () => {
    const mug = await thing('Mug');
    const price = { amount: 100 };
    const stock = [await filled(mug, { type: 'sale', price, quantity: 1 }), await filled(mug, { type: 'sale', price, quantity: 5 })];
    await filled(mug);
    expect(await lockerOf(stock[0] as Made)).toMatchObject(doubted);
    expect(await lockerOf(stock[1] as Made)).toMatchObject({ content: 'occupied', inDoubt: false });
  });

  it('another company’s, even of the same id', async () => {
    const theirs = await testCompany(server);
    const other = await theirs.person(['admin']);
    const cabinet = await testCabinet(server, other.api, 1);
    const [camera, same] = [await thing('Our camera'), await thing('Their camera', other)];
    await query(server.database.ownerUrl, 'update assets set id = $1 where tenant_id = $2 and id = $3', [camera, theirs.id, same]);
    const id = cabinet.lockers[0]?.id ?? '';
    await other.api('POST /occupations/delivery', { body: { lockerId: id, receiver: kari, assetId: camera, fill: true } });
    const first = await filled(camera);
    await filled(camera);
    expect(await lockerOf(first)).toMatchObject(doubted);
    expect(await other.api('GET /lockers/{id}', { params: { id } })).toMatchObject({ content: 'occupied', inDoubt: false });
    cabinet.end();
  });
});

// What is moved to another locker: whoever it is for hears where it lies once it does, and never that it is out.
describe('what is moved', () => {
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
    const [row] = await query<{ token_sealed: Buffer }>(server.database.ownerUrl, 'select token_sealed from occupations where id = $1', [
      id,
    ]);
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
});
