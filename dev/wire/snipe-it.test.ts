import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '@hatchway/domain/deadlines.ts';
import { mountTool, TOOL_API } from '@hatchway/sandbox/assets/mount.ts';
import type { Asset, Person } from '@hatchway/sandbox/assets/store.ts';
import { createTool, type Tool } from '@hatchway/sandbox/assets/tool.ts';
import { syncTool } from '@hatchway/server/modules/integrations/tool-commands.ts';
import { testCabinet, type TestCabinet } from '@hatchway/server/test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { testServer, unique, type TestServer } from '@hatchway/server/test-server.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

/** A company whose asset tool is Snipe-IT as the sandbox speaks it, over HTTP. */
let tool: Tool;
let wire: FastifyInstance;
let server: TestServer;
let company: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
let who: Person;
let integrationId: string;
let late = 0;
const params = () => ({ kind: 'snipeit', _id: integrationId });
beforeAll(async () => {
  tool = createTool();
  wire = Fastify({ forceCloseConnections: true });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  mountTool(wire, tool, { origin });
  await wire.listen({ host: '127.0.0.1', port });
  server = await testServer({ now: () => new Date(Date.now() + late), config: { sandboxPorts: [port], logLevel: 'silent' } });
  company = await testCompany(server);
  admin = await company.person(['admin']);
  wall = await testCabinet(server, admin.api, 3);
  who = tool.store.addPerson({ name: 'Kari Kunde', tlf: '912 34 567', email: 'kari@kunde.test' });
  const made = await admin.api('POST /integrations/{kind}', {
    params: { kind: 'snipeit' },
    body: { settings: { url: origin + TOOL_API }, secrets: { token: tool.store.apiKey() } },
  });
  integrationId = made._id;
});
beforeEach(() => tool.faults.clear());
afterAll(async () => {
  wall?.end();
  await server?.stop();
  await wire?.close();
});

const sync = (isWhole = false) => syncTool(server.deps, company.id, integrationId, isWhole);
const at = async (ms: number, done: () => Promise<unknown>) => {
  late = ms;
  await done().finally(() => (late = 0));
};
const known = async () => {
  const there = tool.store.addAsset(`Thing ${unique()}`, `T-${unique()}`);
  await sync();
  const [here] = await admin.api('GET /assets', { query: { q: { $text: there.name } } });
  if (!here) throw new Error('it is not known');
  return { there, here };
};
const now = ({ id }: Asset) => tool.store.asset(id);
const told = async (assetId: string) => (await admin.api('GET /assets/{id}', { params: { id: assetId } })).tool?.told ?? null;
const outs = ({ id }: Asset) => tool.store.entries().filter((one) => one.assetId === id && one.action === 'checkout').length;
const handedOut = async (assetId: string, more: { externalRef?: string; email?: string }) => {
  const { externalRef, email = 'kari@kunde.test' } = more;
  const lockerId = (await wall.free()).id;
  const receiver = { name: 'Kari Kunde', email };
  const body = { type: 'delivery' as const, service: 'selfservice' as const, lockerId, assetId, receiver };
  const { id } = await admin.api('POST /occupations', { body: externalRef === undefined ? body : { ...body, externalRef } });
  await admin.api('PUT /occupations', { body: { id, action: 'fill' } });
  return id;
};
const retrieve = (id: string) => admin.api('POST /occupations/{id}/retrieve', { params: { id }, body: {} });
/** On a busy machine the job comes late. */
const PATIENT = { timeout: 20_000 };

it('its assets stand among ours with their tag and page, and what is asked for is fulfilled and comes back', async () => {
  const seen = await admin.api('POST /integrations/{kind}/{_id}/test', { params: params(), body: {} });
  expect(seen).toMatchObject({ state: 'active', lastError: null });
  const { there, here } = await known();
  expect(here).toMatchObject({ source: 'tcm', identifiers: [{ value: there.tag }], tool: { kind: 'snipeit', state: 'available' } });
  expect(here.tool?.url).toMatch(new RegExp(`/hardware/${there.id}$`));
  expect(await refusal(admin.api('PUT /assets/{_id}', { params: { _id: here._id }, body: { name: 'Mine' } }))).toEqual([
    409,
    'changed-there',
  ]);
  const asked = tool.store.ask({ what: 'For the wall', assetId: there.id, personId: who.id, until: null });
  await sync();
  const [request] = (await admin.api('GET /asset-requests')).filter(({ asset }) => asset?.id === here._id);
  expect(request?.person).toEqual({ name: 'Kari Kunde', tlf: '+4791234567', email: 'kari@kunde.test' });
  const id = await handedOut(here._id, { externalRef: request?.number ?? '' });
  await expect.poll(() => told(here._id), PATIENT).toEqual({ kind: 'check-out', state: 'done', error: null });
  expect(now(there)?.holderId).toBe(who.id);
  expect(tool.store.request(asked.id)?.state).toBe('handed-out');
  await retrieve(id);
  await expect.poll(() => told(here._id), PATIENT).toEqual({ kind: 'check-in', state: 'done', error: null });
  expect(now(there)?.holderId).toBeNull();
});

it('refuses, with 200, whom it does not know: nothing here is lost, and it is said with what to do', async () => {
  const { there, here } = await known();
  await handedOut(here._id, { email: `nobody-${unique()}@kunde.test` });
  await expect.poll(() => told(here._id), PATIENT).toEqual({ kind: 'check-out', state: 'refused', error: 'person-unknown' });
  const differs = await admin.api('GET /integrations/{kind}/{_id}/differences', { params: params() });
  expect(differs.find(({ asset }) => asset.id === here._id)).toMatchObject({ what: 'refused', telling: { error: 'person-unknown' } });
  expect(now(there)?.holderId).toBeNull();
});

it('is told once, though the answer to it is lost', async () => {
  const { there, here } = await known();
  tool.faults.set({ kind: 'answer-lost', times: null, reference: null, ms: 0 });
  const id = await handedOut(here._id, {});
  await expect.poll(() => told(here._id).then((one) => one?.error ?? null), PATIENT).not.toBeNull();
  expect(await told(here._id)).toMatchObject({ kind: 'check-out', state: 'waiting' });
  expect(await admin.api('GET /occupations/{id}', { params: { id } })).toMatchObject({ stageName: 'FILLED' });
  tool.faults.clear();
  // What another run was at in between, it holds for half a minute.
  await at(2 * MINUTE, async () => {
    await sync();
    await sync();
  });
  await expect.poll(() => told(here._id), PATIENT).toEqual({ kind: 'check-out', state: 'done', error: null });
  expect(outs(there)).toBe(1);
  expect(now(there)?.holderId).toBe(who.id);
  await retrieve(id);
  await expect.poll(() => told(here._id), PATIENT).toMatchObject({ kind: 'check-in', state: 'done' });
});
