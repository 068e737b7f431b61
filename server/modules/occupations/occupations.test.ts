import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { problemOf, refusal } from './test-refusal.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let lender: TestPerson;
let stranger: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  lender = await ours.person(['lending_manager']);
  stranger = await (await testCompany(server)).person(['admin']);
  wall = await testCabinet(server, admin.api, 52);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const receiver = { name: 'Kari Nordmann', tlf: '91234567', email: 'kari@example.test' };
const register = async (more: object = {}, api = admin.api) =>
  api('POST /occupations', { body: { type: 'delivery', lockerId: (await wall.free()).id, receiver, ...more } });
const act = (
  id: string,
  action: 'fill' | 'publish' | 'empty' | 'reset' | 'finnish' | 'send' | 'extract' | 'return',
  more: object = {},
  api = admin.api,
) => api('PUT /occupations', { body: { id, action, ...more } });
const claim = (id: string, more: object = {}, api = admin.api) =>
  api('PUT /occupations/assign', { body: { action: 'claim', id, ...more } });
const ready = async (more: object = {}) => {
  const made = await register(more);
  await act(made.id, 'fill');
  return act(made.id, 'publish');
};
const storyOf = async (id: string) =>
  (await query<{ type: string }>(server.database.ownerUrl, 'select type from events where occupation_id = $1 order by id', [id])).map(
    (row) => row.type,
  );
const lockerOf = (id: string) => admin.api('GET /lockers/{id}', { params: { id } });

describe('the best fit', () => {
  it('passes by a door that did not open when it was last asked, and names none of another site', async () => {
    const other = await testCabinet(server, admin.api, 2);
    const [first, second] = other.lockers;
    other.mode = 'jam';
    const open = admin.api('POST /lockers/{id}/open', { params: { id: first?.id ?? '' }, body: { doorTag: first?.doorTag ?? '' } });
    await expect(open).rejects.toThrow('door-refused');
    const next = () => admin.api('POST /occupations', { body: { type: 'delivery', size: 'M', cabinetId: other.id, receiver } });
    expect(await next()).toMatchObject({ lockerId: second?.id });
    const { id, lockerId } = await next();
    expect(lockerId).toBe(first?.id);
    // The wall of the others stands at another site.
    expect((await admin.api('POST /occupations/{id}/doubt', { params: { id }, body: { kind: 'not-empty' } })).next).toBeNull();
    other.end();
  });
});

describe('the road of a delivery', () => {
  // shows R3.4, R4.2, R4.3, R4.4, R4.5, R4.7, R4.8, R4.10, R4.12, R4.21, R7.18, R7.19, R7.20, R7.23
  it('goes from register to the end, and says at each step what comes next', async () => {
    const { id: lockerId, doorTag } = await wall.free();
    const made = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId, receiver, assetText: 'Bosch GSR 18V' } });
    expect(made).toMatchObject({ stageName: 'RESERVED', doorTag, version: 1, receiver: { tlf: '+4791234567' }, fit: null });
    const filled = await act(made.id, 'fill');
    expect(filled).toMatchObject({ stageName: 'FILLED', version: 2 });
    expect(filled.actions[0]).toBe('send');
    expect((await act(made.id, 'send', { channel: 'both' })).stageName).toBe('CONTACTING');
    const claimed = await claim(made.id);
    expect(claimed).toMatchObject({ stageName: 'CLAIMING', claimedBy: { name: 'Ada Admin' } });
    expect(await act(made.id, 'finnish')).toMatchObject({ stageName: 'TERMINATED', actions: [] });
    expect(await storyOf(made.id)).toEqual([
      'occupation_created',
      'locker_reserved',
      'occupation_filled',
      'occupation_published',
      'occupation_assigned',
      'occupation_claimed',
      'occupation_delivered',
    ]);
    expect(await lockerOf(lockerId)).toMatchObject({ content: 'empty', occupationId: null });
  });

  // shows R7.25
  it('goes in one call, all or nothing', async () => {
    const whole = await admin.api('POST /occupations/delivery', {
      body: { lockerId: (await wall.free()).id, receiver, fill: true, send: true },
    });
    expect(whole.stageName).toMatch(/CONTACT/);
    const { id: lockerId } = await wall.free();
    const body = { lockerId, receiver: { name: 'Nobody to reach' }, fill: true, send: true };
    expect(await problemOf(admin.api('POST /occupations/delivery', { body }))).toMatchObject({
      status: 422,
      code: 'rule',
      detail: 'The receiver needs a phone number or an e-mail address',
    });
    expect(await refusal(admin.api('POST /occupations/delivery', { body: { lockerId, fill: true, send: true } }))).toEqual([
      422,
      'receiver-needed',
    ]);
    expect(await lockerOf(lockerId)).toMatchObject({ occupationId: null, content: 'empty' });
  });

  // shows R7.25
  it('goes in one call as far as was asked, and nothing is sent that nobody filled', async () => {
    const whole = async (steps: object) =>
      admin.api('POST /occupations/delivery', { body: { lockerId: (await wall.free()).id, receiver, ...steps } });
    expect(await whole({})).toMatchObject({ stageName: 'RESERVED' });
    const filled = await whole({ fill: true });
    expect(filled).toMatchObject({ stageName: 'FILLED' });
    expect(await storyOf(filled.id)).toEqual(['occupation_created', 'locker_reserved', 'occupation_filled']);
    expect(await problemOf(whole({ send: true }))).toMatchObject({ status: 422, code: 'rule', errors: [{ pointer: '/fill' }] });
  });

  it('has one word for what it is, and one for where', async () => {
    const { _id: assetId } = await admin.api('POST /assets', { body: { name: 'Angle grinder' } });
    const both = (more: object) => problemOf(admin.api('POST /occupations', { body: { type: 'delivery', ...more } }));
    expect(await both({ assetId, assetText: 'Grinder' })).toMatchObject({ code: 'rule', errors: [{ pointer: '/assetText' }] });
    expect(await both({ lockerId: (await wall.free()).id, size: 'M' })).toMatchObject({ code: 'rule', errors: [{ pointer: '/size' }] });
  });

  it('tells the receiver on the ways that were asked for, once a cause', async () => {
    const made = await register();
    await act(made.id, 'fill');
    await act(made.id, 'send', { channel: 'both' });
    const queued = await query<{ channel: string; kind: string }>(
      server.database.ownerUrl,
      'select channel, kind from messages where occupation_id = $1 order by channel',
      [made.id],
    );
    expect(queued).toEqual([
      { channel: 'mail', kind: 'ready' },
      { channel: 'sms', kind: 'ready' },
    ]);
    const only = await register({ receiver: { name: 'Ola', email: 'ola@example.test' } });
    await act(only.id, 'fill');
    expect(await problemOf(act(only.id, 'send', { channel: 'sms' }))).toMatchObject({
      code: 'receiver-needed',
      errors: [{ pointer: '/receiver/tlf' }],
    });
  });

  it('keeps link and code from everybody who reads it', async () => {
    const made = await ready();
    const [row] = await query<{ token_sealed: Buffer; code_sealed: Buffer }>(
      server.database.ownerUrl,
      'select token_sealed, code_sealed from occupations where id = $1',
      [made.id],
    );
    const token = server.deps.seal.open(row?.token_sealed ?? Buffer.alloc(0));
    const code = server.deps.seal.open(row?.code_sealed ?? Buffer.alloc(0));
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(code).toMatch(/^\d{6}$/);
    const told = JSON.stringify([
      await admin.api('GET /occupations/{id}', { params: { id: made.id } }),
      await admin.api('GET /history', { query: { q: { occupationId: made.id } } }),
    ]);
    expect(told).not.toContain(token);
    expect(told).not.toMatch(new RegExp(`"${code}"`));
  });
});

describe('registering', () => {
  // shows R3.4, R3.5, R3.9, R7.18
  it('is for each of the seven types, with a free text or a registered asset', async () => {
    const price = { amount: 100, currency: 'NOK' };
    for (const type of ['drop-off', 'storage', 'delivery', 'lending', 'consumable', 'sale', 'recall'] as const)
      expect(await register({ type, assetText: 'Thing', ...(type === 'sale' ? { price, quantity: 1 } : {}) })).toMatchObject({
        type,
        assetText: 'Thing',
        assetId: null,
      });
    const { _id } = await admin.api('POST /assets', { body: { name: 'Bosch GSR 18V' } });
    expect(await register({ assetId: _id })).toMatchObject({ assetId: _id, assetName: 'Bosch GSR 18V', assetText: null });
    expect(await refusal(register({ type: 'selling' }))).toEqual([400, 'malformed']);
  });

  it('picks the best fitting locker and says why', async () => {
    const made = await admin.api('POST /occupations', { body: { type: 'storage', size: 'S', cabinetId: wall.id } });
    expect(made.fit).toBe('next-size-up');
    await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: {} });
    expect(await refusal(admin.api('POST /occupations', { body: { type: 'storage', size: 'XL', cabinetId: wall.id } }))).toEqual([
      409,
      'no-free-locker',
    ]);
  });

  it('names what it was given that does not exist, in the same words for what is another company’s', async () => {
    const asked = async (body: object, api = admin.api) => {
      const { status, code, errors } = await problemOf(
        api('POST /occupations', { body: { type: 'delivery', receiver, ...body } as never }),
      );
      return [status, code, errors?.[0]?.pointer];
    };
    expect(await asked({ lockerId: newId() })).toEqual([422, 'unknown-reference', '/lockerId']);
    const { id } = await wall.free();
    expect(await asked({ lockerId: id }, stranger.api)).toEqual([422, 'unknown-reference', '/lockerId']);
    expect(await asked({ lockerId: id, assetId: newId() })).toEqual([422, 'unknown-reference', '/assetId']);
    expect(await asked({ size: 'M', cabinetId: newId() })).toEqual([422, 'unknown-reference', '/cabinetId']);
    expect(await asked({ lockerId: id, policyRef: 'no-such' })).toEqual([422, 'unknown-reference', '/policyRef']);
    expect((await lockerOf(id)).occupationId).toBeNull();
  });

  it('checks the receiver by the company’s country', async () => {
    const wrong = await problemOf(register({ receiver: { name: 'Kari', tlf: '12', email: 'nowhere' } }));
    expect(wrong.status).toBe(422);
    expect(wrong.errors?.map((error) => error.pointer)).toEqual(['/receiver/tlf', '/receiver/email']);
  });

  it('refuses a locker in doubt or out of service, and names the next best door', async () => {
    const doubted = await wall.free();
    const doubter = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: doubted.id } });
    const answer = await admin.api('POST /occupations/{id}/doubt', { params: { id: doubter.id }, body: { kind: 'not-empty' } });
    expect(answer.next?.lockerId).not.toBe(doubted.id);
    expect(await lockerOf(doubted.id)).toMatchObject({ content: 'unknown', contentWhy: 'not-empty', inDoubt: true });
    await admin.api('DELETE /occupations/{id}', { params: { id: doubter.id }, body: { reason: 'locker not empty' } });
    const refused = await problemOf(admin.api('POST /occupations', { body: { type: 'delivery', lockerId: doubted.id } }));
    expect(refused).toMatchObject({ code: 'locker-in-doubt', data: { next: { doorTag: expect.any(String) } } });
    const closed = await wall.free();
    await admin.api('PUT /lockers/{id}/service', { params: { id: closed.id }, body: { outOfService: true, reason: 'hinge' } });
    expect(await refusal(admin.api('POST /occupations', { body: { type: 'delivery', lockerId: closed.id } }))).toEqual([
      409,
      'out-of-service',
    ]);
  });
});

describe('actions', () => {
  // shows R4.2, R4.5, R4.11, R4.24
  it('are eight, each with its stage and its line of history', async () => {
    const made = await register();
    const stages: string[] = [];
    for (const action of ['fill', 'publish', 'extract', 'reset', 'fill', 'send'] as const)
      stages.push((await act(made.id, action)).stageName);
    await claim(made.id);
    stages.push((await act(made.id, 'return')).stageName, (await act(made.id, 'empty')).stageName);
    expect(stages).toEqual([
      'FILLED',
      'ACQUIRABLE',
      'VACANT',
      'RESERVED',
      'FILLED',
      'CONTACTING',
      // where the claim came from: by then the message may be under way, accepted or refused
      expect.stringMatching(/^(CONTACT|ACQUIRABLE)/),
      'VACANT',
    ]);
    await act(made.id, 'fill');
    await act(made.id, 'publish');
    await claim(made.id);
    expect(await act(made.id, 'finnish')).toMatchObject({ stageName: 'TERMINATED' });
    expect(await storyOf(made.id)).toEqual([
      'occupation_created',
      'locker_reserved',
      'occupation_filled',
      'occupation_published',
      'occupation_extract',
      'locker_reserved',
      'occupation_filled',
      'occupation_published',
      'occupation_assigned',
      'occupation_returned',
      'locker_empty',
      'occupation_filled',
      'occupation_published',
      'occupation_assigned',
      'occupation_claimed',
      'occupation_delivered',
    ]);
    const unknown = { id: made.id, action: 'claim' } as never;
    expect(await refusal(admin.api('PUT /occupations', { body: unknown }))).toEqual([400, 'malformed']);
  });

  it('that the table does not list are refused, and nothing changes', async () => {
    const made = await register();
    const refused = await problemOf(act(made.id, 'finnish'));
    expect(refused).toMatchObject({ status: 409, code: 'occupation-transition', data: { stage: 'RESERVED', action: 'finnish' } });
    expect(refused.detail).toContain('RESERVED');
    expect(await admin.api('GET /occupations/{id}', { params: { id: made.id } })).toMatchObject({ version: 1, stageName: 'RESERVED' });
    expect(await refusal(act((await ready()).id, 'reset'))).toEqual([409, 'content-inside']);
  });

  it('with an old version are refused', async () => {
    const made = await register();
    await act(made.id, 'fill', { version: 1 });
    expect(await refusal(act(made.id, 'publish', { version: 1 }))).toEqual([409, 'stale']);
    expect(await refusal(admin.api('PUT /occupations/{id}', { params: { id: made.id }, body: { version: 1, note: 'x' } }))).toEqual([
      409,
      'stale',
    ]);
    expect(await refusal(admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: { version: 1 } }))).toEqual([409, 'stale']);
  });

  it('two at once: one wins, the other is told what it came to', async () => {
    const made = await ready();
    const both = await Promise.allSettled([claim(made.id), claim(made.id)]);
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const lost = both.find((one) => one.status === 'rejected') as PromiseRejectedResult;
    expect(await refusal(Promise.reject(lost.reason as Error))).toEqual([409, 'in-use']);
    expect((await storyOf(made.id)).filter((type) => type === 'occupation_assigned')).toHaveLength(1);
  });

  it('extend and correct without a change of stage, and a new address gets a new link', async () => {
    const made = await ready();
    const secret = async () => {
      const [row] = await query<{ token_hash: Buffer }>(server.database.ownerUrl, 'select token_hash from occupations where id = $1', [
        made.id,
      ]);
      return row?.token_hash.toString('hex');
    };
    const before = await secret();
    const pickupBy = '2030-01-01T12:00:00+01:00';
    const changed = await admin.api('PUT /occupations/{id}', {
      params: { id: made.id },
      body: { version: made.version, pickupBy, receiver: { name: 'Kari', email: 'new@example.test' } },
    });
    expect(changed).toMatchObject({
      stage: made.stage,
      pickupBy: '2030-01-01T11:00:00.000Z',
      receiver: { email: 'new@example.test', tlf: null },
    });
    const after = await secret();
    expect(after).not.toBe(before);
    expect(await storyOf(made.id)).toContain('occupation_amended');
    // The same address, typed otherwise: the link that went there stays.
    const retyped = await admin.api('PUT /occupations/{id}', {
      params: { id: made.id },
      body: { version: changed.version, receiver: { name: 'Kari', email: ' New@Example.TEST' } },
    });
    expect(retyped.receiver).toMatchObject({ email: 'new@example.test' });
    expect(await secret()).toBe(after);
    const absurd = { version: retyped.version, pickupBy: '9999-12-31T23:59:59-23:59' };
    expect(await refusal(admin.api('PUT /occupations/{id}', { params: { id: made.id }, body: absurd }))).toEqual([422, 'deadline']);
    const past = { version: retyped.version, pickupBy: '2020-01-01T00:00:00Z' };
    expect(await refusal(admin.api('PUT /occupations/{id}', { params: { id: made.id }, body: past }))).toEqual([422, 'deadline']);
  });

  // shows R4.11, R4.19
  it('take out and end in one go', async () => {
    const made = await ready();
    await admin.api('POST /occupations/{id}/retrieve', { params: { id: made.id }, body: { reason: 'too late' } });
    expect(await storyOf(made.id)).toEqual(expect.arrayContaining(['occupation_extract', 'occupation_terminated']));
    expect(await lockerOf(made.lockerId)).toMatchObject({ content: 'empty', occupationId: null });
    const [told] = await query<{ kind: string }>(server.database.ownerUrl, 'select kind from messages where occupation_id = $1', [made.id]);
    expect(told?.kind).toBe('taken-out');
  });

  it('move what was taken out into another free locker', async () => {
    const made = await ready();
    await act(made.id, 'extract');
    const taken = await register();
    expect(await refusal(act(made.id, 'fill', { lockerId: taken.lockerId }))).toEqual([409, 'locker-taken']);
    expect(await refusal(act(made.id, 'fill', { lockerId: newId() }))).toEqual([422, 'unknown-reference']);
    const goal = await wall.free();
    expect(await act(made.id, 'fill', { lockerId: goal.id })).toMatchObject({
      stageName: 'FILLED',
      lockerId: goal.id,
      doorTag: goal.doorTag,
    });
    expect(await lockerOf(goal.id)).toMatchObject({ occupationId: made.id, content: 'occupied' });
    expect(await lockerOf(made.lockerId)).toMatchObject({ occupationId: null, content: 'empty' });
  });
  it('or give it another locker to be put into, which nobody calls full before', async () => {
    const made = await ready();
    expect(await refusal(act(made.id, 'reset', { lockerId: (await wall.free()).id }))).toEqual([409, 'content-inside']);
    await act(made.id, 'extract');
    const taken = await register();
    expect(await refusal(act(made.id, 'reset', { lockerId: taken.lockerId }))).toEqual([409, 'locker-taken']);
    for (const goal of [await wall.free(), await wall.free()]) {
      expect(await act(made.id, 'reset', { lockerId: goal.id })).toMatchObject({ stageName: 'RESERVED', doorTag: goal.doorTag });
      expect(await lockerOf(goal.id)).toMatchObject({ occupationId: made.id, content: 'empty' });
    }
    expect(await lockerOf(made.lockerId)).toMatchObject({ occupationId: null, content: 'empty' });
    expect(await act(made.id, 'fill')).toMatchObject({ stageName: 'FILLED' });
  });

  // shows R4.19, R7.21
  it('abort after the content was put in: what lies there is unknown', async () => {
    const made = await ready();
    await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: { reason: 'wrong parcel' } });
    expect(await lockerOf(made.lockerId)).toMatchObject({ content: 'unknown', contentWhy: 'aborted', inDoubt: true });
    expect((await storyOf(made.id)).slice(-2)).toEqual(['occupation_terminated', 'locker_unknown']);
    const [ended] = await admin.api('GET /history', { query: { q: { occupationId: made.id, type: 'occupation_terminated' } } });
    expect(ended?.data).toMatchObject({ reason: 'wrong parcel' });
    expect(await refusal(admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: {} }))).toEqual([
      409,
      'occupation-transition',
    ]);
  });
});

describe('who may', () => {
  it('a role reaches its type alone, whether it reads or acts', async () => {
    const made = await ready();
    expect(await refusal(lender.api('GET /occupations/{id}', { params: { id: made.id } }))).toEqual([404, 'not-found']);
    expect(await refusal(act(made.id, 'extract', {}, lender.api))).toEqual([404, 'not-found']);
    expect(await refusal(register({}, lender.api))).toEqual([403, 'forbidden']);
    expect((await lender.api('GET /occupations')).every((one) => one.type === 'lending')).toBe(true);
  });

  it('a scope reaches its lockers alone, for its service', async () => {
    const made = await ready();
    const other = await ready();
    const scoped = await ours.scoped(['lending'], [made.lockerId]);
    expect((await scoped.api('GET /occupations')).map((one) => [one.id, one.actions])).toEqual([[made.id, []]]);
    expect(await refusal(act(made.id, 'extract', {}, scoped.api))).toEqual([403, 'forbidden']);
    expect(await refusal(act(other.id, 'extract', {}, scoped.api))).toEqual([404, 'not-found']);
    const courier = await ours.scoped(['delivery'], [made.lockerId]);
    expect(await refusal(courier.api('POST /occupations', { body: { type: 'delivery', lockerId: (await wall.free()).id } }))).toEqual([
      422,
      'unknown-reference',
    ]);
    expect(await act(made.id, 'extract', {}, courier.api)).toMatchObject({ stageName: 'VACANT' });
    expect(await refusal(act(made.id, 'fill', { lockerId: (await wall.free()).id }, courier.api))).toEqual([422, 'unknown-reference']);
    await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: {} });
    const own = await courier.api('POST /occupations', { body: { type: 'delivery', size: 'M' } });
    expect(own.lockerId).toBe(made.lockerId);
  });
});

describe('finding', () => {
  it('by door tag, code, link, tracking number and receiver', async () => {
    const mark = `TRACK${unique()}`;
    const made = await ready({ externalRef: mark, receiver: { name: `Xaver ${unique()}`, email: `x-${unique()}@example.test` } });
    const [row] = await query<{ token_sealed: Buffer; code_sealed: Buffer }>(
      server.database.ownerUrl,
      'select token_sealed, code_sealed from occupations where id = $1',
      [made.id],
    );
    const token = server.deps.seal.open(row?.token_sealed ?? Buffer.alloc(0)) ?? '';
    const code = server.deps.seal.open(row?.code_sealed ?? Buffer.alloc(0)) ?? '';
    for (const scan of [made.doorTag, mark, code, `${server.url}/p/${token}`, made.receiver?.name ?? '', made.receiver?.email ?? '']) {
      const found = await admin.api('POST /occupations/find', { body: { scan } });
      expect([scan, found.map((one) => one.id)]).toEqual([scan, [made.id]]);
    }
    expect((await admin.api('POST /occupations/find', { body: { scan: `${server.url}/c/${wall.number}` } })).length).toBeGreaterThan(0);
    expect(await lender.api('POST /occupations/find', { body: { scan: code } })).toEqual([]);
  });

  // shows R7.22
  it('in lists: by field, by words, sorted and paged', async () => {
    const mark = `Zorro${unique()}`;
    const first = await ready({ note: 'a', receiver: { name: `${mark} One`, email: 'z@example.test' } });
    const second = await register({ receiver: { name: `${mark} Two`, email: 'z@example.test' } });
    const list = (q: Record<string, unknown>, more: object = {}) => admin.api('GET /occupations', { query: { q, ...more } });
    expect((await list({ $text: mark.toLowerCase() })).map((one) => one.id)).toEqual([second.id, first.id]);
    expect((await list({ $text: mark, stage: { $gte: 3 } })).map((one) => one.id)).toEqual([first.id]);
    expect((await list({ $text: mark }, { sort: 'pickupBy' })).map((one) => one.id)).toEqual([first.id, second.id]);
    const page = await admin.api.page('GET /occupations', { query: { q: { $text: mark }, limit: 1, count: 'true' } });
    expect(page).toMatchObject({ total: 2 });
    const rest = await admin.api.page('GET /occupations', { query: { q: { $text: mark }, limit: 1, cursor: page.next ?? '' } });
    expect(rest.rows.map((one) => one.id)).toEqual([first.id]);
    expect(await refusal(list({ receiver: 'x' }))).toEqual([400, 'malformed']);
  });
});
