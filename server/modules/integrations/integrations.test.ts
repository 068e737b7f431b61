import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { query } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let everything: TestPerson;
let stranger: TestPerson;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  everything = await ours.person(['all']);
  stranger = await (await testCompany(server)).person(['admin']);
});
afterAll(() => server.stop());

type Body = { settings: Record<string, string | boolean>; secrets?: Record<string, string | null> };
const setUp = (kind: string, body: Body, who = admin) => who.api('POST /integrations/{kind}', { params: { kind }, body });
const change = (kind: string, _id: string, body: Body, who = admin) =>
  who.api('PUT /integrations/{kind}/{_id}', { params: { kind, _id }, body });
const remove = (kind: string, _id: string, who = admin) => who.api('DELETE /integrations/{kind}/{_id}', { params: { kind, _id } });
const VIPPS = {
  settings: { merchantSerialNumber: '123456', clientId: 'client' },
  secrets: { clientSecret: 's3cret-words', subscriptionKey: 'k3y' },
};

describe('an integration', () => {
  // shows R3.12, R7.49, R7.50, R7.51
  it('is set up, changed and disconnected; what it says of its state is true', async () => {
    const made = await setUp('vipps', VIPPS);
    expect(made).toMatchObject({
      kind: 'vipps',
      type: 'payment',
      state: 'unverified',
      settings: { merchantSerialNumber: '123456', clientId: 'client', testMode: false },
      secrets: { clientSecret: true, subscriptionKey: true },
      lastSyncAt: null,
    });
    expect((await admin.api('GET /integrations', { query: { q: { type: 'payment' } } })).map((one) => one._id)).toEqual([made._id]);
    expect(await admin.api('GET /integrations', { query: { q: { type: 'shop' } } })).toEqual([]);
    expect((await admin.api('GET /integrations', { query: { type: 'payment', q: { kind: 'vipps' } } })).map((one) => one._id)).toEqual([
      made._id,
    ]);
    expect(await admin.api('GET /integrations', { query: { type: 'shop' } })).toEqual([]);
    expect(await refusal(admin.api('GET /integrations', { query: { type: 'nothing' as never } }))).toEqual([400, 'malformed']);
    expect(await refusal(setUp('vipps', VIPPS))).toEqual([409, 'name-taken']);
    const beside = await setUp('tcm', { settings: { url: 'https://tool.example.test' } });
    const changed = await change('vipps', made._id, {
      settings: { ...VIPPS.settings, testMode: true },
      secrets: { subscriptionKey: null },
    });
    expect(changed).toMatchObject({ settings: { testMode: true }, secrets: { clientSecret: true, subscriptionKey: false }, version: 2 });
    expect(await admin.api('GET /integrations', { query: { q: { kind: 'tcm' } } })).toEqual([beside]);
    await remove('tcm', beside._id);
    const test = (kind: string, _id: string) => admin.api('POST /integrations/{kind}/{_id}/test', { params: { kind, _id }, body: {} });
    expect(await test('vipps', made._id)).toMatchObject({ state: 'failing', lastError: 'keys-missing', hasWebhook: false });
    expect(await refusal(test('tcm', made._id))).toEqual([404, 'not-found']);
    await remove('vipps', made._id);
    expect(await admin.api('GET /integrations')).toEqual([]);
    expect(await refusal(remove('vipps', made._id))).toEqual([404, 'not-found']);
  });

  it('keeps its secrets to itself: sealed in the table, in no answer, and kept for their address where nothing new is given', async () => {
    const made = await setUp('snipeit', { settings: { url: 'https://assets.example.test/' }, secrets: { token: 'a-secret-t0ken' } });
    const changed = await change('snipeit', made._id, { settings: { url: 'https://assets.example.test' } });
    expect(changed).toMatchObject({ secrets: { token: true }, settings: { url: 'https://assets.example.test' } });
    const list = await admin.api('GET /integrations');
    expect(JSON.stringify([made, changed, list])).not.toContain('t0ken');
    const rows = await query<{ settings: object; secrets_sealed: Buffer }>(server.database.ownerUrl, 'select * from integrations');
    expect(JSON.stringify(rows[0]?.settings)).not.toContain('t0ken');
    expect(rows[0]?.secrets_sealed.toString('latin1')).not.toContain('t0ken');
    expect(JSON.parse(server.deps.seal.open(rows[0]?.secrets_sealed ?? Buffer.alloc(0)) ?? '{}')).toEqual({ token: 'a-secret-t0ken' });
    // Whoever names another address does not have the secret sent there: it is one for the old address.
    const moved = await change('snipeit', made._id, { settings: { url: 'https://tool.example.test' } });
    expect(moved).toMatchObject({ secrets: { token: false }, settings: { url: 'https://tool.example.test' } });
    const anew = await change('snipeit', made._id, { settings: { url: 'https://new.example.test' }, secrets: { token: 'another' } });
    expect(anew).toMatchObject({ secrets: { token: true } });
    expect(await change('snipeit', made._id, { settings: { url: 'https://assets.example.test' } })).toMatchObject({
      secrets: { token: false },
    });
    await remove('snipeit', made._id);
  });

  it.each([
    ['vipps', { settings: { merchantSerialNumber: 'abc', clientId: 'x' } }, '/settings/merchantSerialNumber'],
    ['vipps', { settings: { clientId: 'x' } }, '/settings/merchantSerialNumber'],
    ['vipps', { settings: { ...VIPPS.settings, nosuch: 'x' } }, '/settings/nosuch'],
    ['vipps', { settings: VIPPS.settings, secrets: { token: 'x' } }, '/secrets/token'],
    ['woo', { settings: { url: 'http://shop.example.test' } }, '/settings/url'],
    ['woo', { settings: { url: 'https://user:pass@shop.example.test' } }, '/settings/url'],
    ['tcm', { settings: { url: 'javascript:alert(1)' } }, '/settings/url'],
    ['tcm', { settings: { url: 'https://tool.example.test/?key=1' } }, '/settings/url'],
  ])('%s refuses %j, and names the place', async (kind, body, pointer) => {
    const error = await setUp(kind, body as Body).catch((one: unknown) => one);
    if (!(error instanceof ApiError)) throw new Error('expected a refusal');
    expect([error.status, error.problem?.code, error.problem?.errors?.map((one) => one.pointer)]).toEqual([400, 'malformed', [pointer]]);
  });

  it('is found under its own kind and company alone', async () => {
    const { _id } = await setUp('tcm', { settings: { url: 'https://tool.example.test' } });
    const body = { settings: { url: 'https://evil.example.test' } };
    expect(await refusal(change('snipeit', _id, body))).toEqual([404, 'not-found']);
    expect(await refusal(change('nosuch', _id, body))).toEqual([404, 'not-found']);
    expect(await refusal(setUp('nosuch', body))).toEqual([404, 'not-found']);
    expect(await refusal(change('tcm', _id, body, stranger))).toEqual([404, 'not-found']);
    expect(await refusal(remove('tcm', _id, stranger))).toEqual([404, 'not-found']);
    expect(await stranger.api('GET /integrations')).toEqual([]);
    expect(await refusal(change('tcm', newId(), body))).toEqual([404, 'not-found']);
    for (const call of [
      () => setUp('woo', body, everything),
      () => change('tcm', _id, body, everything),
      () => remove('tcm', _id, everything),
    ])
      expect(await refusal(call())).toEqual([403, 'forbidden']);
    expect(await refusal(everything.api('GET /integrations'))).toEqual([403, 'forbidden']);
    expect((await admin.api('GET /integrations'))[0]).toMatchObject({ settings: { url: 'https://tool.example.test' } });
    await remove('tcm', _id);
  });

  it('is made once where two make it at once, and by the version that was seen', async () => {
    const body = { settings: { url: 'https://tool.example.test' } };
    const made = await Promise.allSettled([setUp('tcm', body), setUp('tcm', body)]);
    expect(made.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [row] = await admin.api('GET /integrations');
    if (!row) throw new Error('none was made');
    const params = { kind: 'tcm', _id: row._id };
    await admin.api('PUT /integrations/{kind}/{_id}', { params, body: { ...body, version: row.version } });
    const late = admin.api('PUT /integrations/{kind}/{_id}', { params, body: { ...body, version: row.version } });
    expect(await refusal(late)).toEqual([409, 'stale']);
    await remove('tcm', row._id);
  });
});

// shows R3.17, R5.24, R7.75, R7.76, R7.77
it('the directory is named, named anew and let go', async () => {
  expect(await admin.api('GET /integrations/entra')).toMatchObject({ tid: null, state: 'not-connected' });
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
  expect(await admin.api('POST /integrations/entra', { body: { tid: one } })).toMatchObject({ tid: one, state: 'unverified' });
  expect(await admin.api('POST /integrations/entra', { body: { tid: two } })).toMatchObject({ tid: two });
  expect(await admin.api('GET /integrations', { query: { q: { type: 'directory' } } })).toHaveLength(1);
  expect(await stranger.api('GET /integrations/entra')).toMatchObject({ tid: null });
  expect(await refusal(admin.api('POST /integrations/entra', { body: { tid: 'not a directory' } }))).toEqual([400, 'malformed']);
  await expect(admin.api('POST /integrations/entra', { body: {} as { tid: string } })).rejects.toThrow('Missing / Format issue of tid');
  const beside = await setUp('vipps', VIPPS);
  await admin.api('DELETE /integrations/entra');
  expect(await admin.api('GET /integrations/entra')).toMatchObject({ tid: null, state: 'not-connected' });
  expect(await admin.api('GET /integrations')).toEqual([beside]);
  await remove('vipps', beside._id);
  expect(await refusal(admin.api('DELETE /integrations/entra'))).toEqual([404, 'not-found']);
});

// shows R5.19
it('an update without an id is refused before it is sent', async () => {
  await expect(change('vipps', '', VIPPS)).rejects.toThrow('Missing object ID');
});

// shows R7.52
it('the shop’s approval and its orders: nothing without a shop, and its own address with one', async () => {
  expect(await refusal(admin.api('GET /woo/url'))).toEqual([409, 'not-connected']);
  expect(await everything.api('GET /orders')).toEqual([]);
  await setUp('woo', { settings: { url: 'https://shop.example.test/' } });
  expect((await admin.api('GET /woo/url')).url).toMatch(/^https:\/\/shop\.example\.test\/wc-auth\/v1\/authorize\?/);
  expect(await everything.api('GET /orders')).toEqual([]);
  expect(await refusal(stranger.api('GET /woo/url'))).toEqual([409, 'not-connected']);
});
