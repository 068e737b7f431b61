import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '@hatchway/contract/client.ts';
import { query } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  stranger = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

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

    const ended = await admin.api('POST /occupations/bulk', { body: { ids: [filled.id, empty.id], action: 'delete', reason: 'Closing' } });
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
