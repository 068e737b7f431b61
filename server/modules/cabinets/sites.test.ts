import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { listen } from '../../live/test-listener.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { hearFact } from './facts.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let near: TestPerson;
let places: { siteId: string; lockerId: string }[];

const aPlace = async () => {
  const site = await admin.api('POST /sites', { body: { name: `Site ${unique()}` } });
  const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
  const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
  return { siteId: site.id, lockerId: cabinet.columns[0]?.doors[0]?.lockerId ?? '' };
};
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  places = [await aPlace(), await aPlace()];
  near = await ours.scoped(['storage'], [places[0]?.lockerId ?? '']);
});
afterAll(() => server.stop());

describe('sites', () => {
  it('are every one to whoever has a role, and those of their lockers to who has scopes alone', async () => {
    const [here, there] = places.map(({ siteId }) => siteId);
    const empty = (await admin.api('POST /sites', { body: { name: `Site ${unique()}` } })).id;
    const sites = async ({ api }: TestPerson) => (await api('GET /sites', { query: { sort: 'createdAt' } })).map(({ id }) => id);
    for (const person of [admin, await ours.person(['delivery_manager'])]) expect(await sites(person)).toEqual([here, there, empty]);
    expect(await sites(near)).toEqual([here]);
    expect(await near.api('GET /sites', { query: { q: { id: there } } })).toEqual([]);
  });

  it('stand by name whatever its case, as cabinets do, over the border of a page too', async () => {
    const ids: Record<'sites' | 'cabinets', string[]> = { sites: [], cabinets: [] };
    for (const name of ['Beech', 'alder', 'Cedar']) {
      const site = await admin.api('POST /sites', { body: { name } });
      ids.sites.push(site.id);
      ids.cabinets.push((await admin.api('POST /cabinets', { body: { siteId: site.id, name, columns: [] } })).id);
    }
    for (const list of ['sites', 'cabinets'] as const) {
      const query = { sort: 'name', limit: 1, q: { id: { $in: ids[list] } } };
      const names: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: { rows: { name: string }[]; next: string | null } = await admin.api.page(`GET /${list}`, {
          query: { ...query, ...(cursor ? { cursor } : {}) },
        });
        names.push(...page.rows.map(({ name }) => name));
        cursor = page.next;
      }
      expect(names).toEqual(['alder', 'Beech', 'Cedar']);
    }
  });

  it('keep when they are open, and refuse what is no time, no day and no date', async () => {
    const hours = [{ day: 1, from: '08:00', to: '16:00' }];
    const made = await admin.api('POST /sites', { body: { name: `Site ${unique()}`, hours, closedDays: ['2026-12-25'] } });
    expect(made).toMatchObject({ hours, closedDays: ['2026-12-25'] });
    const change = (body: object) =>
      admin.api('PUT /sites/{id}', { params: { id: made.id }, body: { name: made.name, version: made.version, ...body } });
    for (const body of [
      { hours: [{ day: 0, from: '08:00', to: '16:00' }] },
      { hours: [{ day: 8, from: '08:00', to: '16:00' }] },
      { hours: [{ day: 1, from: '8:00', to: '16:00' }] },
      { hours: [{ day: 1, from: '08:00', to: '24:00' }] },
      { hours: [{ day: 1, from: '08:00' }] },
      { hours: Array.from({ length: 22 }, () => hours[0]) },
      { hours: null },
      { closedDays: ['2026-02-30'] },
      { closedDays: ['25.12.2026'] },
      { closedDays: ['2026-12-25T00:00:00Z'] },
      { closedDays: Array.from({ length: 101 }, () => '2026-12-25') },
    ])
      await expect(change(body)).rejects.toMatchObject({ status: 400 });
    expect(await change({ openingHours: 'Ring' })).toMatchObject({ hours, closedDays: ['2026-12-25'], openingHours: 'Ring' });
    expect(await change({ version: made.version + 1, hours: [], closedDays: [] })).toMatchObject({ hours: [], closedDays: [] });
  });

  it('are told live as the list shows them', async () => {
    const listener = await listen(server.url, near.token);
    expect(await listener.ask({ topic: 'subscribe', event: 'sites' })).toBeNull();
    const sites = await admin.api('GET /sites');
    const rename = async (id: string | undefined, name: string) =>
      admin.api('PUT /sites/{id}', {
        params: { id: id ?? '' },
        body: { name, version: sites.find((site) => site.id === id)?.version ?? 0 },
      });
    const gone = await admin.api('POST /sites', { body: { name: `Site ${unique()}` } });
    await admin.api('DELETE /sites/{id}', { params: { id: gone.id } });
    await rename(places[1]?.siteId, 'There');
    await rename(places[0]?.siteId, 'Here');
    await expect.poll(() => listener.events.map(({ data }) => data['name'] ?? data['id'])).toEqual(['Here']);
    listener.close();
  });
});

describe('a controller', () => {
  let wall: TestCabinet;
  beforeAll(async () => {
    wall = await testCabinet(server, admin.api, 1);
  });
  afterAll(() => wall?.end());

  it('a cabinet whose controller is paired anew: no session that was over comes back, and no alarm is told twice', async () => {
    const [lot] = wall.lockers;
    const params = { id: lot?.id ?? '' };
    const read = () => admin.api('GET /lockers/{id}', { params });
    const first = wall.say().session;
    await wall.cut();
    await expect.poll(async () => (await read()).connection).toBe('offline');
    await wall.plug();
    await expect.poll(async () => (await read()).door).toBe('closed');
    const { session } = wall.say();
    await wall.say().event('tamper', { seq: 900 });
    await expect.poll(async () => (await read()).inDoubt).toBe(true);
    await admin.api('PUT /lockers/{id}/content', { params, body: { content: 'empty', note: 'looked' } });

    const { code } = await admin.api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
    await server.as(null)('POST /devices/pair', { body: { code, fw: '2', model: 'new' } });
    // Said by a server that lags, or carried late by a broker.
    const from = { tenantId: ours.id, controllerId: wall.id, at: new Date().toISOString(), retained: false };
    const birth = {
      kind: 'birth',
      fw: 'old',
      model: 'old',
      canLock: false,
      sensors: false,
      compartments: [] as [],
      after: [] as [],
    } as const;
    for (const over of [first, session]) {
      await hearFact(server.deps, { ...birth, ...from, session: over });
      await hearFact(server.deps, { kind: 'connection', ...from, online: true, session: over, reason: null });
    }
    await hearFact(server.deps, { kind: 'event', ...from, type: 'tamper', compartment: 1, session, seq: 900 });
    expect(await read()).toMatchObject({ connection: 'offline', content: 'empty', inDoubt: false });
    expect(await query(server.database.ownerUrl, 'select firmware from cabinets where id = $1', [wall.id])).toEqual([{ firmware: '2' }]);
  });

  describe('a pairing code is worth something for as long as whoever gave it may pair', () => {
    const give = (api: TestPerson['api']) => api('POST /cabinets/{id}/pair', { params: { id: wall.id } });
    const trade = (code: string) => refusal(server.as(null)('POST /devices/pair', { body: { code, fw: '3', model: 'another' } }));
    const until = async () => (await admin.api('GET /cabinets/{id}', { params: { id: wall.id } })).pairingUntil;
    const membershipOf = async (accountId: string) => {
      const members = await admin.api('GET /companies/{tenant}/memberships', { params: { tenant: ours.id } });
      const { id = '', version = 0 } = members.find((one) => one.accountId === accountId) ?? {};
      return { params: { tenant: ours.id, membershipId: id }, version };
    };

    let max: TestPerson;

    it('whose role was taken', async () => {
      max = await ours.person(['manager', 'sale_manager']);
      const { code } = await give(max.api);
      const { params, version } = await membershipOf(max.accountId);
      await admin.api('PUT /companies/{tenant}/memberships/{membershipId}', { params, body: { roles: ['sale_manager'], version } });
      expect(await until()).toBeNull();
      expect(await trade(code)).toEqual([410, 'gone']);
    });

    it('who was removed; somebody else’s stays good', async () => {
      const leaver = await ours.person(['admin']);
      const { code } = await give(leaver.api);
      const { params } = await membershipOf(leaver.accountId);
      await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params });
      expect(await until()).toBeNull();
      expect(await trade(code)).toEqual([410, 'gone']);
      const mine = await give(admin.api);
      const other = await membershipOf(max.accountId);
      await admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: other.params });
      expect(await until()).toBe(mine.expiresAt);
      await server.as(null)('POST /devices/pair', { body: { code: mine.code, fw: '4', model: 'ours' } });
    });

    it('whose key was revoked', async () => {
      const key = await admin.api('POST /key', { body: { name: 'installer', scopes: ['admin:lockers', 'read'], expiresAt: null } });
      const { code } = await give(server.as(key.secret));
      await admin.api('DELETE /key/{_id}', { params: { _id: key._id } });
      expect(await until()).toBeNull();
      expect(await trade(code)).toEqual([410, 'gone']);
    });

    it('whose permission for its lockers ended', async () => {
      const ids = wall.lockers.map(({ id }) => id);
      const sam = await ours.scoped(['manage'], ids);
      const { code } = await give(sam.api);
      const [mine] = (await admin.api('GET /permissions')).filter(({ lockers }) => lockers.some((one) => ids.includes(one)));
      await admin.api('DELETE /permissions/{id}', { params: { id: mine?.id ?? '' } });
      expect(await trade(code)).toEqual([410, 'gone']);
    });
  });
});
