import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { testCabinet, type TestCabinet, type TestLocker } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, UNANSWERED, type TestServer } from '../../test-server.ts';
import { lookNow } from '../occupations/clock.ts';
import { likeTheFirst } from '../occupations/test-copy.ts';
import { emptied } from '../occupations/test-doors.ts';
import { problemOf, refusal } from '../occupations/test-refusal.ts';

// Who signs in takes what is offered to their groups, in their own name, and nothing of anybody else's.

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let crew: TestPerson;
let mate: TestPerson;
let outsider: TestPerson;
/** Of another company. */
let stranger: TestPerson;
let wall: TestCabinet;
/** A door whose sensor feels what lies inside, and one for the test that cuts its cabinet off. */
let sensing: TestCabinet;
let number: string;
let groupId: string;
const crewRef = unique();
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  crew = await ours.person([], 'Cara Crew');
  mate = await ours.person([], 'Mats Mate');
  outsider = await ours.person([], 'Otto Outside');
  stranger = await (await testCompany(server)).person(['admin']);
  wall = await testCabinet(server, admin.api, 3);
  sensing = await testCabinet(server, admin.api, 2, ['M'], ['door', 'occupancy']);
  number = String((await admin.api('GET /cabinets/{id}', { params: { id: wall.id } })).number);
  groupId = (await admin.api('POST /groups', { body: { name: 'Crew' } })).id;
  for (const { accountId } of [crew, mate])
    await admin.api('POST /groups/{id}/members/{userId}', { params: { id: groupId, userId: accountId }, body: {} });
  await admin.api('POST /policies', {
    body: { name: 'Crew', ref: crewRef, services: ['lending', 'consumable'], groupIds: [groupId], loanHours: 4 },
  });
}, 60_000);
afterEach(async () => {
  wall.mode = 'obey';
  wall.commands.length = 0;
  await emptied(server, wall.lockers.slice(0, used));
  used = 0;
});
afterAll(async () => {
  wall?.end();
  sensing?.end();
  await server.stop();
});

const act = (id: string, action: 'fill' | 'publish' | 'return') => admin.api('PUT /occupations', { body: { id, action } });
let used = 0;
/** Each test begins with a wall that nobody uses. */
const free = (): TestLocker => {
  const door = wall.lockers[used++];
  if (!door) throw new Error('the wall is full');
  return door;
};
const drill = likeTheFirst(
  () => server,
  async (door, more: object = {}) => {
    const made = await admin.api('POST /occupations', { body: { type: 'lending', lockerId: door.id, assetText: 'A drill', ...more } });
    await act(made.id, 'fill');
    await act(made.id, 'publish');
    return { ...door, lockerId: door.id, id: made.id };
  },
);
const offered = async (more?: object, given = free()) => drill(given, more);
type Thing = Awaited<ReturnType<typeof offered>>;
const list = async ({ api }: TestPerson) => (await api('GET /pickup/cabinets/{number}/offers', { params: { number } })).offers;
const seen = async (person: TestPerson, { id }: Thing) => (await list(person)).find(({ occupationId }) => occupationId === id);
const take = ({ api }: TestPerson, { id }: Thing, quantity?: number) =>
  api('POST /pickup/take', { body: { id, ...(quantity === undefined ? {} : { quantity }) } });
const phone = () => server.as(null);
const open = (token: string, { doorTag }: Thing) => phone()('POST /pickup/open', { body: { key: { token }, doorTag } });
const done = (token: string) => phone()('POST /pickup/done', { body: { key: { token } } });
const shut = async ({ compartment, lockerId }: Thing) => {
  await wall.close(compartment);
  await expect
    .poll(() => query(server.database.ownerUrl, 'select door from lockers where id = $1', [lockerId]))
    .toEqual([{ door: 'closed' }]);
};
const read = ({ id }: Thing) => admin.api('GET /occupations/{id}', { params: { id } });

describe('what is lent to a group', () => {
  it('is shown to its people alone', async () => {
    const drill = await offered();
    expect(await seen(crew, drill)).toMatchObject({ content: 'A drill', doorTag: drill.doorTag, loanHours: 4, mine: null, hold: null });
    expect(await seen(outsider, drill)).toBeUndefined();
    // Neither has any access to the portal, and the card that anybody may read names nothing of it.
    const card = await phone()('GET /pickup/cabinets/{number}', { params: { number } });
    expect(card.offers).toEqual(['lending']);
    expect(JSON.stringify(card)).not.toContain('drill');
    expect((await problemOf(phone()('GET /pickup/cabinets/{number}/offers', { params: { number } }))).status).toBe(401);
  });

  it('names the policy that says how a sign-in begins, where it is one alone', async () => {
    const drill = await offered();
    const policy = async () => (await phone()('GET /pickup/cabinets/{number}', { params: { number } })).offersPolicy;
    expect(await policy()).toBe(crewRef);
    const special = await admin.api('POST /policies', { body: { name: 'This drill', ref: unique(), lockerIds: [drill.lockerId] } });
    expect(await policy()).toBeNull();
    await admin.api('DELETE /policies/{_id}', { params: { _id: special._id } });
    expect(await policy()).toBe(crewRef);
    const { id: siteId } = await admin.api('POST /sites', { body: { name: 'Bare' } });
    const { number: other } = await admin.api('POST /cabinets', { body: { siteId, name: 'Bare', columns: [] } });
    const card = await phone()('GET /pickup/cabinets/{number}', { params: { number: String(other) } });
    expect(card).toMatchObject({ offers: [], offersPolicy: null });
  });

  it('stays theirs while its door is being opened, however late they pressed; no answer, and it is offered again, in doubt', async () => {
    const drill = await offered();
    const { token } = await take(crew, drill);
    wall.mode = 'silent';
    const pressed = open(token, drill);
    const asked = () => wall.commands.find(({ compartment }) => compartment === drill.compartment);
    await expect.poll(asked).toBeDefined();
    await query(server.database.ownerUrl, `update occupations set claim_opened_at = claim_opened_at - interval '3 minutes' where id = $1`, [
      drill.id,
    ]);
    expect(await lookNow(server.deps, ours.id, drill.id, 'claim-failed')).toBe(false);
    expect(await read(drill)).toMatchObject({ stageName: 'CLAIMING', receiver: { name: 'Cara Crew' } });
    await wall.say().state('open', { cmdId: asked()?.cmdId, occupancy: 'unknown' }, drill.compartment);
    expect(await pressed).toMatchObject({ outcome: 'opened', pickup: { stageName: 'CLAIMING', hold: null } });
    await shut(drill);
    expect(await done(token)).toMatchObject({ stageName: 'VACANT' });

    const other = await offered();
    const second = await take(crew, other);
    expect(await server.paced(UNANSWERED, () => open(second.token, other))).toMatchObject({ outcome: 'no-answer' });
    expect(await read(other)).toMatchObject({ stageName: 'ACQUIRABLE', receiver: null });
    expect(await admin.api('GET /lockers/{id}', { params: { id: other.lockerId } })).toMatchObject({
      content: 'unknown',
      contentWhy: 'unseen',
    });
  });

  it('is taken by nobody while its door opens for staff', async () => {
    const drill = await offered();
    wall.mode = 'silent';
    const staff = admin.api('POST /lockers/{id}/open', {
      params: { id: drill.lockerId },
      body: { doorTag: drill.doorTag, occupationId: drill.id, takeOut: 'keep' },
    });
    const asked = () => wall.commands.find(({ compartment }) => compartment === drill.compartment);
    await expect.poll(asked).toBeDefined();
    expect(await refusal(take(crew, drill))).toEqual([409, 'in-use']);
    await wall.say().state('open', { cmdId: asked()?.cmdId, occupancy: 'unknown' }, drill.compartment);
    await staff;
    expect(await read(drill)).toMatchObject({ stageName: 'ACQUIRABLE', receiver: null, takingOut: 'keep' });
  });

  it('is borrowed in one’s own name with the link that comes of it, and brought back by it', async () => {
    const drill = await offered();
    const { token } = await take(crew, drill);
    expect(await read(drill)).toMatchObject({ stageName: 'CLAIMING', receiver: { name: 'Cara Crew', email: crew.email } });
    expect((await read(drill)).claimedBy).toMatchObject({ id: crew.accountId });
    // Pressed twice, or found again after the page was lost: the same.
    expect(await take(crew, drill)).toEqual({ token });
    expect(await seen(crew, drill)).toMatchObject({ mine: 'begun' });
    expect(await seen(mate, drill)).toBeUndefined();
    expect(await refusal(take(mate, drill))).toEqual([409, 'in-use']);

    expect(await open(token, drill)).toMatchObject({ outcome: 'opened', pickup: { purpose: 'borrow', stageName: 'CLAIMING' } });
    await shut(drill);
    expect(await done(token)).toMatchObject({ stageName: 'VACANT', purpose: 'bring-back' });
    const loans = await query(
      server.database.ownerUrl,
      'select borrower_name, borrower_email, returned_at from loans where occupation_id = $1',
      [drill.id],
    );
    expect(loans).toEqual([{ borrower_name: 'Cara Crew', borrower_email: crew.email, returned_at: null }]);
    const { dueAt } = await read(drill);
    expect(Math.round((Date.parse(dueAt ?? '') - Date.now()) / 3_600_000)).toBe(4);
    expect(await seen(crew, drill)).toMatchObject({ mine: 'borrowed', dueAt });
    expect(await refusal(take(mate, drill))).toEqual([404, 'not-found']);

    expect((await take(crew, drill)).token).toBe(token);
    await open(token, drill);
    await shut(drill);
    expect(await done(token)).toMatchObject({ ended: { how: 'put-back' } });
    expect(await read(drill)).toMatchObject({ stageName: 'ACQUIRABLE', receiver: null });
    expect(await seen(mate, drill)).toMatchObject({ mine: null });
  });

  it('is refused to whoever is in none of its groups, and to who left it a moment ago', async () => {
    const drill = await offered();
    expect(await refusal(take(outsider, drill))).toEqual([403, 'not-in-group']);
    const leaver = await ours.person([], 'Lea Leaver');
    const member = { params: { id: groupId, userId: leaver.accountId }, body: {} };
    await admin.api('POST /groups/{id}/members/{userId}', member);
    expect(await seen(leaver, drill)).toMatchObject({ mine: null });
    await admin.api('DELETE /groups/{id}/members/{userId}', member);
    expect(await refusal(take(leaver, drill))).toEqual([403, 'not-in-group']);
    expect(await read(drill)).toMatchObject({ stageName: 'ACQUIRABLE', receiver: null });
  });

  it('is theirs alone as soon as a policy says so, whatever another allows; without any it is nobody’s to take', async () => {
    const drill = await offered();
    const more = await admin.api('POST /policies', {
      body: { name: 'Everybody', ref: unique(), services: ['lending'], lockerIds: [drill.lockerId] },
    });
    expect(await refusal(take(outsider, drill))).toEqual([403, 'not-in-group']);
    expect(await seen(crew, drill)).toMatchObject({ mine: null });
    await admin.api('DELETE /policies/{_id}', { params: { _id: more._id } });
    const theirWall = await testCabinet(server, stranger.api, 1);
    const body = { type: 'lending' as const, lockerId: theirWall.lockers[0]?.id ?? '', assetText: 'A saw' };
    const { id } = await stranger.api('POST /occupations', { body });
    for (const action of ['fill', 'publish'] as const) await stranger.api('PUT /occupations', { body: { id, action } });
    expect(await refusal(stranger.api('POST /pickup/take', { body: { id } }))).toEqual([403, 'not-in-group']);
    theirWall.end();
  });

  it('of two who press at once one gets it', async () => {
    const drill = await offered();
    const answers = await Promise.allSettled([take(crew, drill), take(mate, drill)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { receiver } = await read(drill);
    expect(['Cara Crew', 'Mats Mate']).toContain(receiver?.name);
  });

  it('goes back to its group where nobody opened the door in time', async () => {
    const drill = await offered();
    wall.mode = 'jam';
    const { token } = await take(crew, drill);
    expect(await open(token, drill)).toMatchObject({ outcome: expect.not.stringMatching('opened') as string });
    wall.mode = 'obey';
    expect(await read(drill)).toMatchObject({ stageName: 'ACQUIRABLE', receiver: null });
    expect(await refusal(phone()('POST /pickup/look', { body: { key: { token } } }))).toEqual([410, 'gone']);
    expect(await seen(mate, drill)).toMatchObject({ mine: null });
  });
});

describe('what is used up', () => {
  it('is taken by the piece; the link then says that it is over, and the rest bears no name', async () => {
    const gloves = await offered({ type: 'consumable', assetText: 'Gloves', quantity: 5 });
    expect(await seen(crew, gloves)).toMatchObject({ type: 'consumable', most: 5, loanHours: null });
    expect(await refusal(take(crew, gloves, 6))).toEqual([422, 'quantity']);
    const { token } = await take(crew, gloves, 2);
    await open(token, gloves);
    await shut(gloves);
    expect(await done(token)).toMatchObject({ ended: { how: 'taken' }, hold: 'ended', quantity: null, most: null });
    expect(await done(token)).toMatchObject({ ended: { how: 'taken' } });
    expect(await read(gloves)).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 3, receiver: null });
    expect(await refusal(open(token, gloves))).toEqual([409, 'occupation-transition']);
    // The next one's link is another, and the first is dead by then.
    const next = await take(mate, gloves);
    expect(next.token).not.toBe(token);
    expect(await refusal(phone()('POST /pickup/look', { body: { key: { token } } }))).toEqual([404, 'unknown-link']);
  });

  it('is taken by whoever takes the last piece too, though a sensor says that something lies there', async () => {
    const sensed = await offered({ type: 'consumable', quantity: 1 }, sensing.lockers[0]);
    const other = await take(crew, sensed);
    await open(other.token, sensed);
    await sensing.close(sensed.compartment, { occupancy: 'occupied' });
    await expect.poll(async () => (await phone()('POST /pickup/look', { body: { key: other } }))?.stillInside).toBe(true);
    expect(await done(other.token)).toMatchObject({ stageName: 'VACANT', ended: { how: 'taken' }, hold: 'ended', quantity: null });
    const lost = await offered({ type: 'consumable', quantity: 1 });
    const third = await take(crew, lost);
    await admin.api('PUT /occupations', { body: { id: lost.id, action: 'empty' } });
    // Their key is over with it, and opens nothing of what is put in for others.
    expect(await refusal(phone()('POST /pickup/look', { body: { key: third } }))).toEqual([410, 'gone']);
    await admin.api('PUT /occupations', { body: { id: lost.id, action: 'fill', quantity: 1 } });
    await act(lost.id, 'publish');
    expect(await refusal(open(third.token, lost))).toEqual([410, 'gone']);
  });

  it('stays taken by whoever took it, whatever becomes of the rest', async () => {
    const gloves = await offered({ type: 'consumable', quantity: 3 });
    const { token } = await take(crew, gloves);
    await open(token, gloves);
    await shut(gloves);
    const { ended } = await done(token);
    expect(ended).toMatchObject({ how: 'taken' });
    const look = () => phone()('POST /pickup/look', { body: { key: { token } } });
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: gloves.id } });
    expect(await look()).toMatchObject({ ended, hold: 'ended' });
    await admin.api('PUT /occupations', { body: { id: gloves.id, action: 'empty' } });
    expect(await look()).toMatchObject({ ended, hold: 'ended' });
    await admin.api('DELETE /occupations/{id}', { params: { id: gloves.id }, body: {} });
    expect(await look()).toMatchObject({ ended, hold: 'ended' });
  });

  it('of a stock that bears a name is taken by its receiver alone, not by whom staff let in instead', async () => {
    const receiver = { name: 'Kari Nordmann', email: 'kari@example.test' };
    const keyOf = async ({ id }: Thing) => {
      const [row] = await query<{ token_sealed: Buffer }>(server.database.ownerUrl, 'select token_sealed from occupations where id = $1', [
        id,
      ]);
      return { token: server.deps.seal.open(row?.token_sealed ?? Buffer.alloc(0)) ?? '' };
    };
    const look = async (thing: Thing) => phone()('POST /pickup/look', { body: { key: await keyOf(thing) } });
    const staff = (id: string, action: 'empty' | 'finnish') => admin.api('PUT /occupations', { body: { id, action } });
    const claim = (id: string, more: object = {}) => admin.api('PUT /occupations/assign', { body: { action: 'claim', id, ...more } });
    const robbed = await offered({ type: 'consumable', quantity: 2, receiver });
    await staff(robbed.id, 'empty');
    await admin.api('PUT /lockers/{id}/content', { params: { id: robbed.lockerId }, body: { content: 'empty' } });
    expect(await look(robbed)).toMatchObject({ stageName: 'VACANT', hold: 'empty', ended: null });
    const hers = await offered({ type: 'consumable', quantity: 1, receiver });
    await claim(hers.id);
    await staff(hers.id, 'finnish');
    expect(await look(hers)).toMatchObject({ stageName: 'VACANT', ended: { how: 'taken' } });
    const ended = (await look(hers))?.ended;
    await admin.api('DELETE /occupations/{id}', { params: { id: hers.id }, body: { reason: 'not needed' } });
    expect(await look(hers)).toMatchObject({ stageName: 'TERMINATED', ended, may: ['report'] });
    await admin.api('DELETE /occupations/{id}', { params: { id: robbed.id }, body: { reason: 'not needed' } });
    expect(await look(robbed)).toMatchObject({ ended: { how: 'cancelled' } });
    const his = await offered({ type: 'consumable', quantity: 1, receiver });
    await claim(his.id, { receiver: { name: 'Per Hansen', tlf: '92345678' } });
    await staff(his.id, 'finnish');
    expect(await read(his)).toMatchObject({ stageName: 'VACANT', receiver: { name: 'Kari Nordmann' } });
    expect(await look(his)).toMatchObject({ hold: 'empty', ended: null });
  });
});

describe('what is not theirs to take', () => {
  it('is all theirs where its price is nothing', async () => {
    const gloves = await offered({ type: 'consumable', quantity: 3, price: { amount: 0, currency: 'NOK' } });
    expect(await seen(crew, gloves)).toMatchObject({ content: 'A drill' });
    const { token } = await take(crew, gloves, 2);
    expect(await read(gloves)).toMatchObject({ stageName: 'CLAIMING', held: 2 });
    expect(await phone()('POST /pickup/look', { body: { key: { token } } })).toMatchObject({ quantity: 2 });
  });

  it('answers as if it were not there: named, priced, another service, another company’s', async () => {
    const named = await offered({ receiver: { name: 'Kari Nordmann', email: 'kari@example.test' } });
    expect(await refusal(take(crew, named))).toEqual([404, 'not-found']);
    expect(await seen(crew, named)).toBeUndefined();
    const parcel = await offered({ type: 'delivery' });
    expect(await refusal(take(crew, parcel))).toEqual([404, 'not-found']);
    const drill = await offered();
    expect(await refusal(take(stranger, drill))).toEqual([404, 'not-found']);
    expect(await refusal(stranger.api('GET /pickup/cabinets/{number}/offers', { params: { number } }))).toEqual([404, 'not-found']);
  });

  it('what staff handed out to somebody else is not whoever staff are', async () => {
    const drill = await offered();
    const receiver = { name: 'Per Hansen', tlf: '92345678' };
    await admin.api('PUT /occupations/assign', { body: { action: 'claim', id: drill.id, receiver } });
    expect(await seen(admin, drill)).toBeUndefined();
    expect(await refusal(take(admin, drill))).toEqual([409, 'in-use']);
  });

  it('a door that cannot be opened claims nothing', async () => {
    const drill = await offered();
    await admin.api('PUT /lockers/{id}/service', { params: { id: drill.lockerId }, body: { outOfService: true, reason: 'hinge' } });
    expect(await seen(crew, drill)).toMatchObject({ hold: 'out-of-service' });
    expect(await refusal(take(crew, drill))).toEqual([409, 'out-of-service']);
    expect(await read(drill)).toMatchObject({ stageName: 'ACQUIRABLE' });
  });

  it('nor does one whose cabinet is silent, and the answer says when to come again', async () => {
    const drill = await offered(undefined, sensing.lockers[1]);
    await sensing.cut();
    await expect.poll(async () => (await admin.api('GET /cabinets/{id}', { params: { id: sensing.id } })).connection).toBe('offline');
    expect(await problemOf(take(crew, drill))).toMatchObject({ status: 503, code: 'cabinet-offline', retryAfter: 30 });
    expect(await read(drill)).toMatchObject({ stageName: 'ACQUIRABLE' });
  });
});

describe('a company that is suspended', () => {
  it('offers nothing and gives nothing, and says that it is away for now', async () => {
    const drill = await offered();
    const suspend = (suspended: boolean) =>
      server.operator('PUT /operator/companies/{id}', { params: { id: ours.id }, body: { suspended } });
    await suspend(true);
    expect(await refusal(list(crew))).toEqual([503, 'unavailable']);
    expect(await refusal(take(crew, drill))).toEqual([503, 'unavailable']);
    await suspend(false);
    expect(await seen(crew, drill)).toMatchObject({ mine: null });
  });
});
