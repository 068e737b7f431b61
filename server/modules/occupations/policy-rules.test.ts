import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { refusal } from './test-refusal.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  wall = await testCabinet(server, admin.api, 30);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const register = async (body: { type: 'delivery' | 'lending' | 'storage' | 'recall' } & Record<string, unknown>) =>
  admin.api('POST /occupations', { body: { lockerId: (await wall.free()).id, assetText: 'A thing', ...body } });
const act = (id: string, action: 'fill' | 'publish' | 'extract' | 'finnish' | 'return', more: object = {}) =>
  admin.api('PUT /occupations', { body: { id, action, ...more } });
const claim = (id: string, more: object = {}) => admin.api('PUT /occupations/assign', { body: { action: 'claim', id, ...more } });
const offered = async (more: object = {}) => {
  const made = await register({ type: 'lending', ...more });
  await act(made.id, 'fill');
  return act(made.id, 'publish');
};
const policy = (more: object) => admin.api('POST /policies', { body: { name: `Policy ${unique()}`, ref: unique(), ...more } });
const refusedOf = async (calls: Promise<unknown>[]) => {
  const answers = await Promise.allSettled(calls.map((call) => refusal(call)));
  return answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
};

describe('as many as one person may have', () => {
  it('holds for many at once who register for the same person', async () => {
    await policy({ services: ['storage'], maxActivePerPerson: 1 });
    const receiver = { name: 'Kari Nordmann', tlf: '91234567' };
    const many = Array.from({ length: 6 }, () => register({ type: 'storage', receiver }));
    expect(await refusedOf(many)).toEqual(Array.from({ length: 5 }, () => [409, 'too-many']));
    // By a name each of their own, but the same address, in capitals or not.
    const email = `ola-${unique()}@example.test`;
    const typed = [email, email.toUpperCase(), ` ${email}`, email.replace('ola', 'Ola')];
    const others = typed.map((address, at) => register({ type: 'storage', receiver: { name: `Ola ${at}`, email: address } }));
    expect(await refusedOf(others)).toHaveLength(3);
  });

  it('holds for two who hand out to the same person at once', async () => {
    const { ref } = await policy({ services: ['lending'], lockerIds: [(await wall.free()).id], maxActivePerPerson: 1 });
    const lent = [];
    for (let count = 0; count < 4; count++) lent.push(await offered({ policyRef: ref }));
    const receiver = { name: 'Per Hansen', tlf: '92345678' };
    expect(await refusedOf(lent.map(({ id }) => claim(id, { receiver })))).toEqual(Array.from({ length: 3 }, () => [409, 'too-many']));
  });
});

describe('who is asked to bring something back', () => {
  it('is asked although they have as many as they may, pays nothing, and counts for nothing while staff fetch it', async () => {
    const { ref } = await policy({ maxActivePerPerson: 1, price: { amount: 5_000, currency: 'NOK' }, lockerIds: [(await wall.free()).id] });
    const receiver = { name: 'Per Hansen', tlf: '94567890' };
    const { _id: assetId } = await admin.api('POST /assets', { body: { name: `Drill ${unique()}` } });
    const { ref: lent } = await policy({ services: ['lending'], maxActivePerPerson: 1, lockerIds: [(await wall.free()).id] });
    const loan = await offered({ policyRef: lent, assetId, assetText: undefined });
    await claim(loan.id, { receiver });
    await act(loan.id, 'finnish');
    const recall = await register({ type: 'recall', policyRef: ref, assetId, assetText: undefined, receiver });
    expect(recall).toMatchObject({ policyRef: ref, price: null });
    await act(recall.id, 'fill');
    expect(await claim(recall.id)).toMatchObject({ stageName: 'CLAIMING' });
    await act(loan.id, 'return');
    const other = await offered({ policyRef: lent });
    expect(await claim(other.id, { receiver })).toMatchObject({ stageName: 'CLAIMING' });
    expect(await act(recall.id, 'finnish')).toMatchObject({ stageName: 'TERMINATED' });
  });
});

describe('a policy for groups', () => {
  const crew = async () => {
    const person = await ours.person([], 'Cara Crew');
    const group = await admin.api('POST /groups', { body: { name: `Crew ${unique()}` } });
    const [account] = await admin.api('GET /accounts', { query: { q: { email: person.email } } });
    await admin.api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: account?.id ?? '' }, body: {} });
    return { group, receiver: { name: 'Cara Crew', email: person.email.toUpperCase() } };
  };

  it('holds for what is registered for one of theirs, and for nobody else', async () => {
    const { group, receiver } = await crew();
    const { id: lockerId } = await wall.free();
    const theirs = await policy({ services: ['delivery'], groupIds: [group.id], lockerIds: [lockerId], pickupHours: 5 });
    const stranger = { name: 'Stian Stranger', email: `s-${unique()}@example.test` };
    const other = await register({ type: 'delivery', lockerId, receiver: stranger });
    expect(other.policyRef).not.toBe(theirs.ref);
    await admin.api('DELETE /occupations/{id}', { params: { id: other.id }, body: {} });
    expect(await register({ type: 'delivery', lockerId, receiver })).toMatchObject({ policyRef: theirs.ref });
  });

  it('is settled for a loan by who borrows, not by who put it in', async () => {
    const { group, receiver } = await crew();
    const { id: lockerId } = await wall.free();
    await policy({ services: ['lending'], groupIds: [group.id], lockerIds: [lockerId], loanHours: 3 });
    await policy({ services: ['lending'], lockerIds: [lockerId], loanHours: 48 });
    const lent = await offered({ lockerId });
    // for how long it goes out nobody knows before that
    expect(lent).toMatchObject({ policyRef: null, loanHours: null });
    expect(await offered({ lockerId: (await wall.free()).id, loanHours: 5 })).toMatchObject({ loanHours: 5 });
    const hours = async (more: object) => {
      await claim(lent.id, more);
      const { dueAt } = await act(lent.id, 'finnish');
      await act(lent.id, 'return');
      await act(lent.id, 'publish').catch(() => undefined);
      return Math.round((Date.parse(dueAt ?? '') - Date.now()) / 3_600_000);
    };
    expect(await hours({ receiver })).toBe(3);
    expect(await hours({ receiver: { name: 'Stian Stranger', tlf: '93456789' } })).toBe(48);
  });
});

describe('a locker that is for something else', () => {
  it('is refused to what would move or come back there', async () => {
    const only = await wall.free();
    const { version } = await admin.api('GET /lockers/{id}', { params: { id: only.id } });
    await admin.api('PUT /lockers/{id}', { params: { id: only.id }, body: { version, services: ['delivery'] } });
    const lent = await offered();
    await claim(lent.id, { receiver: { name: 'Per Hansen', tlf: '92345678' } });
    await act(lent.id, 'finnish');
    expect(await refusal(act(lent.id, 'return', { lockerId: only.id }))).toEqual([422, 'service-not-allowed']);
    await act(lent.id, 'return');
    await act(lent.id, 'extract');
    expect(await refusal(act(lent.id, 'fill', { lockerId: only.id }))).toEqual([422, 'service-not-allowed']);
    const parcel = await register({ type: 'delivery' });
    await act(parcel.id, 'fill');
    await act(parcel.id, 'extract');
    expect(await act(parcel.id, 'fill', { lockerId: only.id })).toMatchObject({ lockerId: only.id, stageName: 'FILLED' });
  });
});
