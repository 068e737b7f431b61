import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOOL_KINDS, type ToolKind } from '@hatchway/domain/integration.ts';
import type { FaultKind } from '@hatchway/sandbox/assets/faults.ts';
import { mountTool, TOOL_API } from '@hatchway/sandbox/assets/mount.ts';
import type { Asset, Person } from '@hatchway/sandbox/assets/store.ts';
import { createTool, type Tool } from '@hatchway/sandbox/assets/tool.ts';
import { createOutside, type Outside } from '@hatchway/server/outside/fetch.ts';
import type { AssetTool, ToolAsset, ToolPage, ToolSaid } from '@hatchway/server/providers/asset-tool.ts';
import { openTool } from '@hatchway/server/providers/tools.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

/** Both clients against the sandbox's tool, over HTTP. */
let tool: Tool;
let app: FastifyInstance;
let outside: Outside;
let base: string;
let late = 0;
let who: Person;
beforeAll(async () => {
  // Each change a second after the one before it: Snipe-IT tells seconds alone.
  tool = createTool({ now: () => Date.UTC(2026, 10, 28, 12) + (late += 1_000) });
  app = Fastify({ forceCloseConnections: true });
  const port = await freePort();
  base = `http://127.0.0.1:${port}${TOOL_API}`;
  mountTool(app, tool, { origin: `http://127.0.0.1:${port}` });
  await app.listen({ host: '127.0.0.1', port });
  outside = createOutside([port]);
  who = tool.store.addPerson({ name: 'Kari “K” O’Hara & Sons', tlf: '+4791234567', email: 'kari@kunde.test' });
});
beforeEach(() => tool.faults.clear());
afterAll(() => app.close());

const open = (kind: ToolKind, key = tool.store.apiKey(), at = base): AssetTool => openTool(kind, outside, at, key);
const fault = (kind: FaultKind, times: number | null = 1, ms = 0) => tool.faults.set({ kind, times, reference: null, ms });
const value = <T>(said: ToolSaid<T>): T => {
  if (said.kind !== 'ok') throw new Error(`${said.kind}: ${said.error}`);
  return said.value;
};
const all = async <T>(ask: (cursor: string | null) => Promise<ToolSaid<ToolPage<T>>>): Promise<T[]> => {
  const rows: T[] = [];
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const page: ToolPage<T> = value(await ask(cursor));
    expect(page.unread).toBe(0);
    rows.push(...page.rows);
    cursor = page.next;
  }
  return rows;
};
const assetsOf = (client: AssetTool, since: string | null = null) => all((cursor) => client.assets({ since, cursor }));
let named = 0;
const add = (name = 'Drill <6 mm> & “bit”'): Asset => tool.store.addAsset(name, `T-${(named += 1)}`);
const person = () => ({ name: who.name, tlf: who.tlf, email: who.email });
let keys = 0;
const outOf = (asset: Asset, more = {}) => ({
  assetId: String(asset.id),
  requestId: null,
  person: person(),
  until: '2026-12-01T15:00:00.000Z',
  note: 'Handed out by Hatchway',
  key: `out-${(keys += 1)}`,
  ...more,
});
const backOf = (asset: Asset, condition: string | null = null) => ({
  assetId: String(asset.id),
  from: { person: person(), requestId: null },
  condition,
  note: 'Came back to Hatchway',
  key: `back-${(keys += 1)}`,
});
const now = (asset: Asset): Asset => tool.store.asset(asset.id) ?? asset;
const outs = (asset: Asset) => tool.store.entries().filter((one) => one.assetId === asset.id && one.action === 'checkout').length;

describe.each(TOOL_KINDS)('%s', (kind) => {
  it('tests the key, and says which is wrong', async () => {
    expect(await open(kind).test()).toEqual({ kind: 'ok', value: null });
    for (const key of ['wrong', '', 'ké y', 'two\nlines'])
      expect(await open(kind, key).test()).toMatchObject({ kind: 'keys', error: 'keys-refused' });
    expect(await open(kind, tool.store.apiKey(), `${base}/nothing`).test()).toMatchObject({ kind: 'refused', error: 'not-a-tool' });
  });

  it('lists every asset once over many pages, as it is', async () => {
    const many = Array.from({ length: 205 }, () => add('Bulk'));
    const one = add();
    const rows = await assetsOf(open(kind));
    const ids = rows.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(many.map(({ id }) => String(id))));
    expect(rows.find(({ id }) => id === String(one.id))).toMatchObject({
      name: one.name,
      identifier: one.tag,
      condition: 'Good',
      state: 'available',
      holder: null,
      until: null,
      url: `${base}/hardware/${one.id}`,
    } satisfies Partial<ToolAsset>);
    for (const { id } of many) tool.store.removeAsset(id);
    expect((await assetsOf(open(kind))).some(({ id }) => id === String(many[0]?.id))).toBe(false);
    expect(await open(kind).asset(String(many[0]?.id))).toMatchObject({ kind: 'refused', error: 'asset-unknown' });
    for (const id of ['0', 'x', '../users', '99999999999', '']) expect((await open(kind).asset(id)).kind).toBe('refused');
  });

  it('finds, and tells what changed since', async () => {
    const [before, changed] = [add('Ladder'), add('Tripod')];
    const found = value(await open(kind).assets({ since: null, cursor: null, text: 'tRiPoD' }));
    expect(found.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['Tripod']));
    expect(found.rows.some(({ name }) => name === 'Ladder')).toBe(false);
    const known = value(await open(kind).asset(String(before.id))).modifiedAt;
    // Beyond the hour by which a clock is put back.
    late += 2 * 60 * 60_000;
    tool.store.setCondition(changed, 4, 'page');
    const since = new Date(Date.UTC(2026, 10, 28, 12) + late - 1_000).toISOString();
    const rows = await assetsOf(open(kind), kind === 'tcm' ? since : value(await open(kind).asset(String(changed.id))).modifiedAt);
    expect(rows.map(({ id }) => id)).toEqual([String(changed.id)]);
    expect(rows[0]).toMatchObject({ condition: 'Broken', state: 'not-lendable' });
    expect(known).not.toBeNull();
  });

  it('tells requests: open, withdrawn, handed out', async () => {
    const [drill, saw] = [add(), add()];
    const asked = tool.store.ask({ what: 'For the wall', assetId: drill.id, personId: who.id, until: null });
    const other = tool.store.ask({ what: 'For the floor', assetId: saw.id, personId: who.id, until: null });
    const mine = async () =>
      (await all((cursor) => open(kind).requests({ since: null, cursor }))).filter(
        ({ assetId }) => assetId === String(drill.id) || assetId === String(saw.id),
      );
    const seen = await mine();
    expect(seen.map(({ state }) => state)).toEqual(['open', 'open']);
    expect(seen[0]).toMatchObject({ assetId: String(drill.id), person: person() });
    tool.store.withdraw(other);
    // Who has no e-mail address with us is who asked.
    const unnamed = outOf(drill, {
      requestId: seen[0]?.id,
      ...(kind === 'snipeit' ? { person: { name: 'K', tlf: null, email: null } } : {}),
    });
    expect(await open(kind).checkOut(unnamed)).toEqual({ kind: 'ok', value: null });
    expect((await mine()).map(({ assetId, state }) => [assetId, state])).toEqual([
      [String(drill.id), 'handed-out'],
      [String(saw.id), 'closed'],
    ]);
    expect(tool.store.request(asked.id)?.state).toBe('handed-out');
    expect(now(drill).holderId).toBe(who.id);
  });

  it('checks out and in, each once however often it is sent', async () => {
    const drill = add();
    const client = open(kind);
    const out = outOf(drill);
    for (let n = 0; n < 2; n++) expect(await client.checkOut(out)).toEqual({ kind: 'ok', value: null });
    expect(outs(drill)).toBe(1);
    const seen = value(await client.asset(String(drill.id)));
    expect(seen).toMatchObject({ state: 'out', holder: { name: who.name, email: who.email } });
    expect(seen.until?.slice(0, 10)).toBe('2026-12-01');
    expect(tool.store.entries().findLast(({ assetId }) => assetId === drill.id)?.note).toBe('Handed out by Hatchway');
    const back = backOf(drill, 'To be cleaned');
    for (let n = 0; n < 2; n++) expect(await client.checkIn(back)).toEqual({ kind: 'ok', value: null });
    expect(value(await client.asset(String(drill.id)))).toMatchObject({ state: 'not-lendable', condition: 'To be cleaned', holder: null });
    expect(await client.checkIn(backOf(drill))).toEqual({ kind: 'ok', value: null });
  });

  it('says in words what it refuses', async () => {
    const [drill, broken, taken] = [add(), add(), add()];
    const other = tool.store.addPerson({ name: 'Ola', tlf: null, email: `ola-${named}@kunde.test` });
    tool.store.setCondition(broken, 4, 'page');
    tool.store.checkOut(taken, other, { until: null, note: '', by: 'page' });
    const client = open(kind);
    const gone = { ...drill, id: 987_654 };
    expect(await client.checkOut(outOf(gone))).toMatchObject({ kind: 'refused', error: 'asset-unknown' });
    expect(await client.checkIn(backOf(gone))).toMatchObject({ kind: 'refused', error: 'asset-unknown' });
    expect(await client.checkOut(outOf(broken))).toMatchObject({ kind: 'refused', error: 'not-lendable' });
    expect(await client.checkOut(outOf(taken))).toMatchObject({ kind: 'refused', error: 'out-already' });
    const nobodys = { ...backOf(taken, 'No such'), from: null };
    expect(await client.checkIn(nobodys)).toMatchObject({ kind: 'refused', error: 'condition-unknown' });
    expect(await client.checkIn(backOf(taken))).toMatchObject({ kind: 'refused', error: 'out-to-another' });
    expect(now(taken).holderId).toBe(other.id);
    expect(value(await client.conditions())).toContainEqual({ name: 'Worn', isLendable: true });
    expect(value(await client.conditions())).toContainEqual({ name: 'Broken', isLendable: false });
  });

  it('loses nothing and doubles nothing when an answer is lost', async () => {
    const drill = add();
    const client = open(kind);
    const [out, back] = [outOf(drill), backOf(drill)];
    fault('answer-lost');
    expect(await client.checkOut(out)).toMatchObject({ kind: 'unknown' });
    expect(await client.checkOut(out)).toEqual({ kind: 'ok', value: null });
    expect(outs(drill)).toBe(1);
    fault('answer-lost');
    expect(await client.checkIn(back)).toMatchObject({ kind: 'unknown' });
    expect(await client.checkIn(back)).toEqual({ kind: 'ok', value: null });
    expect(now(drill).holderId).toBeNull();
  });

  it.each<[FaultKind, string, string]>([
    ['outage', 'away', '503'],
    ['throttled', 'away', '429'],
    ['cut', 'unknown', 'The connection broke'],
    ['slow', 'unknown', 'No whole answer came in time'],
    ['garbage', 'unknown', 'not-a-tool'],
    ['redirect', 'refused', '302 · the tool is at /sandbox/assets'],
  ])('bears a bad day: %s', async (bad, said, words) => {
    const drill = add();
    // Less than the ten seconds that the server waits.
    const hurried: Outside = { ...outside, fetch: (url, request) => outside.fetch(url, { ...request, timeoutMs: 400 }) };
    const client = openTool(kind, bad === 'slow' ? hurried : outside, base, tool.store.apiKey());
    fault(bad, null, 2_000);
    for (const answer of [
      await client.test(),
      await client.assets({ since: null, cursor: null }),
      await client.asset(String(drill.id)),
      await client.requests({ since: null, cursor: null }),
      await client.checkOut(outOf(drill)),
      await client.checkIn(backOf(drill)),
    ])
      expect(answer).toMatchObject({ kind: said, error: words });
    tool.faults.clear();
    expect(outs(drill)).toBe(0);
  });

  it('says how long a tool wants to be left alone', async () => {
    fault('throttled');
    // Snipe-IT's handler drops the header that its limiter gave.
    expect(await open(kind).test()).toMatchObject({ kind: 'away', retryAfter: kind === 'tcm' ? 60 : null });
  });

  it('bears a change that fails, one that is refused without a reason that we know, and rows told twice', async () => {
    const drill = add();
    fault('error');
    expect(await open(kind).checkOut(outOf(drill))).toMatchObject({ kind: 'unknown' });
    fault('refused');
    const refused = await open(kind).checkOut(outOf(drill));
    expect(refused).toMatchObject({ kind: 'refused' });
    expect(refused.kind === 'refused' && refused.error).toContain('The tool does not want to');
    expect(outs(drill)).toBe(0);
    fault('doubled', null);
    const ids = (await assetsOf(open(kind))).map(({ id }) => id);
    expect([new Set(ids).size, ids.length]).toEqual([tool.store.assets().length, tool.store.assets().length]);
  });

  it('is refused at an address that is not to be fetched from, and says so where nothing answers', async () => {
    for (const at of ['http://10.0.0.1', 'https://127.0.0.1', 'https://169.254.169.254', 'http://127.0.0.1:1', 'nonsense'])
      expect(await open(kind, 'key', at).test()).toMatchObject({ kind: 'away', status: null });
    const gone = createOutside([1]);
    expect(await openTool(kind, gone, 'http://127.0.0.1:1', 'key').test()).toMatchObject({ kind: 'away' });
  });
});

it('Snipe-IT checks out to its own people alone: none and two of them are said', async () => {
  const drill = add();
  const client = open('snipeit');
  const nobody = { name: 'Nobody', tlf: null, email: 'nobody@kunde.test' };
  expect(await client.checkOut(outOf(drill, { person: nobody }))).toMatchObject({ error: 'person-unknown' });
  expect(await client.checkOut(outOf(drill, { person: { ...nobody, email: null } }))).toMatchObject({ error: 'person-unknown' });
  for (const name of ['Twin A', 'Twin B']) tool.store.addPerson({ name, tlf: null, email: 'twin@kunde.test' });
  expect(await client.checkOut(outOf(drill, { person: { ...nobody, email: 'Twin@kunde.test' } }))).toMatchObject({
    error: 'person-ambiguous',
  });
  expect(now(drill).holderId).toBeNull();
});
