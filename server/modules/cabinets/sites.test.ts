import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../live/test-listener.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
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
});
afterAll(() => server.stop());

describe('sites', () => {
  it('are every one to whoever has a role, and those of their lockers to who has scopes alone', async () => {
    const [here, there] = places.map(({ siteId }) => siteId);
    const empty = (await admin.api('POST /sites', { body: { name: `Site ${unique()}` } })).id;
    const sites = async ({ api }: TestPerson) => (await api('GET /sites', { query: { sort: 'createdAt' } })).map(({ id }) => id);
    for (const person of [admin, ...['asset_manager', 'delivery_manager'].map((role) => ours.person([role]))])
      expect(await sites(await person)).toEqual([here, there, empty]);
    const near = await ours.scoped(['storage'], [places[0]?.lockerId ?? '']);
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
    const person = await ours.scoped(['storage'], [places[0]?.lockerId ?? '']);
    const listener = await listen(server.url, person.token);
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
