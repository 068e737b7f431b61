import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { listen } from '../../live/test-listener.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { FILLS, testServer, type TestServer } from '../../test-server.ts';
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
  wall = await testCabinet(server, admin.api, 28, ['M'], ['door', 'occupancy']);
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
