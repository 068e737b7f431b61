import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../live/test-listener.ts';
import { testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';

// Who is told who has a thing: whoever sees its loan, and nobody by another way round.

const BORROWER = 'Ola Låner';
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let assetId: string;
let told: [string, TestPerson][];
let untold: [string, TestPerson][];

const aLocker = async (): Promise<string> => {
  const site = await admin.api('POST /sites', { body: { name: `Site ${unique()}` } });
  const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
  const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
  return cabinet.columns[0]?.doors[0]?.lockerId ?? '';
};
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  const [here, there] = [await aLocker(), await aLocker()];
  assetId = (await admin.api('POST /assets', { body: { name: 'Ladder' } }))._id;
  const { id } = await admin.api('POST /occupations', {
    body: { type: 'lending', lockerId: here, assetId, receiver: { name: BORROWER, tlf: '+4790000001' } },
  });
  for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
  await admin.api('PUT /occupations/assign', { body: { id, action: 'claim' } });
  await admin.api('PUT /occupations', { body: { id, action: 'finnish' } });
  told = [
    ['an admin', admin],
    ['who lends', await ours.person(['lending_manager'])],
    ['who keeps the assets', await ours.person(['asset_manager'])],
    ['a scope on its locker', await ours.scoped(['lending'], [here])],
  ];
  untold = [
    ['a service role of another kind', await ours.person(['delivery_manager'])],
    ['a scope on another locker', await ours.scoped(['lending', 'manage'], [there])],
  ];
});
afterAll(() => server.stop());

const everywhere = async ({ api }: TestPerson): Promise<string[]> => [
  JSON.stringify(await api('GET /assets')),
  JSON.stringify(await api('GET /assets/{id}', { params: { id: assetId } })),
  JSON.stringify(await api('GET /assets/{id}/loans', { params: { id: assetId } })),
  await (await api('GET /exports/assets')).text(),
];

describe('what is in use', () => {
  it('is told to be so to whoever may not see by what, goods apart, and no longer once that has ended', async () => {
    const clerk = untold[0]![1];
    const made = async (type: 'lending' | 'sale') => {
      const { _id } = await admin.api('POST /assets', { body: { name: `Thing ${unique()}` } });
      const price = type === 'sale' ? { price: { amount: 100, currency: 'NOK' } } : {};
      const { id } = await admin.api('POST /occupations', { body: { type, lockerId: await aLocker(), assetId: _id, ...price } });
      return { asset: _id, id };
    };
    const [lent, sold] = [await made('lending'), await made('sale')];
    const { _id: idle } = await admin.api('POST /assets', { body: { name: 'Idle' } });
    const among = { _id: { $in: [lent.asset, sold.asset, idle] } };
    const found = async (q: Record<string, unknown>) =>
      new Set((await clerk.api('GET /assets', { query: { q: { ...among, ...q } } })).map(({ _id }) => _id));
    expect(await clerk.api('GET /occupations', { query: { q: { assetId: lent.asset } } })).toEqual([]);
    expect(await found({ inUse: true })).toEqual(new Set([lent.asset, sold.asset]));
    expect(await found({ inUse: false })).toEqual(new Set([idle]));
    expect(await found({ inUseAlone: true })).toEqual(new Set([lent.asset]));
    await admin.api('DELETE /occupations/{id}', { params: { id: lent.id }, body: {} });
    expect(await found({ inUse: true })).toEqual(new Set([sold.asset]));
  });
});

describe('who has a thing', () => {
  it('is told by lists, by the row and by files to whoever sees the loan', async () => {
    for (const [who, person] of told)
      expect([who, (await everywhere(person)).map((text) => text.includes(BORROWER))]).toEqual([who, [true, true, true, true]]);
  });

  it('is told by none of them to anybody else, who hears that it is out and until when', async () => {
    for (const [who, person] of untold) {
      expect([who, (await everywhere(person)).map((text) => text.includes(BORROWER))]).toEqual([who, [false, false, false, false]]);
      const asset = await person.api('GET /assets/{id}', { params: { id: assetId } });
      expect([who, asset.holder, Date.parse(asset.dueAt ?? '')]).toEqual([who, null, expect.any(Number)]);
      expect(await person.api('GET /assets', { query: { q: { lent: true } } })).toMatchObject([{ _id: assetId, holder: null }]);
    }
  });

  it('is told live to the same people', async () => {
    const listeners = await Promise.all([...told, ...untold].map(([, person]) => listen(server.url, person.token)));
    for (const listener of listeners) expect(await listener.ask({ topic: 'subscribe', event: 'assets' })).toBeNull();
    const { version } = await admin.api('GET /assets/{id}', { params: { id: assetId } });
    await admin.api('PUT /assets/{_id}', { params: { _id: assetId }, body: { version, name: 'Long ladder' } });
    for (const [at, listener] of listeners.entries()) {
      await expect.poll(() => listener.events.length).toBe(1);
      expect([at, listener.events[0]?.data]).toMatchObject([
        at,
        { name: 'Long ladder', holder: at < told.length ? { name: BORROWER } : null },
      ]);
      listener.close();
    }
  });
});
