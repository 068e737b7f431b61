import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Fastify from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { FaultKind } from '@hatchway/sandbox/assets/faults.ts';
import { mountTool, TOOL_API } from '@hatchway/sandbox/assets/mount.ts';
import { createTool } from '@hatchway/sandbox/assets/tool.ts';
import { createOutside } from '@hatchway/server/outside/fetch.ts';
import type { ToolSaid } from '@hatchway/server/providers/asset-tool.ts';
import { openTool } from '@hatchway/server/providers/tools.ts';
import { root } from '../command.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

// docs/integrators/asset-tool: the document is one, and whoever says that they answer it do.

const folder = path.join(root, 'docs/integrators');
const file = path.join(folder, 'asset-tool.openapi.json');
const guide = readFileSync(path.join(folder, 'asset-tool.md'), 'utf8');
type Operation = { responses: Record<string, { $ref?: string; content?: Record<string, unknown> }> };
const document = JSON.parse(readFileSync(file, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object; responses: Record<string, { content: Record<string, unknown> }> };
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'doc');

const pointer = (...parts: string[]) => parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
/** What the document says is wrong with an answer; null where it keeps its word. */
const brokenWord = async (method: string, at: string, answer: Response): Promise<unknown> => {
  const status = String(answer.status);
  const said = document.paths[at]?.[method]?.responses[status];
  if (!said) return `${method} ${at} answers ${status}, which it does not say`;
  const shared = said.$ref?.split('/').at(-1);
  const content = shared === undefined ? said.content : document.components.responses[shared]?.content;
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  if (!content || !(type in content)) return `${method} ${at} answers ${type}`;
  const place =
    shared === undefined
      ? pointer('paths', at, method, 'responses', status, 'content', type)
      : pointer('components', 'responses', shared, 'content', type);
  const check = ajv.compile({ $ref: `doc#/${encodeURI(place)}/schema` });
  return check(await answer.json()) ? null : check.errors;
};
const person = { name: 'Kari “K” O’Hara & Sons', tlf: '+4791234567', email: 'kari@kunde.test' };
const stranger = { name: 'Ola Hansen', tlf: null, email: 'ola@kunde.test' };
const out = { requestId: null, person, until: null, note: '' };
const value = <T>(said: ToolSaid<T>): T => {
  if (said.kind !== 'ok') throw new Error(`${said.kind}: ${said.error}`);
  return said.value;
};

type Under = { base: string; key: string; /** An asset that is in, and one that somebody has. */ free: string; taken: string };

const callOf =
  ({ base, key }: Under) =>
  (method: string, at: string, more: { id?: string; query?: string; body?: unknown; headers?: Record<string, string> } = {}) =>
    fetch(`${base}${at.replace('{id}', more.id ?? '')}${more.query ?? ''}`, {
      method: method.toUpperCase(),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more.headers },
      ...(more.body === undefined ? {} : { body: typeof more.body === 'string' ? more.body : JSON.stringify(more.body) }),
    });

/** A tool is asked everything, well and badly, and each answer held against the document: those that break its word. */
const brokenWords = async (under: Under): Promise<unknown[]> => {
  const { free: id, taken } = under;
  const ask = callOf(under);
  let keys = 0;
  const once = () => ({ 'idempotency-key': `once-${(keys += 1)}` });
  const same = once();
  const [one, outAt, inAt] = ['/v1/assets/{id}', '/v1/assets/{id}/check-out', '/v1/assets/{id}/check-in'];
  const calls: [what: string, status: number, ...Parameters<typeof ask>][] = [
    ['list', 200, 'get', '/v1/assets'],
    ['search', 200, 'get', '/v1/assets', { query: '?q=drill&limit=1' }],
    ['a wrong limit', 400, 'get', '/v1/assets', { query: '?limit=0' }],
    ['a wrong time', 400, 'get', '/v1/assets', { query: '?modifiedSince=soon' }],
    ['one', 200, 'get', one, { id }],
    ['one that is out', 200, 'get', one, { id: taken }],
    ['none', 404, 'get', one, { id: '0' }],
    ['requests', 200, 'get', '/v1/requests'],
    ['conditions', 200, 'get', '/v1/conditions'],
    ['no key', 401, 'get', '/v1/assets', { headers: { authorization: '' } }],
    ['out', 200, 'post', outAt, { id, body: out, headers: same }],
    ['out again', 200, 'post', outAt, { id, body: out, headers: same }],
    ['a key of another change', 409, 'post', outAt, { id, body: { ...out, note: 'x' }, headers: same }],
    ['out twice', 409, 'post', outAt, { id, body: out, headers: once() }],
    ['out without a key', 400, 'post', outAt, { id, body: out }],
    ['out with half a body', 400, 'post', outAt, { id, body: '{', headers: once() }],
    ['out with an empty body', 400, 'post', outAt, { id, body: {}, headers: once() }],
    ['out of an unknown request', 422, 'post', outAt, { id, body: { ...out, requestId: '0' }, headers: once() }],
    ['in as what there is not', 422, 'post', inAt, { id, body: { holder: null, condition: 'No', note: '' }, headers: once() }],
    ['in of what another has', 409, 'post', inAt, { id: taken, body: { holder: stranger, condition: null, note: '' }, headers: once() }],
    ['in without a holder', 400, 'post', inAt, { id, body: { condition: null, note: '' }, headers: once() }],
    ['in', 200, 'post', inAt, { id, body: { holder: person, condition: 'Broken', note: '' }, headers: once() }],
    ['out of what is broken', 409, 'post', outAt, { id, body: out, headers: once() }],
    ['in of what is not out', 200, 'post', inAt, { id, body: { holder: person, condition: null, note: '' }, headers: once() }],
  ];
  const broken: unknown[] = [];
  for (const [what, status, method, at, more] of calls) {
    const answer = await ask(method, at, more);
    const wrong = await brokenWord(method, at, answer);
    if (answer.status !== status || wrong !== null) broken.push([what, answer.status, wrong]);
  }
  return broken;
};

it('is an OpenAPI document', async () => expect(await new Validator().validate(file)).toMatchObject({ valid: true }));

it('is what the sandbox answers, whatever it is asked', async () => {
  const tool = createTool();
  const app = Fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  const port = await freePort();
  mountTool(app, tool, { origin: `http://127.0.0.1:${port}` });
  await app.listen({ host: '127.0.0.1', port });
  const [free, taken] = [tool.store.addAsset('Drill', 'T-1'), tool.store.addAsset('Drill', 'T-2')];
  const who = tool.store.addPerson(person);
  tool.store.checkOut(taken, who, { until: null, note: '', by: 'page' });
  tool.store.ask({ what: 'Anything', assetId: null, personId: who.id, until: '2026-12-01T00:00:00.000Z' });
  const under = { base: `http://127.0.0.1:${port}${TOOL_API}`, key: tool.store.apiKey(), free: String(free.id), taken: String(taken.id) };
  expect(await brokenWords(under)).toEqual([]);
  for (const kind of ['outage', 'throttled'] as const satisfies FaultKind[]) {
    tool.faults.set({ kind, times: 1, reference: null, ms: 0 });
    expect([kind, await brokenWord('get', '/v1/assets', await callOf(under)('get', '/v1/assets'))]).toEqual([kind, null]);
  }
});

/** The guide's program, as somebody saves and starts it. */
const example = async (key: string): Promise<string> => {
  const code = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('\n');
  const at = mkdtempSync(path.join(tmpdir(), 'asset-tool-'));
  writeFileSync(path.join(at, 'example.mjs'), code);
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [path.join(at, 'example.mjs')], { env: { PORT: String(port), TOOL_KEY: key } });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(at, { recursive: true });
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()));
  const ready = () => {
    if (!said.includes('The tool answers')) throw new Error(`Not ready: ${said}`);
  };
  await vi.waitFor(ready, { timeout: 60_000, interval: 50 });
  return `http://127.0.0.1:${port}`;
};

it('is what the guide’s whole tool answers, whatever it is asked', { timeout: 70_000 }, async () => {
  const base = await example('KEY');
  expect(await brokenWords({ base, key: 'KEY', free: '17', taken: '18' })).toEqual([]);
});

it('and the guide’s tool is all that our client needs', { timeout: 70_000 }, async () => {
  const base = await example('KEY');
  const client = openTool('tcm', createOutside([Number(new URL(base).port)]), base, 'KEY');
  expect(await client.test()).toEqual({ kind: 'ok', value: null });
  const [asked] = value(await client.requests({ since: null, cursor: null })).rows;
  const change = { assetId: asked?.assetId ?? '', requestId: asked?.id ?? '', person, until: null, note: 'Handed out', key: 'out' };
  for (let n = 0; n < 2; n++) expect(await client.checkOut(change)).toEqual({ kind: 'ok', value: null });
  expect(await client.checkOut({ ...change, key: 'another' })).toMatchObject({ kind: 'refused', error: 'out-already' });
  expect(value(await client.asset(change.assetId))).toMatchObject({ state: 'out', holder: person });
  expect(value(await client.requests({ since: asked?.modifiedAt ?? null, cursor: null })).rows).toMatchObject([{ state: 'handed-out' }]);
  const back = { assetId: change.assetId, from: { person, requestId: null }, condition: null, note: 'Came back', key: 'in' };
  const theirs = { ...back, from: { ...back.from, person: stranger }, key: 'not in' };
  expect(await client.checkIn(theirs)).toMatchObject({ kind: 'refused', error: 'out-to-another' });
  expect(await client.checkIn(back)).toEqual({ kind: 'ok', value: null });
  const page = value(await client.assets({ since: null, cursor: null, text: 't-17' }));
  expect(page).toMatchObject({ unread: 0, next: null, rows: [{ id: '17', state: 'available', holder: null }] });
});

it('gives an example in its guide that the client reads', async () => {
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
  const one = Fastify();
  one.get('/v1/assets', (_request, reply) => reply.type('application/json').send(text));
  const at = await one.listen({ host: '127.0.0.1', port: 0 });
  const said = value(await openTool('tcm', createOutside([Number(new URL(at).port)]), at, 'KEY').assets({ since: null, cursor: null }));
  await one.close();
  expect(said).toMatchObject({ unread: 0, next: null, rows: [{ id: '17', state: 'out', holder: { name: 'Kari Nordmann' } }] });
  expect(ajv.compile({ $ref: 'doc#/components/schemas/AssetPage' })(JSON.parse(text))).toBe(true);
});
