import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../db/test-database.ts';
import { testCabinet, type TestCabinet } from '../test-cabinet.ts';
import { Problem } from './problem.ts';
import { answerOnce } from './idempotency.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../test-company.ts';
import { testServer, unique, UNANSWERED, type TestServer } from '../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
let late = 0;
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + late) });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  wall = await testCabinet(server, admin.api, 5);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const make = (name: string, idempotencyKey: string, api = admin.api) => api('POST /assets', { body: { name }, idempotencyKey });
const named = (name: string) => admin.api('GET /assets', { query: { q: { name } } });
const change = (set: string, key: string) => query(server.database.ownerUrl, `update idempotency set ${set} where key = $1`, [key]);

describe('an Idempotency-Key', () => {
  it('makes one of many at once, and answers them all the same', async () => {
    const [name, key] = [unique(), unique()];
    const answers = await Promise.all(Array.from({ length: 8 }, () => make(name, key)));
    expect(new Set(answers.map((answer) => answer._id)).size).toBe(1);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await named(name)).toHaveLength(1);
  });

  it('is bound to its body, pictures included', async () => {
    const [name, key] = [unique(), unique()];
    await make(name, key);
    expect(await refusal(make(`${name}!`, key))).toEqual([422, 'key-reused']);
    const picture = async (background: string) =>
      new Blob([
        new Uint8Array(
          await sharp({ create: { width: 10, height: 10, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      ]);
    const form = async (background: string) =>
      admin.api('POST /assets', { body: { name }, image: await picture(background), idempotencyKey: `${key}-form` });
    const first = await form('red');
    expect((await form('red'))._id).toBe(first._id);
    expect(await refusal(form('blue'))).toEqual([422, 'key-reused']);
  });

  it('is its caller’s own, and its address’s', async () => {
    const key = unique();
    const other = await ours.person(['admin']);
    const stranger = await (await testCompany(server)).person(['admin']);
    const { secret } = await admin.api('POST /key', { body: { name: 'K', scopes: ['admin:assets'] } });
    const made = await Promise.all([admin.api, other.api, stranger.api, server.as(secret)].map((api) => make('Same', key, api)));
    expect(new Set(made.map((one) => one._id)).size).toBe(4);
    await admin.api('POST /groups', { body: { name: unique() }, idempotencyKey: key });
  });

  it('repeats no answer to whoever lost a right since: it may be of a locker that is none of theirs', async () => {
    const [taken, left] = [(await wall.free()).id, (await wall.free()).id];
    const somebody = await ours.scoped(['delivery'], [taken, left]);
    const [key, other] = [unique(), unique()];
    const put = (lockerId: string, idempotencyKey: string) =>
      somebody.api('POST /occupations', { body: { type: 'delivery', lockerId, assetText: 'Parcel' }, idempotencyKey });
    const made = await put(taken, key);
    expect(await put(taken, key)).toEqual(made);
    await query(
      server.database.ownerUrl,
      `update permissions set locker_ids = $2 where group_ids && array(select group_id from group_members where account_id = $1)`,
      [somebody.accountId, [left]],
    );
    expect(await refusal(put(taken, key))).toEqual([409, 'done-already']);
    expect((await put(left, other)).id).toBe((await put(left, other)).id);
  });

  it('is free again after a refusal', async () => {
    const [name, key] = [unique(), unique()];
    const { id } = await admin.api('POST /groups', { body: { name } });
    const again = () => admin.api('POST /groups', { body: { name }, idempotencyKey: key });
    expect(await refusal(again())).toEqual([409, 'name-taken']);
    await admin.api('DELETE /groups/{id}', { params: { id } });
    expect(await again()).toMatchObject({ name });
  });

  it('repeats that a cabinet did not answer, and asks its door no second time', async () => {
    const lot = await wall.free();
    wall.mode = 'silent';
    const key = unique();
    const open = () =>
      refusal(admin.api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag }, idempotencyKey: key }));
    expect(await server.paced(UNANSWERED, open)).toEqual([504, 'no-answer']);
    wall.mode = 'obey';
    expect(await open()).toEqual([504, 'no-answer']);
    // Nobody knows that it was done, so that is not said to whoever holds other rights by now either.
    await query(server.database.ownerUrl, `update idempotency set answer = answer || '{"rights":"others"}' where key = $1`, [key]);
    expect(await open()).toEqual([504, 'no-answer']);
    const asked = await query(server.database.ownerUrl, 'select from commands where locker_id = $1', [lot.id]);
    expect(asked).toHaveLength(1);
  });

  it('of a door whose call was cut off opens it no second time, however late it comes again; a cabinet that was away is asked once it is back', async () => {
    const lot = await wall.free();
    const open = (key: string) =>
      admin.api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag }, idempotencyKey: key });
    const key = unique();
    await open(key);
    // As a process leaves it that was killed while it waited for the door.
    await change(`state = 'running', status = null, headers = null, answer = null, created_at = created_at - interval '31 seconds'`, key);
    expect(await refusal(open(key))).toEqual([504, 'no-answer']);
    expect(await query(server.database.ownerUrl, 'select from commands where locker_id = $1', [lot.id])).toHaveLength(1);
    const away = unique();
    const paired = (hash: string) =>
      query(server.database.ownerUrl, `update cabinets set credential_hash = ${hash} where id = (select cabinet_id from lockers where id = $1)`, [lot.id]); // prettier-ignore
    const [was] = await query<{ hash: string }>(
      server.database.ownerUrl,
      `select encode(credential_hash, 'hex') as hash from cabinets where id = (select cabinet_id from lockers where id = $1)`,
      [lot.id],
    );
    await paired('null');
    expect(await refusal(open(away))).toEqual([503, 'cabinet-offline']);
    await paired(`decode('${was?.hash}', 'hex')`);
    expect(await open(away)).toMatchObject({ id: lot.id });
  });

  it('is not free after what nobody foresaw: the work may have been done', async () => {
    const once = {
      tenantId: ours.id,
      caller: 'test',
      method: 'POST',
      path: '/odd',
      key: unique(),
      bodyHash: Buffer.from('x'),
      secret: false,
    };
    const broken = () =>
      answerOnce.outside(server.deps, ours.id, once, server.deps.now().toISOString(), () => Promise.reject(new Error('cut')));
    await expect(broken()).rejects.toThrow('cut');
    await expect(broken()).rejects.toMatchObject({ code: 'still-running' });
  });

  it('of a try that the database was too busy for is free at once, save where a door may have been asked', async () => {
    const once = {
      tenantId: ours.id,
      caller: 'test',
      method: 'POST',
      path: '/busy',
      key: unique(),
      bodyHash: Buffer.from('x'),
      secret: false,
    };
    const busy = (movesDoor: boolean) =>
      answerOnce.outside(server.deps, ours.id, { ...once, path: `/busy/${movesDoor}`, movesDoor }, server.deps.now().toISOString(), () =>
        Promise.reject(new Problem('unavailable', undefined, { retryAfter: 2 })),
      );
    for (const code of ['unavailable', 'unavailable']) await expect(busy(false)).rejects.toMatchObject({ code });
    for (const code of ['unavailable', 'still-running']) await expect(busy(true)).rejects.toMatchObject({ code });
  });

  it('repeats an answer without a body too', async () => {
    const { id } = await admin.api('POST /groups', { body: { name: unique() } });
    const key = unique();
    const put = () =>
      admin.api('POST /groups/{id}/members/{userId}', { params: { id, userId: admin.accountId }, body: {}, idempotencyKey: key });
    expect([await put(), await put()]).toEqual([undefined, undefined]);
  });

  it('never keeps an answer that shows a secret', async () => {
    const [name, key] = [unique(), unique()];
    const post = () => admin.api('POST /key', { body: { name, scopes: ['read'] }, idempotencyKey: key });
    const both = await Promise.allSettled([post(), post()]);
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await refusal(post())).toEqual([409, 'already-created']);
    expect(await admin.api('GET /key', { query: { q: { name } } })).toHaveLength(1);
    const rows = await query<{ row: string }>(server.database.ownerUrl, 'select i::text as row from idempotency i where key = $1', [key]);
    expect(rows.map(({ row }) => row.includes('hw_'))).toEqual([false]);
  });

  it('of a call that was cut off is worked on for a while, then taken up anew', async () => {
    const [name, key] = [unique(), unique()];
    await make(name, key);
    // As a process leaves it that was killed while it waited for the world.
    await change(`state = 'running', status = null, headers = null, answer = null`, key);
    expect(await refusal(make(name, key))).toEqual([409, 'still-running']);
    expect(await refusal(make(`${name}!`, key))).toEqual([422, 'key-reused']);
    await change(`created_at = created_at - interval '31 seconds'`, key);
    await make(name, key);
    expect(await named(name)).toHaveLength(2);
    await make(name, key);
    expect(await named(name)).toHaveLength(2);
  });

  it('of a call that takes very long is still worked on, however late a second one comes', async () => {
    const once = {
      tenantId: ours.id,
      caller: 'test',
      method: 'POST',
      path: '/slow',
      key: unique(),
      bodyHash: Buffer.from('x'),
      secret: false,
    };
    const now = () => server.deps.now().toISOString();
    let done = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const work = async () => {
      await promise;
      return { status: 200, headers: {}, body: { done: ++done } };
    };
    const first = server.paced({ stillMs: 50 }, () => answerOnce.outside(server.deps, ours.id, once, now(), work));
    const began = Date.now();
    const heard = async () =>
      (
        await query<{ at: string }>(server.database.ownerUrl, 'select created_at::text as at from idempotency where key = $1', [once.key])
      )[0]?.at;
    await expect.poll(heard).toBeDefined();
    late = 3600_000;
    await expect.poll(async () => Date.parse((await heard()) ?? '') > began + 3500_000).toBe(true);
    await expect(answerOnce.outside(server.deps, ours.id, once, now(), work)).rejects.toMatchObject({ code: 'still-running' });
    resolve();
    expect((await first).body).toEqual({ done: 1 });
    expect((await answerOnce.outside(server.deps, ours.id, once, now(), work)).body).toEqual({ done: 1 });
    late = 0;
  });

  it('is forgotten after a day', async () => {
    const [name, key] = [unique(), unique()];
    const { secret } = await admin.api('POST /key', { body: { name: 'K', scopes: ['admin:assets', 'read'] } });
    const api = server.as(secret);
    const first = await make(name, key, api);
    late = 23 * 3600_000;
    expect((await make(name, key, api))._id).toBe(first._id);
    late = 25 * 3600_000;
    expect((await make(name, key, api))._id).not.toBe(first._id);
    late = 0;
  });

  it('is text that can be kept', async () => {
    for (const key of ['x'.repeat(201), 'a b', 'å'.repeat(3)])
      expect(await refusal(make('X', key).catch((e: unknown) => Promise.reject(e as Error)))).toEqual([400, 'malformed']);
    const [name, key] = [unique(), unique()];
    const bare = await make(name, key);
    expect((await make(name, `"${key}"`))._id).toBe(bare._id);
  });
});
