import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { HOUR, MINUTE } from '@hatchway/domain/deadlines.ts';
import { query } from '../../db/test-database.ts';
import { sweep } from '../../jobs/sweep.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { testDoors, type TestDoors } from '../occupations/test-doors.ts';
import { API_KEY, testTool, type TestTool } from './test-tool.ts';
import { syncTool } from './tool-commands.ts';

/** A company whose asset tool is another's program, over HTTP. */
let tool: TestTool;
let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let counter: TestPerson;
let stranger: TestPerson;
let wall: TestDoors;
let url: string;
let integrationId: string;
let late = 0;

beforeAll(async () => {
  tool = await testTool();
  const { port } = tool;
  url = tool.url;
  server = await testServer({ now: () => new Date(Date.now() + late), config: { sandboxPorts: [port], logLevel: 'silent' } });
  company = await testCompany(server);
  admin = await company.person(['admin']);
  counter = await company.person(['delivery_manager', 'lending_manager', 'recall_manager']);
  stranger = await (await testCompany(server)).person(['admin']);
  wall = await testDoors(admin.api, 30);
  const made = await admin.api('POST /integrations/{kind}', {
    params: { kind: 'tcm' },
    body: { settings: { url }, secrets: { apiKey: API_KEY } },
  });
  integrationId = made._id;
  await admin.api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'tcm', _id: integrationId }, body: {} });
});
beforeEach(() => tool.fault(null));
afterAll(async () => {
  await server?.stop();
  await tool?.stop();
});

const params = () => ({ kind: 'tcm', _id: integrationId });
const sync = (isWhole = false) => syncTool(server.deps, company.id, integrationId, isWhole);
const state = async () => (await admin.api('GET /integrations', { query: { q: { kind: 'tcm' } } }))[0];
const found = async (name: string, person = counter) => (await person.api('GET /assets', { query: { q: { $text: name } } }))[0];
const requests = (text?: string, person = counter) =>
  person.api('GET /asset-requests', { query: text === undefined ? {} : { q: { $text: text } } });
const differences = async () =>
  (await admin.api('GET /integrations/{kind}/{_id}/differences', { params: params() })).map(({ asset, what }) => `${what} ${asset.name}`);
const differs = async (name: string) => (await differences()).filter((line) => line.endsWith(` ${name}`)).map((line) => line.split(' ')[0]);
/** As if it were so much later; whoever signed in before that is signed in now. */
const at = async (ms: number, done: () => Promise<unknown>) => {
  late = ms;
  await done().finally(() => (late = 0));
};
const operations = (occupationId: string) =>
  query<{ kind: string; state: string; error: string | null; person: unknown }>(
    server.database.ownerUrl,
    'select kind, state, error, person from tool_operations where occupation_id = $1 order by id',
    [occupationId],
  );
/** On a busy machine the job comes late. */
const PATIENT = { timeout: 20_000 };
const settled = async (occupationId: string, wanted: string[]) => {
  const told = async () => (await operations(occupationId)).map((one) => `${one.kind} ${one.state}`);
  await expect.poll(told, PATIENT).toEqual(wanted);
};

const receiver = { name: 'Kari Kunde', tlf: '+4791234567' };
const handedOut = async (assetId: string, externalRef?: string) => {
  const lockerId = (await wall.free()).id;
  const ref = externalRef === undefined ? {} : { externalRef };
  const body = { service: 'selfservice' as const, lockerId, assetId, receiver, fill: true, ...ref };
  const { id } = await counter.api('POST /occupations/delivery', { body });
  return id;
};
type Told = Parameters<TestTool['asset']>[0];
const tell = (more: Told = {}) => tool.asset({ name: `Thing ${unique()}`, ...more });
const asKnown = async (there: ReturnType<typeof tell>) => {
  const here = await found(there.name);
  if (!here) throw new Error('it is not known');
  return { there, here };
};
const known = async (more?: Told) => {
  const there = tell(more);
  await sync();
  return asKnown(there);
};
/** Heard of at once. */
const two = async () => {
  const there = [tell(), tell()] as const;
  await sync();
  return [await asKnown(there[0]), await asKnown(there[1])] as const;
};
/** With a request for it, heard of at once. */
const requested = async (more: object = {}) => {
  const there = tell();
  const request = tool.request({ assetId: there.id, ...more });
  await sync();
  return { ...(await asKnown(there)), request };
};

describe('assets of the tool', () => {
  // shows R2.14
  it('stand among ours with their source, their page and their age, page by page', async () => {
    const names = Array.from({ length: 8 }, () => `Saw ${unique()}`);
    for (const name of names) tool.asset({ name, identifier: `C-${unique()}` });
    await sync();
    const listed = await counter.api('GET /assets', { query: { q: { source: 'tcm', $text: 'saw' }, limit: 100 } });
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    const [one] = listed;
    expect(one).toMatchObject({ source: 'tcm', tool: { kind: 'tcm', state: 'available', gone: false, told: null } });
    expect(one?.tool?.url).toBe(`https://tool.example/assets/${one?.externalId}`);
    expect(Date.now() - Date.parse(one?.tool?.asOf ?? '')).toBeLessThan(MINUTE);
    expect((await counter.api('GET /assets', { query: { q: { identifier: one?.identifiers[0]?.value } } }))[0]?._id).toBe(one?._id);
  });

  it('follow what is changed there, and are changed there alone', async () => {
    const { there, here } = await known();
    tool.change(there.id, { name: `${there.name} II`, state: 'out', holder: { name: 'Ola Hansen' } });
    await sync();
    const now = await counter.api('GET /assets/{id}', { params: { id: here._id } });
    expect(now).toMatchObject({ name: `${there.name} II`, tool: { state: 'out', holder: 'Ola Hansen' }, version: here.version + 1 });
    // Who has it is named to whoever sees loans.
    const other = await company.person(['delivery_manager']);
    expect((await other.api('GET /assets/{id}', { params: { id: here._id } })).tool).toMatchObject({ state: 'out', holder: null });
    const one = { _id: here._id };
    const refused = [409, 'changed-there'];
    expect(await refusal(admin.api('PUT /assets/{_id}', { params: one, body: { name: 'Mine' } }))).toEqual(refused);
    expect(await refusal(admin.api('DELETE /assets/{id}', { params: { id: here._id } }))).toEqual(refused);
    expect(await refusal(admin.api('DELETE /assets/{id}/image', { params: { id: here._id } }))).toEqual(refused);
    const csv = `id;name\n${here._id};Mine`;
    const imported = await admin.api('POST /assets/import', { body: { dryRun: true, csv } });
    expect(imported.rows).toMatchObject([{ fate: 'refused', problems: [{ code: 'changed-there' }] }]);
    expect(await refusal(stranger.api('GET /assets/{id}', { params: { id: here._id } }))).toEqual([404, 'not-found']);
    expect(await requests(undefined, stranger)).toEqual([]);
  });

  it('that are not told by a whole listing leave the lists, and come back with it', async () => {
    const { there, here } = await known({ identifier: `G-${unique()}` });
    tool.assets.delete(there.id);
    await sync();
    expect(await found(there.name)).toBeDefined();
    // What cannot be read may be there all the same.
    tool.spoil(1);
    await sync(true);
    expect(await found(there.name)).toBeDefined();
    tool.spoil(0);
    await sync(true);
    expect(await found(there.name)).toBeUndefined();
    expect((await counter.api('GET /assets/{id}', { params: { id: here._id } })).tool?.gone).toBe(true);
    tool.assets.set(there.id, there);
    await sync(true);
    expect((await found(there.name))?._id).toBe(here._id);
    expect((await counter.api('GET /assets', { query: { q: { identifier: there.identifier } } }))[0]?._id).toBe(here._id);
  });

  it('are listed whole once an hour, by the clock', async () => {
    const { there, here } = await known();
    tool.assets.delete(there.id);
    await at(MINUTE, () => sync());
    expect(await found(there.name)).toBeDefined();
    const gone = async () =>
      (await query(server.database.ownerUrl, 'select 1 from tool_assets where asset_id = $1 and gone_at is not null', [here._id])).length;
    await at(HOUR + MINUTE, async () => {
      await sweep(server.deps, company.id);
      await expect.poll(gone, PATIENT).toBe(1);
    });
    expect(await found(there.name)).toBeUndefined();
  });

  it('leave an identifier to ours that carries it too, and say so, until ours does not', async () => {
    const value = `S-${unique()}`;
    const ours = await admin.api('POST /assets', { body: { name: `Ours ${value}`, identifiers: [{ kind: 'barcode', value }] } });
    const { there, here } = await known({ identifier: value });
    const scan = async () => (await counter.api('GET /assets', { query: { q: { identifier: value } } })).map(({ _id }) => _id);
    expect(await scan()).toEqual([ours._id]);
    expect(here.identifiers).toEqual([{ kind: 'tag', value }]);
    expect(await differs(there.name)).toEqual(['same-identifier']);
    await admin.api('DELETE /assets/{id}', { params: { id: ours._id } });
    await sync(true);
    expect(await scan()).toEqual([here._id]);
    expect(await differs(there.name)).toEqual([]);
  });

  it('are known as they are where an older word comes late, and where two ask at once', async () => {
    const { there, here, request } = await requested();
    const name = async () => (await counter.api('GET /assets/{id}', { params: { id: here._id } })).name;
    const letGo = tool.hold();
    const late = sync(true);
    await expect.poll(() => tool.isAsked(), PATIENT).toBe(true);
    tool.change(there.id, { name: `${there.name} II` });
    await sync();
    letGo();
    await late;
    expect(await name()).toBe(`${there.name} II`);
    expect(await found(there.name)).toBeDefined();
    // A tool that was restored says what it says: its word holds, and nothing that it has is gone.
    const before = '2030-01-01T00:00:00.000Z';
    tool.change(there.id, { name: `${there.name} again`, modifiedAt: before });
    tool.requests.set(request.id, { ...request, modifiedAt: before });
    await sync(true);
    expect(await name()).toBe(`${there.name} again`);
    expect(await found(there.name)).toMatchObject({ tool: { gone: false } });
    expect(await requests(request.id)).toHaveLength(1);
    const many = Array.from({ length: 5 }, () => tool.asset({ name: `Twin ${unique()}` }));
    await Promise.all([sync(true), sync(true), sync()]);
    for (const { name } of many) expect(await counter.api('GET /assets', { query: { q: { $text: name } } })).toHaveLength(1);
  });

  it('may bear any signs', async () => {
    const mark = unique();
    tool.asset({ id: `odd/${mark}`, name: `Odd ${mark}\u0000\n\uD800 <b>`, identifier: `\uDFFF\u0007${mark}` });
    await sync();
    expect((await found(mark))?.name).toMatch(new RegExp(`^Odd ${mark}`));
    expect((await state())?.state).toBe('active');
  });
});

describe('requests of the tool', () => {
  it('are found by number, name and what, with the very thing, and no more once they are over', async () => {
    const { there, here } = await known();
    const mark = unique();
    const one = tool.request({
      id: `N-${mark}`,
      what: `Hammer ${mark}`,
      assetId: there.id,
      person: { name: `Berit ${mark}`, tlf: '41234567' },
    });
    await sync();
    for (const words of [`N-${mark}`, `hammer ${mark}`, `berit ${mark}`])
      expect((await requests(words)).map(({ number }) => number)).toEqual([one.id]);
    expect(await requests(one.id)).toMatchObject([
      { what: one.what, asset: { id: here._id, name: here.name }, person: { name: `Berit ${mark}`, tlf: '+4741234567', email: null } },
    ]);
    tool.close(one.id);
    await sync();
    expect(await requests(mark)).toEqual([]);
    const gone = tool.request();
    await sync();
    tool.requests.delete(gone.id);
    await sync(true);
    expect(await requests(gone.id)).toEqual([]);
  });
});

describe('what is handed out', () => {
  // shows R1.12
  it('is checked out there for whom it is and by its request, and checked in where it comes to nothing', async () => {
    const { there, here, request } = await requested({ until: '2031-06-01T12:00:00.000Z' });
    const id = await handedOut(here._id, request.id);
    await settled(id, ['check-out done']);
    expect(tool.assets.get(there.id)).toMatchObject({ state: 'out', holder: receiver, until: '2031-06-01T12:00:00.000Z' });
    expect(tool.requests.get(request.id)?.state).toBe('handed-out');
    // Who has it is known as long as that, and not longer.
    expect((await operations(id))[0]?.person).toMatchObject({ name: receiver.name });
    await expect.poll(() => requests(request.id), PATIENT).toEqual([]);
    expect((await counter.api('GET /assets/{id}', { params: { id: here._id } })).tool).toMatchObject({
      state: 'out',
      told: { kind: 'check-out', state: 'done', error: null },
    });
    expect(await differs(there.name)).toEqual([]);
    await counter.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} });
    await settled(id, ['check-out done', 'check-in done']);
    expect(tool.assets.get(there.id)).toMatchObject({ state: 'available', holder: null });
    expect((await operations(id)).map(({ person }) => person)).toEqual([null, null]);
  });

  it('and came back while the tool was away is not taken from whoever got it there meanwhile, and that is listed', async () => {
    const { there, here } = await known();
    const id = await handedOut(here._id);
    await settled(id, ['check-out done']);
    tool.fault({ kind: 'away' });
    await counter.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} });
    await expect.poll(async () => (await operations(id))[1]?.error, PATIENT).toBe('503');
    tool.change(there.id, { state: 'out', holder: { name: 'Ola Hansen' } });
    tool.fault(null);
    await at(2 * MINUTE, () => sync());
    await settled(id, ['check-out done', 'check-in refused']);
    expect((await operations(id))[1]?.error).toBe('out-to-another');
    expect(tool.assets.get(there.id)).toMatchObject({ state: 'out', holder: { name: 'Ola Hansen' } });
    expect(await differs(there.name)).toEqual(['refused']);
    const [listed] = (await admin.api('GET /integrations/{kind}/{_id}/differences', { params: params() })).filter(
      ({ asset }) => asset.name === there.name,
    );
    const body = { telling: listed?.telling?.id ?? '', act: 'settled' as const };
    await admin.api('POST /integrations/{kind}/{_id}/differences', { params: params(), body });
    expect(await differs(there.name)).toEqual([]);
    expect((await operations(id)).map(({ person }) => person)).toEqual([null, null]);
  });

  it('stays out once its receiver has it, until it comes back by a recall', async () => {
    const { there, here } = await known();
    const id = await handedOut(here._id);
    await counter.api('PUT /occupations', { body: { id, action: 'publish' } });
    await counter.api('PUT /occupations/assign', { body: { action: 'claim', id } });
    await counter.api('PUT /occupations', { body: { id, action: 'finnish' } });
    await settled(id, ['check-out done']);
    const amongOut = async () => (await counter.api('GET /assets', { query: { q: { _id: here._id, out: true } } })).length;
    // the tool is read once it was told
    await expect.poll(amongOut, PATIENT).toBe(1);
    const lockerId = (await wall.free()).id;
    const back = await counter.api('POST /occupations', { body: { type: 'recall', lockerId, assetId: here._id, receiver } });
    await counter.api('PUT /occupations', { body: { id: back.id, action: 'fill' } });
    expect(await operations(back.id)).toEqual([]);
    await counter.api('PUT /occupations/assign', { body: { action: 'claim', id: back.id } });
    await counter.api('PUT /occupations', { body: { id: back.id, action: 'finnish' } });
    await settled(back.id, ['check-in done']);
    expect(tool.assets.get(there.id)?.state).toBe('available');
    await expect.poll(amongOut).toBe(0);
  });

  it('by a loan is out as long as that, again and again', async () => {
    const { there, here } = await known();
    const { id } = await counter.api('POST /occupations', {
      body: { type: 'lending', lockerId: (await wall.free()).id, assetId: here._id },
    });
    for (const action of ['fill', 'publish'] as const) await counter.api('PUT /occupations', { body: { id, action } });
    expect(await operations(id)).toEqual([]);
    const lent = async () => {
      await counter.api('PUT /occupations/assign', { body: { action: 'claim', id, receiver } });
      await counter.api('PUT /occupations', { body: { id, action: 'finnish' } });
    };
    await lent();
    await settled(id, ['check-out done']);
    expect(tool.assets.get(there.id)?.until).not.toBeNull();
    await counter.api('PUT /occupations', { body: { id, action: 'return', condition: 'scratched' } });
    await settled(id, ['check-out done', 'check-in done']);
    expect(tool.calls.at(-1)?.body['note']).toMatch(/scratched$/);
    await lent();
    await settled(id, ['check-out done', 'check-in done', 'check-out done']);
  });

  test.each(['away', 'lost'] as const)('is told once, whatever goes wrong first: %s', async (kind) => {
    const { there, here } = await known();
    const before = tool.carriedOut();
    tool.fault({ kind });
    const id = await handedOut(here._id);
    await expect.poll(async () => (await operations(id))[0]?.state, PATIENT).toMatch(/wanted|unknown/);
    expect(await differs(there.name)).toEqual(['untold']);
    await at(MINUTE, () => sync());
    await counter.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} });
    tool.fault(null);
    // What another run was at in between, it holds for half a minute.
    await at(2 * MINUTE, async () => {
      await sync();
      await sync();
    });
    await settled(id, ['check-out done', 'check-in done']);
    expect(tool.carriedOut() - before).toBe(2);
    expect(tool.assets.get(there.id)?.state).toBe('available');
    expect(await state()).toMatchObject({ state: 'active', lastError: null });
  });

  it('and is refused there is told to staff in words; nothing here is lost, and it is not checked in', async () => {
    const settings = { alerts: [{ event: 'tool-refused' as const, channel: 'mail' as const, to: 'staff@example.test' }] };
    await server.deps.db.tenant(company.id, (tx) =>
      tx
        .updateTable('companies')
        .set({ settings: JSON.stringify(settings) as never })
        .where('id', '=', company.id)
        .execute(),
    );
    const { there, here } = await known();
    tool.change(there.id, { state: 'out', holder: { name: 'Somebody Else' } });
    const id = await handedOut(here._id);
    await settled(id, ['check-out refused']);
    expect((await operations(id))[0]?.error).toBe('out-already');
    const alerts = () =>
      query(server.database.ownerUrl, `select 1 from messages where occupation_id = $1 and kind = 'staff-tool-refused'`, [id]);
    await expect.poll(async () => (await alerts()).length, PATIENT).toBe(1);
    expect(await counter.api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'FILLED' });
    expect((await counter.api('GET /assets/{id}', { params: { id: here._id } })).tool?.told).toEqual({
      kind: 'check-out',
      state: 'refused',
      error: 'out-already',
    });
    expect(await differs(there.name)).toEqual(['refused']);
    await counter.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} });
    await sync();
    expect(await operations(id)).toHaveLength(1);
    expect(tool.assets.get(there.id)?.holder?.name).toBe('Somebody Else');
  });

  it('and was refused is told again under another key, or settled by a word', async () => {
    const { there, here } = await known();
    tool.fault({ kind: 'refuse', code: 'person-unknown' });
    const id = await handedOut(here._id);
    await settled(id, ['check-out refused']);
    tool.fault(null);
    const telling = async () =>
      (await admin.api('GET /integrations/{kind}/{_id}/differences', { params: params() })).find(({ asset }) => asset.name === there.name)
        ?.telling?.id ?? '';
    const word = (act: 'again' | 'settled', one: string, person = admin) =>
      person.api('POST /integrations/{kind}/{_id}/differences', { params: params(), body: { telling: one, act } });
    const first = await telling();
    expect(await refusal(word('again', first, counter))).toEqual([403, 'forbidden']);
    expect(await refusal(word('again', first, stranger))).toEqual([404, 'not-found']);
    await word('again', first);
    await settled(id, ['check-out done']);
    expect(tool.calls.filter(({ path }) => path.includes(there.id)).map(({ key }) => key)).toHaveLength(2);
    expect(new Set(tool.calls.filter(({ path }) => path.includes(there.id)).map(({ key }) => key)).size).toBe(2);
    expect(await refusal(word('again', first))).toEqual([422, 'unknown-reference']);

    tool.fault({ kind: 'refuse', code: 'out-already' });
    const other = await known();
    const second = await handedOut(other.here._id);
    await settled(second, ['check-out refused']);
    tool.fault(null);
    const found = (await admin.api('GET /integrations/{kind}/{_id}/differences', { params: params() })).find(
      ({ asset }) => asset.name === other.there.name,
    );
    await word('settled', found?.telling?.id ?? '');
    await settled(second, ['check-out done']);
  });

  it('and was refused is not told again once it came back: that only settles it', async () => {
    const telling = async (name: string) =>
      (await admin.api('GET /integrations/{kind}/{_id}/differences', { params: params() })).find(({ asset }) => asset.name === name)
        ?.telling?.id ?? '';
    const again = async (name: string) =>
      admin.api('POST /integrations/{kind}/{_id}/differences', { params: params(), body: { telling: await telling(name), act: 'again' } });
    const refused = async (hand: (assetId: string) => Promise<string>) => {
      const { there, here } = await known();
      tool.fault({ kind: 'refuse', code: 'person-unknown' });
      const id = await hand(here._id);
      await settled(id, ['check-out refused']);
      tool.fault(null);
      return { there, id };
    };
    const lent = async (assetId: string) => {
      const { id } = await counter.api('POST /occupations', { body: { type: 'lending', lockerId: (await wall.free()).id, assetId } });
      for (const action of ['fill', 'publish'] as const) await counter.api('PUT /occupations', { body: { id, action } });
      await counter.api('PUT /occupations/assign', { body: { action: 'claim', id, receiver } });
      await counter.api('PUT /occupations', { body: { id, action: 'finnish' } });
      return id;
    };
    const delivered = async (assetId: string) => {
      const id = await handedOut(assetId);
      await counter.api('PUT /occupations', { body: { id, action: 'publish' } });
      await counter.api('PUT /occupations/assign', { body: { action: 'claim', id } });
      await counter.api('PUT /occupations', { body: { id, action: 'finnish' } });
      return id;
    };
    const back = await refused(handedOut);
    await counter.api('POST /occupations/{id}/retrieve', { params: { id: back.id }, body: {} });
    const returned = await refused(lent);
    await counter.api('PUT /occupations', { body: { id: returned.id, action: 'return' } });
    for (const { there, id } of [back, returned]) {
      await again(there.name);
      await sync();
      await settled(id, ['check-out done']);
      expect((await operations(id))[0]?.person).toBeNull();
      expect(tool.assets.get(there.id)).toMatchObject({ state: 'available', holder: null });
      expect(await differs(there.name)).toEqual([]);
    }
    // Who has it still has it, also where the use is over.
    const { there, id } = await refused(delivered);
    await again(there.name);
    await settled(id, ['check-out done']);
    expect(tool.assets.get(there.id)).toMatchObject({ state: 'out', holder: { name: receiver.name } });
  });

  it('is not sent anew while its answer may come, and what an overtaken one answers does not count', async () => {
    const { there, here } = await known();
    tool.fault({ kind: 'away' });
    const id = await handedOut(here._id);
    await expect.poll(async () => (await operations(id))[0]?.error, PATIENT).toBe('503');
    const sent = () => tool.calls.filter(({ path }) => path.includes(there.id)).length;
    const before = sent();
    tool.fault({ kind: 'refuse', code: 'out-already' });
    const letGo = tool.hold();
    const first = sync();
    await expect.poll(() => tool.isAsked(), PATIENT).toBe(true);
    tool.fault(null);
    await at(45_000, () => sync());
    expect(sent() - before).toBe(1);
    await at(2 * MINUTE, () => sync());
    await settled(id, ['check-out done']);
    letGo();
    await first;
    expect((await operations(id)).map(({ state, error }) => [state, error])).toEqual([['done', null]]);
  });

  it('holds up no other where the tool fails for it again and again', async () => {
    const [bad, good] = [await two(), await known()];
    for (const { there } of bad) tool.stick(there.id);
    tool.fault({ kind: 'away' });
    const ids: string[] = [];
    for (const { here } of bad) ids.push(await handedOut(here._id));
    const id = await handedOut(good.here._id);
    tool.fault(null);
    for (let n = 1; n < 4; n++) await at(n * 2 * MINUTE, () => sync());
    await settled(id, ['check-out done']);
    // What another run was at in between, it holds for half a minute.
    const failed = async () => {
      await at(10 * MINUTE, () => sync());
      return Promise.all(ids.map(operations));
    };
    const unknown = expect.objectContaining({ state: 'unknown', error: '500' }) as unknown;
    await expect.poll(failed, PATIENT).toEqual(ids.map(() => [unknown]));
  });

  it('and is asked for no more there is listed; so is what differs on both sides, and nothing is overwritten', async () => {
    const { there, here, request } = await requested();
    const id = await handedOut(here._id, request.id);
    await settled(id, ['check-out done']);
    tool.close(request.id);
    await sync();
    expect(await differs(there.name)).toEqual(['request-closed']);
    tool.change(there.id, { state: 'available', holder: null });
    await sync();
    expect(await differs(there.name)).toEqual(['out-here', 'request-closed']);
    tool.assets.delete(there.id);
    await sync(true);
    expect(await differs(there.name)).toEqual(['gone-there', 'request-closed']);
    expect(await counter.api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'FILLED', assetId: here._id });

    const shelf = await known();
    const offer = await counter.api('POST /occupations', {
      body: { type: 'lending', lockerId: (await wall.free()).id, assetId: shelf.here._id },
    });
    await counter.api('PUT /occupations', { body: { id: offer.id, action: 'fill' } });
    expect(await differs(shelf.there.name)).toEqual([]);
    tool.change(shelf.there.id, { state: 'out', holder: { name: 'At the desk' } });
    await sync();
    expect(await differs(shelf.there.name)).toEqual(['out-there']);
  });
});

describe('a tool', () => {
  it('that is away blocks nobody: what is known is shown with its age, and what was said waits', async () => {
    const { here, request } = await requested();
    tool.fault({ kind: 'away' });
    await sync();
    const [[before], asOf] = [await requests(request.id), (await found(here.name))?.tool?.asOf];
    await at(5 * MINUTE, () => sync());
    expect(await state()).toMatchObject({ state: 'failing', lastError: '503' });
    expect(await requests(request.id)).toEqual([before]);
    expect((await found(here.name))?.tool?.asOf).toBe(asOf);
    tool.fault(null);
    await sync();
    expect(await state()).toMatchObject({ state: 'active', lastError: null });
  });

  it('that asks for time is given it', async () => {
    tool.fault({ kind: 'wait', seconds: 1800 });
    await sync();
    const [row] = await query<{ look_at: Date }>(server.database.ownerUrl, 'select look_at from integrations where id = $1', [
      integrationId,
    ]);
    expect(row?.look_at.getTime() ?? 0).toBeGreaterThan(Date.now() + 25 * MINUTE);
    tool.fault(null);
    await sync();
  });

  it('that takes the key no more says so, and asks for a right one', async () => {
    const change = (apiKey: string) => state().then((row) => admin.api('PUT /integrations/{kind}/{_id}', { params: params(), body: { settings: { url }, secrets: { apiKey }, version: row?.version } })); // prettier-ignore
    await change('wrong');
    expect(await admin.api('POST /integrations/{kind}/{_id}/test', { params: params(), body: {} })).toMatchObject({
      state: 'failing',
      lastError: 'keys-refused',
    });
    await change(API_KEY);
    expect(await admin.api('POST /integrations/{kind}/{_id}/sync', { params: params(), body: {} })).toMatchObject({
      state: 'active',
      lastError: null,
    });
  });

  it('that is disconnected takes its assets along, save those that are in use here', async () => {
    const [unused, used] = await two();
    const id = await handedOut(used.here._id);
    await settled(id, ['check-out done']);
    await admin.api('DELETE /integrations/{kind}/{_id}', { params: params() });
    expect(await refusal(counter.api('GET /assets/{id}', { params: { id: unused.here._id } }))).toEqual([404, 'not-found']);
    expect(await counter.api('GET /assets/{id}', { params: { id: used.here._id } })).toMatchObject({ source: 'local', tool: null });
    expect(await requests()).toEqual([]);
    await sync(true);
    await counter.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} });
    expect(await admin.api('PUT /assets/{_id}', { params: { _id: used.here._id }, body: { name: 'Ours now' } })).toMatchObject({
      name: 'Ours now',
    });
  });
});
