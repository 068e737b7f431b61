import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../../db/test-database.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

let server: TestServer;
let ours: TestCompany;
let keeper: TestPerson;
/** Of a company where nobody else makes or changes one. */
let fresh: TestCompany;
let api: TestPerson['api'];
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  keeper = await ours.person(['asset_manager']);
  fresh = await testCompany(server);
  ({ api } = await fresh.person(['admin']));
});
afterAll(() => server.stop());

type Input = {
  name?: string;
  type?: 'deployable' | 'pending' | 'undeployable' | 'archived';
  default_label?: boolean;
  color?: string | null;
};
const make = (more: Input = {}) => keeper.api('POST /statuslabels', { body: { name: `Label ${unique()}`, type: 'deployable', ...more } });
const put = async (id: string, more: Input, who = keeper) => {
  const version = (await list()).find((label) => label.id === id)?.version ?? 0;
  return who.api('PUT /statuslabels/{id}', { params: { id }, body: { name: `Label ${unique()}`, type: 'deployable', version, ...more } });
};
const remove = (id: string, who = keeper) => who.api('DELETE /statuslabels/{id}', { params: { id } });
const list = () => keeper.api('GET /statuslabels');

describe('status labels', () => {
  // shows R3.19, R7.53
  it('begin as four, of which new assets get the first, and are made, changed and deleted', async () => {
    expect((await list()).map((one) => one.type).toSorted()).toEqual(['archived', 'deployable', 'pending', 'undeployable']);
    const asset = await keeper.api('POST /assets', { body: { name: 'New' } });
    expect((await list())[0]).toMatchObject({ id: asset.statusLabelId, default_label: true, type: 'deployable', assets_count: 1 });
    const made = await make({ color: '#0b6b64' });
    expect(made).toMatchObject({ color: '#0b6b64', assets_count: 0, default_label: false, show_in_nav: false, notes: '' });
    // What is not given stays as it was.
    expect(await put(made.id, { type: 'pending' })).toMatchObject({ type: 'pending', color: '#0b6b64' });
    expect(await put(made.id, { color: null })).toMatchObject({ color: null });
    await remove(made.id);
    expect((await list()).map((one) => one.id)).not.toContain(made.id);
    expect(await refusal(remove(made.id))).toEqual([404, 'not-found']);
  });

  it('are in the company’s language, and go on to another with it as long as they bear their first names', async () => {
    const names = async () => (await api('GET /statuslabels')).map(({ name }) => name).toSorted();
    const speak = async (locale: 'en' | 'nb') => {
      const { version } = await api('GET /companies/{tenant}');
      await api('PUT /companies/{tenant}', { body: { locale, version } });
    };
    // Read any number of times they are the same four.
    for (let looks = 0; looks < 2; looks++) expect(await names()).toEqual(['Arkivert', 'Klar', 'Til reparasjon', 'Venter']);
    const of = async (name: string) => (await api('GET /statuslabels')).find((label) => label.name === name)!;
    const { id, version } = await of('Venter');
    await api('PUT /statuslabels/{id}', { params: { id }, body: { name: 'På verkstedet', type: 'pending', version } });
    await api('POST /statuslabels', { body: { name: 'archived', type: 'archived' } });
    const ready = await of('Klar');
    await speak('en');
    expect(await names()).toEqual(['Arkivert', 'In repair', 'På verkstedet', 'Ready', 'archived']);
    expect(await of('Ready')).toMatchObject({ id: ready.id, default_label: true, version: ready.version + 1 });
    await speak('nb');
    expect(await names()).toEqual(['Arkivert', 'Klar', 'På verkstedet', 'Til reparasjon', 'archived']);
  });

  it('have one default at most, also when two are chosen at once', async () => {
    const [a, b] = [await make(), await make()];
    // Whichever comes second makes the first another one: that is no conflict of its own row.
    await Promise.all([put(a.id, { default_label: true }), put(b.id, { default_label: true })]);
    expect((await list()).filter((one) => one.default_label)).toHaveLength(1);
    await put(b.id, { default_label: true });
    const asset = await keeper.api('POST /assets', { body: { name: 'Thing' } });
    expect(asset.statusLabelId).toBe(b.id);
  });

  it('have names of their own, whatever the case', async () => {
    const { name } = await make();
    expect(await refusal(make({ name: name.toUpperCase() }))).toEqual([409, 'name-taken']);
    expect(await refusal(make({ color: 'red' }))).toEqual([400, 'malformed']);
  });

  it('stay while an asset carries them', async () => {
    const label = await make();
    const asset = await keeper.api('POST /assets', { body: { name: 'Ladder', statusLabelId: label.id } });
    expect((await list()).find((one) => one.id === label.id)?.assets_count).toBe(1);
    expect(await refusal(remove(label.id))).toEqual([409, 'in-use-elsewhere']);
    await keeper.api('DELETE /assets/{id}', { params: { id: asset._id } });
    await remove(label.id);
  });

  it('stay while new assets get them, and the last one stays; none is made by looking', async () => {
    const labels = await api('GET /statuslabels');
    const [standard] = labels.filter((label) => label.default_label);
    if (!standard) throw new Error('no default');
    const gone = () => api('DELETE /statuslabels/{id}', { params: { id: standard.id } });
    expect(await refusal(gone())).toEqual([409, 'in-use-elsewhere']);
    expect((await api('POST /assets', { body: { name: 'Made meanwhile', externalId: 'm' } })).statusLabelId).toBe(standard.id);
    const next = labels.find(({ type }) => type === 'undeployable')!;
    const { version } = next;
    await api('PUT /statuslabels/{id}', {
      params: { id: next.id },
      body: { name: next.name, type: next.type, default_label: true, version },
    });
    const made = await api('GET /assets', { query: { q: { externalId: 'm' } } });
    await api('DELETE /assets/{id}', { params: { id: made[0]?._id ?? '' } });
    await gone();
    const { _id } = await api('POST /assets', { body: { name: 'Made since' } });
    expect((await api('GET /assets/{id}', { params: { id: _id } })).statusLabelId).toBe(next.id);
    await api('DELETE /assets/{id}', { params: { id: _id } });
    // The last one stays; and where there is none at all, as of a company that an outside provider alone knows, a look makes none.
    for (const { id } of (await api('GET /statuslabels')).filter((label) => label.id !== next.id))
      await api('DELETE /statuslabels/{id}', { params: { id } });
    expect(await refusal(api('DELETE /statuslabels/{id}', { params: { id: next.id } }))).toEqual([422, 'rule']);
    await query(server.database.ownerUrl, 'delete from status_labels where tenant_id = $1', [fresh.id]);
    expect(await api('GET /statuslabels')).toEqual([]);
    expect(await query(server.database.ownerUrl, 'select from status_labels where tenant_id = $1', [fresh.id])).toEqual([]);
  });

  it('let out only what is deployable', async () => {
    const label = await make({ type: 'undeployable' });
    const admin = await ours.person(['admin']);
    const place = await admin.api('POST /sites', { body: { name: unique() } });
    const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
    const cabinet = await admin.api('POST /cabinets', { body: { siteId: place.id, name: 'Wall', columns: [{ width: 400, doors }] } });
    const asset = await admin.api('POST /assets', { body: { name: 'Drill', statusLabelId: label.id } });
    const lockerId = cabinet.columns[0]?.doors[0]?.lockerId ?? '';
    await admin.api('PUT /lockers/{id}/content', { params: { id: lockerId }, body: { content: 'empty' } });
    const lend = () => admin.api('POST /occupations', { body: { type: 'lending', lockerId, assetId: asset._id } });
    expect(await refusal(lend())).toEqual([409, 'not-lendable']);
    await put(label.id, { type: 'deployable' });
    expect(await lend()).toMatchObject({ stageName: 'RESERVED' });
  });
});
