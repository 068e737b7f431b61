import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssetGroupInput } from '@hatchway/contract/asset-groups.ts';
import { ApiError } from '@hatchway/contract/client.ts';
import { newId } from '../../ids.ts';
import { listen } from '../../live/test-listener.ts';
import { refusal, testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
let admin: TestPerson;
let keeper: TestPerson;
beforeAll(async () => {
  server = await testServer();
  const ours = await testCompany(server);
  admin = await ours.person(['admin']);
  keeper = await ours.person(['asset_manager']);
});
afterAll(() => server.stop());

const group = () => admin.api('POST /asset-groups', { body: { name: `Tools ${unique()}`, description: 'What drills' } });
const asset = (assetGroupIds: string[]) => keeper.api('POST /assets', { body: { name: 'Drill', assetGroupIds } });
const countOf = async (id: string) => (await keeper.api('GET /asset-groups', { query: { q: { id } } }))[0]?.count;

describe('asset groups', () => {
  // shows R7.66, R7.67, R7.68, R7.69, R3.15
  it('are made, listed by name, changed and deleted', async () => {
    const { id, name } = await group();
    expect((await keeper.api('GET /asset-groups', { query: { sort: 'name' } })).find((one) => one.id === id)).toMatchObject({
      name,
      description: 'What drills',
      count: 0,
    });
    const changed = await admin.api('PUT /asset-groups/{id}', { params: { id }, body: { name: `${name}!`, description: 'All else' } });
    expect(changed).toMatchObject({ id, name: `${name}!`, description: 'All else' });
    await admin.api('DELETE /asset-groups/{id}', { params: { id } });
    expect(await keeper.api('GET /asset-groups', { query: { q: { id } } })).toEqual([]);
    expect(await refusal(admin.api('DELETE /asset-groups/{id}', { params: { id } }))).toEqual([404, 'not-found']);
  });

  // shows R5.21
  it('have a description that may be empty, and may not be left out', async () => {
    const name = unique();
    const { id, description } = await admin.api('POST /asset-groups', { body: { name, description: '' } });
    expect(description).toBe('');
    const params = { id };
    expect(await admin.api('PUT /asset-groups/{id}', { params, body: { name, description: ' ' } })).toMatchObject({ description: '' });
    const without = { params, body: { name } as AssetGroupInput };
    await expect(admin.api('PUT /asset-groups/{id}', without)).rejects.toThrow('Missing / Format issue of description');
  });

  it('are found by the beginning of a word of their name or description', async () => {
    const { id } = await admin.api('POST /asset-groups', { body: { name: `Zebra saws ${unique()}`, description: 'For crossings' } });
    const find = (words: string) =>
      keeper.api('GET /asset-groups', { query: { q: { $text: words } } }).then((rows) => rows.map((row) => row.id));
    expect(await find('zeb')).toEqual([id]);
    expect(await find('crossings zebra')).toEqual([id]);
    expect(await find('ebra')).toEqual([]);
  });

  it('have a name of their own, whatever its case, also when two make it at once', async () => {
    const { id, name } = await group();
    const body = { name: name.toUpperCase(), description: 'Again' };
    expect(await refusal(admin.api('POST /asset-groups', { body }))).toEqual([409, 'name-taken']);
    const other = await group();
    expect(await refusal(admin.api('PUT /asset-groups/{id}', { params: { id: other.id }, body }))).toEqual([409, 'name-taken']);
    expect(await admin.api('PUT /asset-groups/{id}', { params: { id }, body })).toMatchObject({ name: name.toUpperCase() });
    const twice = { name: unique(), description: 'Both' };
    const made = await Promise.allSettled([1, 2].map(() => admin.api('POST /asset-groups', { body: twice })));
    expect(made.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('count the assets that name them; an asset that says nothing of groups stays where it is', async () => {
    const [a, b] = [await group(), await group()];
    const { _id, version } = await asset([a.id, a.id]);
    await asset([a.id]);
    expect([await countOf(a.id), await countOf(b.id)]).toEqual([2, 0]);
    const named = await keeper.api('PUT /assets/{_id}', { params: { _id }, body: { name: 'Hammer', version } });
    expect(named.assetGroupIds).toEqual([a.id]);
    const body = { name: 'Hammer', version: named.version };
    const moved = await keeper.api('PUT /assets/{_id}', { params: { _id }, body: { ...body, assetGroupIds: [b.id] } });
    expect(moved.assetGroupIds).toEqual([b.id]);
    expect([await countOf(a.id), await countOf(b.id)]).toEqual([1, 1]);
    const found = await keeper.api('GET /assets', { query: { q: { assetGroupIds: b.id } } });
    expect(found.map((one) => one._id)).toEqual([_id]);
    const all = await keeper.api('GET /assets', { query: { limit: 500 } });
    const fits = async (assetGroupIds: unknown) => {
      const rows = await keeper.api('GET /assets', { query: { q: { assetGroupIds }, limit: 500 } });
      return rows.map((one) => one._id);
    };
    const where = (fit: (groups: readonly string[]) => boolean) => all.filter((one) => fit(one.assetGroupIds)).map((one) => one._id);
    expect(await fits({ $in: [a.id, b.id] })).toEqual(where((groups) => groups.includes(a.id) || groups.includes(b.id)));
    expect(await fits({ $ne: b.id })).toEqual(where((groups) => !groups.includes(b.id)));
    expect(await fits(null)).toEqual(where((groups) => groups.length === 0));
    expect(await fits({ $ne: null, $in: [b.id] })).toEqual([_id]);
    const out = { ...body, version: moved.version, assetGroupIds: [] };
    expect((await keeper.api('PUT /assets/{_id}', { params: { _id }, body: out })).assetGroupIds).toEqual([]);
    await keeper.api('DELETE /assets/{id}', { params: { id: _id } });
    expect(await countOf(b.id)).toBe(0);
  });

  it('take in no asset by the id of none', async () => {
    const own = await group();
    expect(await refusal(asset([own.id, newId()]))).toEqual([422, 'unknown-reference']);
    expect(await countOf(own.id)).toBe(0);
  });

  it('are deleted from under their assets, which go a version further', async () => {
    const { id } = await group();
    const { _id, version } = await asset([id]);
    await admin.api('DELETE /asset-groups/{id}', { params: { id } });
    expect(await keeper.api('GET /assets/{id}', { params: { id: _id } })).toMatchObject({ assetGroupIds: [], version: version + 1 });
    const late = keeper.api('PUT /assets/{_id}', { params: { _id }, body: { name: 'Late', version } });
    expect(await refusal(late)).toEqual([409, 'stale']);
  });

  it('are deleted while assets come and go', async () => {
    const groups = await Promise.all(Array.from({ length: 4 }, () => group()));
    const ids = groups.map((one) => one.id);
    const assets = await Promise.all(Array.from({ length: 4 }, () => asset(ids.slice(0, 2))));
    const moved = assets.map(({ _id, version }) =>
      keeper.api('PUT /assets/{_id}', { params: { _id }, body: { name: 'Moved', version, assetGroupIds: ids.slice(1, 3) } }).then(
        () => 'moved',
        (error: unknown) => (error instanceof ApiError ? error.problem?.code : String(error)),
      ),
    );
    await Promise.all(ids.map((id) => admin.api('DELETE /asset-groups/{id}', { params: { id } })));
    for (const outcome of await Promise.all(moved)) expect(['moved', 'stale', 'unknown-reference']).toContain(outcome);
    for (const { _id } of assets) expect((await keeper.api('GET /assets/{id}', { params: { id: _id } })).assetGroupIds).toEqual([]);
  });

  it('are an administrator’s to change, and told to whoever listens', async () => {
    const body = { name: unique(), description: 'Mine' };
    expect(await refusal(keeper.api('POST /asset-groups', { body }))).toEqual([403, 'forbidden']);
    const listener = await listen(server.url, keeper.token);
    expect(await listener.ask({ topic: 'subscribe', event: 'asset-groups' })).toBeNull();
    const made = await admin.api('POST /asset-groups', { body });
    await expect.poll(() => listener.events).toEqual([{ topic: 'event', subscription: 'asset-groups', method: 'POST', data: made }]);
    await admin.api('DELETE /asset-groups/{id}', { params: { id: made.id } });
    await expect.poll(() => listener.events.at(-1)).toMatchObject({ method: 'DELETE', data: { id: made.id } });
    listener.close();
  });
});
