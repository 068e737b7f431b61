import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query, waitersFor } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { likeTheFirst } from './test-copy.ts';
import { testDoors, type TestDoors } from './test-doors.ts';
import { problemOf, refusal } from './test-refusal.ts';
import type { CallInput } from '@hatchway/contract/client.ts';
import { sql } from 'kysely';
import { ranked, type Candidate } from '@hatchway/domain/locker.ts';
import type { Tx } from '../../db/database.ts';
import { systemScope } from '../../scope.ts';
import { takeBest } from './fit.ts';
import { register as registerIn } from './register.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let lender: TestPerson;
let stranger: TestPerson;
let wall: TestDoors;
/** Whose doors are heard: the server chooses among these alone. */
let steel: TestCabinet;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  lender = await ours.person(['lending_manager']);
  stranger = await (await testCompany(server)).person(['admin']);
  wall = await testDoors(admin.api, 60);
  steel = await testCabinet(server, admin.api, 4);
});
afterAll(async () => {
  steel?.end();
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
const offered = likeTheFirst(
  () => server,
  async ({ id: lockerId }, more: object = {}) => {
    const body = { lockerId, receiver, fill: true, ...more };
    return act((await admin.api('POST /occupations/delivery', { body })).id, 'publish');
  },
);
const ready = async (more?: object) => offered(await wall.free(), more);
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
    const made = await admin.api('POST /occupations', { body: { type: 'storage', size: 'S', cabinetId: steel.id } });
    expect(made.fit).toBe('next-size-up');
    await admin.api('DELETE /occupations/{id}', { params: { id: made.id }, body: {} });
    expect(await refusal(admin.api('POST /occupations', { body: { type: 'storage', size: 'XL', cabinetId: steel.id } }))).toEqual([
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
    const doubted = await steel.free();
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
    // Nobody else's use has been in it.
    const made = await ready({ lockerId: steel.lockers.at(-1)?.id });
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
    for (const scan of [code, made.receiver?.name ?? ''])
      expect(await lender.api('POST /occupations/find', { body: { scan } })).toEqual([]);
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

describe('several at once', () => {
  const wall = async (doors: number): Promise<string[]> => {
    const site = await admin.api('POST /sites', { body: { name: unique() } });
    const made = Array.from({ length: doors }, (_, at) => ({ doorTag: unique(), compartment: at + 1, size: 'M' as const, height: 300 }));
    const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors: made }] } });
    return cabinet.columns.flatMap((column) => column.doors.map((door) => door.lockerId));
  };
  const receiver = { name: 'Kari Nordmann', tlf: '+4790000001' };
  const delivery = (lockerId: string, more: Partial<NonNullable<CallInput<'POST /occupations'>['body']>> = {}) =>
    admin.api('POST /occupations', { body: { type: 'delivery', lockerId, assetText: 'Parcel', receiver, ...more } });
  const stageOf = async (id: string) => (await admin.api('GET /occupations/{id}', { params: { id } })).stageName;

  describe('one action on many', () => {
    it('answers each in the order of the ids, and does what can be done though others are refused', async () => {
      const [a = '', b = '', c = ''] = await wall(3);
      const [filled, empty, nameless] = [await delivery(a), await delivery(b), await delivery(c, { receiver: undefined as never })];
      for (const { id } of [filled, nameless]) await admin.api('PUT /occupations', { body: { id, action: 'fill' } });
      const foreign = newId();
      const ids = [nameless.id, empty.id, foreign, filled.id, filled.id.toUpperCase()];
      const answers = await admin.api('POST /occupations/bulk', { body: { ids, action: 'send' } });
      expect(answers.map(({ id, ok, problem }) => [id, ok, problem?.code ?? null])).toEqual([
        [nameless.id, false, 'receiver-needed'],
        [empty.id, false, 'occupation-transition'],
        [foreign, false, 'not-found'],
        [filled.id, true, null],
      ]);
      expect(answers[3]?.occupation).toMatchObject({ id: filled.id, stageName: 'CONTACTING' });
      expect(await stageOf(empty.id)).toBe('RESERVED');

      const ended = await admin.api('POST /occupations/bulk', {
        body: { ids: [filled.id, empty.id], action: 'delete', reason: 'Closing' },
      });
      expect(ended.map(({ ok, occupation }) => [ok, occupation?.stageName])).toEqual([
        [true, 'TERMINATED'],
        [true, 'TERMINATED'],
      ]);
    });

    it('is each time asked of who may', async () => {
      const [near = '', far = ''] = await wall(2);
      const [mine, other] = [await delivery(near), await delivery(far)];
      const ids = [mine.id, other.id];
      const codes = async (who: TestPerson) =>
        (await who.api('POST /occupations/bulk', { body: { ids, action: 'fill' } })).map(({ problem }) => problem?.code ?? 'done');
      expect(await codes(stranger)).toEqual(['not-found', 'not-found']);
      expect(await codes(await ours.person(['lending_manager']))).toEqual(['not-found', 'not-found']);
      expect(await codes(await ours.scoped(['lending'], [near]))).toEqual(['forbidden', 'not-found']);
      expect(await stageOf(mine.id)).toBe('RESERVED');
      expect(await codes(await ours.scoped(['delivery'], [near]))).toEqual(['done', 'not-found']);
      expect([await stageOf(mine.id), await stageOf(other.id)]).toEqual(['FILLED', 'RESERVED']);
      const reader = await admin.api('POST /key', { body: { name: unique(), scopes: ['read'] } });
      expect(await refusal(server.as(reader.secret)('POST /occupations/bulk', { body: { ids, action: 'fill' } }))).toEqual([
        403,
        'forbidden',
      ]);
    });

    it('asked again with the same key answers the same and does nothing twice', async () => {
      const lockers = await wall(3);
      const ids = await Promise.all(lockers.map(async (id) => (await delivery(id)).id));
      const ask = (action: 'fill' | 'empty') => admin.api('POST /occupations/bulk', { body: { ids, action }, idempotencyKey: 'bulk-1' });
      const first = await ask('fill');
      expect(first.map(({ ok }) => ok)).toEqual([true, true, true]);
      expect(await ask('fill')).toEqual(first);
      expect(await refusal(ask('empty'))).toEqual([422, 'key-reused']);
      // Two at once: each occupation is moved by one of them.
      const both = await Promise.all([0, 1].map(() => admin.api('POST /occupations/bulk', { body: { ids, action: 'publish' } })));
      for (const id of ids) expect(both.filter((answers) => answers.find((one) => one.id === id)?.ok)).toHaveLength(1);
    });

    it('cut off in the middle and asked again, does what is left: nobody is sent a second message', async () => {
      const made = await Promise.all((await wall(2)).map((lockerId) => delivery(lockerId)));
      for (const { id } of made) await admin.api('PUT /occupations', { body: { id, action: 'fill' } });
      const body = { ids: made.map(({ id }) => id), action: 'send' as const };
      const key = unique();
      const once = () => admin.api('POST /occupations/bulk', { body, idempotencyKey: key });
      const answers = await once();
      // Until what was sent has come to its end nobody may be sent another.
      for (const { id } of made) await expect.poll(() => stageOf(id)).not.toBe('CONTACTING');
      const sql = (text: string) => query(server.database.ownerUrl, text, [key]);
      // As a process leaves it that was killed after the first of them.
      await sql(`update idempotency set state = 'running', created_at = created_at - interval '31 seconds' where key = $1`);
      await query(server.database.ownerUrl, `delete from idempotency where key = $1`, [`${key} ${made[1]?.id}`]);
      const again = await once();
      expect(again[0]).toEqual(answers[0]);
      expect(again.map(({ ok }) => ok)).toEqual([true, true]);
      const sent = await Promise.all(made.map(({ id }) => admin.api('GET /messages', { query: { q: { occupationId: id } } })));
      expect(sent.map((messages) => messages.length)).toEqual([1, 2]);
    });

    it('takes 200 at most, and at least one', async () => {
      const ask = (ids: string[]) => refusal(admin.api('POST /occupations/bulk', { body: { ids, action: 'send' } }));
      expect(await ask([])).toEqual([400, 'malformed']);
      expect(await ask(Array.from({ length: 201 }, newId))).toEqual([400, 'malformed']);
    });
  });

  describe('a search for occupations', () => {
    it('knows the asset by the name that it has now, beside the receiver, and nobody else’s', async () => {
      const [a = '', b = ''] = await wall(2);
      const mark = unique();
      const asset = await admin.api('POST /assets', {
        body: { name: `Theodolite ${mark}`, identifiers: [{ kind: 'ean', value: `E${mark}` }] },
      });
      const made = await delivery(a, { assetId: asset._id, assetText: undefined as never });
      await delivery(b, { assetText: `Parcel ${mark}` });
      const found = async ($text: string, who = admin) =>
        (await who.api('GET /occupations', { query: { q: { $text } } })).map((one) => one.id);
      expect(await found(`theod ${mark}`)).toEqual([made.id]);
      expect(await found(`kari theod`)).toEqual([made.id]);
      expect(await found(`E${mark}`)).toEqual([made.id]);
      expect(await found(`theod nobody`)).toEqual([]);
      expect(await found(`theod ${mark}`, stranger)).toEqual([]);
      await admin.api('PUT /assets/{_id}', { params: { _id: asset._id }, body: { name: `Level ${mark}`, version: 1 } });
      expect(await found(`theod`)).toEqual([]);
      expect(await found(`level ${mark}`)).toEqual([made.id]);
      expect((await admin.api('POST /occupations/find', { body: { scan: `level ${mark}` } })).map((one) => one.id)).toEqual([made.id]);
      expect(await found('¤%&')).toEqual([]);
    });
  });
});

// The moments between looking for a door and having it, each held open by a transaction of the test's own.
describe('the best door', () => {
  const walls: TestCabinet[] = [];
  const wall = async (doors: number) => {
    const made = await testCabinet(server, admin.api, doors);
    walls.push(made);
    return made;
  };
  afterAll(() => walls.forEach((one) => one.end()));

  const take = (cabinetId: string) => admin.api('POST /occupations', { body: { type: 'delivery', size: 'M', cabinetId } });

  it('is none that somebody can open by a link, as long as the link may open; whoever chooses it by hand has it', async () => {
    const { id: cabinetId, lockers } = await wall(2);
    const [first, second] = lockers;
    if (!first || !second) throw new Error('no locker');
    const link = await admin.api('POST /links', { body: { name: 'Cleaner', purpose: 'open', lockerIds: [first.id], maxUses: 5 } });
    const read = () => admin.api('GET /lockers/{id}', { params: { id: first.id } });
    expect((await read()).openLinkUntil).toBe(link.validTo);
    expect((await take(cabinetId)).lockerId).toBe(second.id);
    expect(await refusal(take(cabinetId))).toEqual([409, 'no-free-locker']);
    const byHand = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: first.id } });
    expect(byHand.lockerId).toBe(first.id);
    await admin.api('DELETE /occupations/{id}', { params: { id: byHand.id }, body: {} });
    await admin.api('DELETE /links/{id}', { params: { id: link.id } });
    expect((await read()).openLinkUntil).toBeNull();
    expect((await take(cabinetId)).lockerId).toBe(first.id);
  });

  it('is found in the order of the rule: reach first, then tags by the numbers in them, whatever their length and case', async () => {
    const { id: cabinetId, lockers } = await wall(8);
    const tags = ['A10', 'b9', 'A9', 'B-2', 'a1', 'A-3', 'A9b', 'B10'];
    const doors: Candidate[] = [];
    for (const [at, { id }] of lockers.entries()) {
      const { version } = await admin.api('GET /lockers/{id}', { params: { id } });
      const reach = at % 3 === 0 ? 'low' : 'middle';
      const body = { version, doorTag: tags[at] ?? '', reach } as const;
      const { doorTag, size, connection, door, content } = await admin.api('PUT /lockers/{id}', { params: { id }, body });
      doors.push({ id, cabinetId, doorTag, size, reach, connection, door, content, services: [], outOfService: false, occupied: false, failing: false, linked: false }); // prettier-ignore
    }
    const wish = { size: 'M', service: 'delivery', cabinetId, not: [] } as const;
    const got: string[] = [];
    for (let n = 0; n < doors.length; n++) got.push((await take(cabinetId)).doorTag);
    expect(got).toEqual(ranked(doors, wish).map(({ doorTag }) => doorTag));
  });

  /** Runs `meanwhile` while a transaction holds what `hold` took, which ends as `end` says. */
  const meanwhileHeld = async <T>(
    hold: (tx: Tx) => Promise<unknown>,
    meanwhile: (tx: Tx) => Promise<T>,
    end: (tx: Tx) => Promise<unknown>,
  ): Promise<T> => {
    const held = Promise.withResolvers<Tx>();
    const done = Promise.withResolvers<void>();
    const holding = server.deps.db
      .tenant(ours.id, async (tx) => {
        await hold(tx);
        held.resolve(tx);
        await done.promise;
        await end(tx);
      })
      .catch((error: unknown) => held.reject(error));
    const tx = await held.promise;
    try {
      return await meanwhile(tx);
    } finally {
      done.resolve();
      await holding;
    }
  };
  const lockRows = (ids: string[]) => (tx: Tx) => sql`select id from lockers where id = any(${ids}::uuid[]) for update`.execute(tx);
  const nothing = () => Promise.resolve();
  const undo = () => Promise.reject(new Error('undone'));
  /** Until it is so; a call that has ended by then is told by its own answer. */
  const until = async (call: Promise<unknown>, so: () => Promise<boolean>): Promise<void> => {
    let ended = false;
    const end = () => {
      ended = true;
    };
    call.then(end, end);
    await expect.poll(async () => ended || (await so()), { interval: 5 }).toBe(true);
  };

  it('a door for deliveries is found for self-service, one for self-service alone for no delivery', async () => {
    const { id, lockers } = await wall(2);
    const only = async (at: number, service: 'delivery' | 'selfservice') => {
      const door = await admin.api('GET /lockers/{id}', { params: { id: lockers[at]?.id ?? '' } });
      await admin.api('PUT /lockers/{id}', { params: { id: door.id }, body: { version: door.version, services: [service] } });
      return door.id;
    };
    const parcels = await only(0, 'delivery');
    const desk = await only(1, 'selfservice');
    const parcel = await take(id);
    expect(parcel.lockerId).toBe(parcels);
    expect(await refusal(take(id))).toEqual([409, 'no-free-locker']);
    const served = () => admin.api('POST /occupations', { body: { type: 'delivery', service: 'selfservice', size: 'M', cabinetId: id } });
    expect(await served()).toMatchObject({ lockerId: desk });
    await admin.api('DELETE /occupations/{id}', { params: { id: parcel.id }, body: {} });
    expect(await served()).toMatchObject({ lockerId: parcels });
  });

  it('a door that somebody else is about to take is passed by, not waited for', async () => {
    const { id, lockers } = await wall(2);
    const first = await take(id);
    await admin.api('DELETE /occupations/{id}', { params: { id: first.id }, body: {} });
    const got = await meanwhileHeld(lockRows([first.lockerId]), () => take(id), nothing);
    expect(got.lockerId).toBe(lockers.find((one) => one.id !== first.lockerId)?.id);
  });

  /** Each look at that locker waits for a turn, and began before it: `meanwhile` comes between the look and its lock. */
  const betweenLookAndLock = async <T>(lockerId: string, call: () => Promise<T>, meanwhile: (tx: Tx) => Promise<unknown>): Promise<T> => {
    const turn = 4_711;
    await query(
      server.database.ownerUrl,
      `create policy waits on lockers as restrictive using (id <> '${lockerId}' or pg_advisory_xact_lock_shared(${turn}) is not null)`,
    );
    const called = await meanwhileHeld(
      (tx) => sql`select pg_advisory_xact_lock(${turn})`.execute(tx),
      async (tx) => {
        const pending = call();
        await until(pending, async () => (await waitersFor(server.database.ownerUrl, tx)) > 0);
        return { pending };
      },
      meanwhile,
    );
    const answer = await called.pending;
    await query(server.database.ownerUrl, 'drop policy waits on lockers');
    return answer;
  };

  it('a door that was taken between the look and the lock is somebody else’s: the next best is given', async () => {
    const { id, lockers } = await wall(2);
    const first = await take(id);
    await admin.api('DELETE /occupations/{id}', { params: { id: first.id }, body: {} });
    const scope = systemScope(ours.id, server.deps.now().toISOString());
    const taken = await betweenLookAndLock(
      first.lockerId,
      () => take(id),
      (tx) => registerIn(tx, server.deps, scope, { type: 'delivery', lockerId: first.lockerId }, null),
    );
    expect(taken.lockerId).toBe(lockers.find((one) => one.id !== first.lockerId)?.id);
  });

  it('a door that was only written between the look and the lock is free still', async () => {
    const { id, lockers } = await wall(1);
    const lockerId = lockers[0]?.id ?? '';
    const wish = { size: 'M', service: 'delivery', cabinetId: id, not: [] } as const;
    const taken = await betweenLookAndLock(
      lockerId,
      () => server.deps.db.tenant(ours.id, (tx) => takeBest(tx, ours.id, wish, null, false)),
      (tx) => sql`update lockers set version = version + 1 where id = ${lockerId}`.execute(tx),
    );
    expect(taken?.lockerId).toBe(lockerId);
  });

  it('where all that is left is held, it is looked at again, with no transaction open meanwhile: what came to nothing is given', async () => {
    const { id, lockers } = await wall(1);
    let call: ReturnType<typeof take> | undefined;
    const [clock] = await query<{ at: string }>(server.database.ownerUrl, 'select clock_timestamp()::text as at');
    const gaveUp = `select 1 from pg_stat_activity
    where datname = current_database() and state = 'idle' and query ilike 'rollback' and state_change > '${clock?.at}'`;
    await meanwhileHeld(
      lockRows(lockers.map((one) => one.id)),
      async () => {
        call = take(id);
        await until(call, async () => (await query(server.database.ownerUrl, gaveUp)).length > 0);
      },
      undo,
    );
    expect((await call)?.lockerId).toBe(lockers[0]?.id);
  });
});
