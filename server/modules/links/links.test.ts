import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@hatchway/contract/client.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { problemOf, refusal } from '../occupations/test-refusal.ts';

let ahead = 0;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let scoped: TestPerson;
let wall: TestCabinet;
const door = (index: number): string => wall.lockers[index]?.id ?? '';

beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + ahead) });
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  wall = await testCabinet(server, admin.api, 4);
  scoped = await ours.scoped(['manage'], [door(0), door(1)]);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
});

const make = (api: Client, lockerIds: string[], more: Record<string, unknown> = {}) =>
  api('POST /links', { body: { name: 'Plumber', purpose: 'open', lockerIds, ...more } });
const DAY = 24 * 3600_000;

describe('an access link', () => {
  it('is made for a day and one use, shows its address to whoever may manage its lockers, and nowhere else', async () => {
    const made = await make(admin.api, [door(0), door(0), door(2)]);
    expect(made).toMatchObject({ state: 'active', used: 0, maxUses: 1, createdBy: { name: 'Ada Admin' } });
    expect(made.lockerIds).toEqual([door(0), door(2)].toSorted());
    expect(Date.parse(made.validTo) - Date.parse(made.validFrom)).toBe(DAY);
    expect(made.url).toMatch(/\/l\/[A-Za-z0-9_-]{43}$/);
    expect(await admin.api('GET /links/{id}/url', { params: { id: made.id } })).toEqual({ url: made.url });
    const secret = made.url.split('/l/')[1] ?? '';
    const told = [
      await admin.api('GET /links', {}),
      await admin.api('GET /links/{id}', { params: { id: made.id } }),
      await admin.api('GET /history', {}),
    ];
    expect(JSON.stringify(told)).not.toContain(secret);
  });

  it('is for lockers that its maker may manage, all of them', async () => {
    expect(await problemOf(make(scoped.api, [door(0), door(2)]))).toMatchObject({
      status: 422,
      code: 'unknown-reference',
      errors: [{ pointer: expect.stringMatching(/^\/lockerIds\/\d$/) as unknown }],
    });
    const own = await make(scoped.api, [door(0), door(1)]);
    const wide = await make(admin.api, [door(1), door(2)]);
    const seen = (await scoped.api('GET /links', {})).map((link) => link.id);
    expect(seen).toContain(own.id);
    expect(seen).not.toContain(wide.id);
    const params = { id: wide.id };
    expect(await refusal(scoped.api('GET /links/{id}', { params }))).toEqual([404, 'not-found']);
    expect(await refusal(scoped.api('GET /links/{id}/url', { params }))).toEqual([404, 'not-found']);
    expect(await refusal(scoped.api('DELETE /links/{id}', { params }))).toEqual([404, 'not-found']);
    const body = { version: wide.version, name: 'Mine now' };
    expect(await refusal(scoped.api('PUT /links/{id}', { params, body }))).toEqual([404, 'not-found']);
  });

  it.each([
    [{ validTo: '2020-01-01T00:00:00Z' }, '/validTo'],
    [{ validFrom: '2031-01-02T00:00:00Z', validTo: '2031-01-01T00:00:00Z' }, '/validTo'],
    [{ validFrom: '2031-01-02T00:00:00Z', validTo: '2033-01-01T00:00:00Z' }, '/validTo'],
  ])('cannot be for %o', async (more, pointer) => {
    expect(await problemOf(make(admin.api, [door(0)], more))).toMatchObject({ status: 422, code: 'rule', errors: [{ pointer }] });
  });

  it('cannot be until a moment that no year can be written of', async () => {
    const beyond = { validFrom: '9999-06-01T00:00:00Z', validTo: '9999-12-31T23:59:59-12:00' };
    expect(await problemOf(make(admin.api, [door(0)], beyond))).toMatchObject({ status: 400, code: 'malformed' });
  });

  it('is listed by its state, as of now', async () => {
    const now = Date.now();
    const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
    const waiting = await make(admin.api, [door(3)], { validFrom: at(1), validTo: at(60) });
    const active = await make(admin.api, [door(3)], { validTo: at(1) });
    const revoked = await make(admin.api, [door(3)]);
    await admin.api('DELETE /links/{id}', { params: { id: revoked.id } });
    const ids = async (state: string) =>
      (await admin.api('GET /links', { query: { q: { state, lockerIds: door(3) } } })).map((link) => [link.id, link.state]);
    expect(await ids('waiting')).toEqual([[waiting.id, 'waiting']]);
    expect(await ids('active')).toEqual([[active.id, 'active']]);
    expect(await ids('revoked')).toEqual([[revoked.id, 'revoked']]);
    // Not so far that the token runs out too.
    ahead = 90_000;
    expect(await ids('expired')).toEqual([[active.id, 'expired']]);
    expect(await ids('active')).toEqual([[waiting.id, 'active']]);
    ahead = 0;
  });

  it('is found by the words of its name', async () => {
    const made = await make(admin.api, [door(0)], { name: 'Nordlys Rør og 100%_varme' });
    const found = async ($text: string) => (await admin.api('GET /links', { query: { q: { $text } } })).map((link) => link.id);
    expect(await found('nord rør')).toEqual([made.id]);
    expect(await found('100%_v')).toEqual([made.id]);
    expect(await found('ordlys')).toEqual([]);
    expect(await found('%')).toEqual([made.id]);
    expect(await found('100_')).toEqual([]);
    const qr = await admin.api('GET /links/{id}/qr', { params: { id: made.id } });
    expect(qr.type).toBe('image/svg+xml');
    const shown = await fetch(`${server.url}/v1/links/${made.id}/qr`, { headers: { authorization: `Bearer ${admin.token}` } });
    expect([shown.headers.get('cache-control'), shown.headers.get('etag')]).toEqual(['no-store', null]);
    expect(await refusal(scoped.api('GET /links/{id}/qr', { params: { id: (await make(admin.api, [door(2)])).id } }))).toEqual([
      404,
      'not-found',
    ]);
  });

  it('ends with its last door, and says so to whoever holds it', async () => {
    const site = await admin.api('POST /sites', { body: { name: 'Annex' } });
    const doors = [{ doorTag: 'LINKED-1', compartment: 1, size: 'M' as const, height: 300 }];
    const built = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Annex', columns: [{ width: 400, doors }] } });
    const lockerId = built.columns[0]?.doors[0]?.lockerId ?? '';
    const made = await make(admin.api, [lockerId]);
    await admin.api('DELETE /cabinets/{id}', { params: { id: built.id } });
    expect(await admin.api('GET /links/{id}', { params: { id: made.id } })).toMatchObject({ state: 'revoked', lockerIds: [] });
    const token = made.url.split('/l/')[1] ?? '';
    const seen = await server
      .as(null)('POST /pickup/link', { body: { token } })
      .catch((error: unknown) => error);
    expect(JSON.stringify(seen)).toMatch(/revoked/);
    expect(await refusal(server.as(null)('POST /pickup/link/open', { body: { token } }))).toEqual([410, 'gone']);
  });

  it('is changed by whoever saw it last, and not once it is withdrawn', async () => {
    const made = await make(admin.api, [door(0)]);
    const params = { id: made.id };
    const changed = await admin.api('PUT /links/{id}', { params, body: { version: made.version, name: 'Electrician', maxUses: 5 } });
    expect(changed).toMatchObject({ name: 'Electrician', maxUses: 5, validTo: made.validTo });
    expect(await refusal(admin.api('PUT /links/{id}', { params, body: { version: made.version, name: 'Late' } }))).toEqual([409, 'stale']);
    await admin.api('DELETE /links/{id}', { params });
    await admin.api('DELETE /links/{id}', { params });
    const after = await admin.api('GET /links/{id}', { params });
    expect(after.state).toBe('revoked');
    expect(await refusal(admin.api('PUT /links/{id}', { params, body: { version: after.version, name: 'Again' } }))).toEqual([410, 'gone']);
    expect(await refusal(admin.api('GET /links/{id}/url', { params }))).toEqual([410, 'gone']);
  });
});
