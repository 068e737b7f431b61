import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { query } from '../db/test-database.ts';
import { newId } from '../ids.ts';
import { testCompany, type TestPerson } from '../test-company.ts';
import { testServer, unique, type TestServer } from '../test-server.ts';
import { pointersIn, refusalIn, sendRaw } from './test-raw.ts';
import { byName, name } from './test-world.ts';

// The document as whoever programs against it gets it, held against what the server does.

type Parameter = { name: string; in: string; schema: { pattern?: string; maxLength?: number } };
type Operation = { parameters: Parameter[]; requestBody?: { required: boolean }; responses: Record<string, { description: string }> };

const all: readonly RouteSpec[] = routes;
const withBody = all.filter((route) => route.body !== undefined);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const JSON_TYPE = { 'content-type': 'application/json' };

let server: TestServer;
let admin: TestPerson;
/** Whatever is no row’s id: what is asked here is told before any row is looked for. */
const params: Record<string, string> = { kind: 'vipps', name: 'shop', number: '100000', ref: 'ref', token: 'nosuchtoken' };
let paths: Record<string, Record<string, Operation>>;
beforeAll(async () => {
  server = await testServer();
  const company = await testCompany(server);
  admin = await company.person(['admin']);
  params['tenant'] = company.id;
  paths = ((await (await fetch(`${server.url}/v1/openapi.json`)).json()) as { paths: typeof paths }).paths;
});
afterAll(() => server.stop());

const bare = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
const declared = (route: RouteSpec): Operation => {
  const [, item] = Object.entries(paths).find(([path]) => bare(path) === bare(route.path)) ?? [];
  const operation = item?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`${name(route)} is not in the document`);
  return operation;
};
const tokenFor = (route: RouteSpec): string | null => {
  if (route.access === 'public') return null;
  return route.access === 'operator' ? server.deps.config.operatorKey : admin.token;
};
const pathOf = (route: RouteSpec): string => route.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => params[param] ?? newId());
const send = (route: RouteSpec, headers: Record<string, string>, body: string | null = null, path = pathOf(route)) =>
  sendRaw(server.url, { method: route.method, path, headers, body, token: tokenFor(route) });
const occupied = () => query(server.database.ownerUrl, 'select count(*)::int from occupations', []);

describe('a call whose body the document requires', () => {
  const requiring = withBody.filter((route) => route.method !== 'DELETE');
  const missing = [{}, JSON_TYPE, { ...JSON_TYPE, 'content-length': '0' }];
  let before: unknown;
  beforeAll(async () => {
    before = await occupied();
  });
  it.each(byName(requiring))('%s, refuses a missing one', async (_, route) => {
    expect(declared(route).requestBody).toMatchObject({ required: true });
    // What reads them is one for all: each hears one of the ways to send none.
    const headers = missing[requiring.indexOf(route) % missing.length] ?? {};
    const answer = await send(route, headers);
    expect([headers, refusalIn(answer)]).toMatchObject([headers, { status: 400, code: 'malformed' }]);
    expect(pointersIn(answer).filter((pointer) => pointer.startsWith('/params'))).toEqual([]);
  });

  it('has done nothing without it', async () => {
    expect(await occupied()).toEqual(before);
  });

  it('is any but DELETE, whose address may say all of it', () => {
    const without = all.filter((route) => route.body !== undefined && declared(route).requestBody?.required !== true);
    expect(without.map(name)).toEqual(['DELETE /occupations/{id}']);
  });

  it('of DELETE is refused where it says what is deleted, and else does without', async () => {
    const site = await admin.api('POST /sites', { body: { name: unique() } });
    const doors = [{ doorTag: unique(), compartment: 1, size: 'M' as const, height: 300 }];
    const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
    const lockerId = cabinet.columns[0]?.doors[0]?.lockerId ?? '';
    const { id } = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId } });
    const without = async (call: string, path: string) => {
      const route = withBody.find((one) => name(one) === call);
      return route && (await send(route, {}, null, path)).status;
    };
    expect(await without('DELETE /templates', '/templates')).toBe(400);
    expect(await without('DELETE /occupations/{id}', `/occupations/${id}`)).toBe(204);
  });
});

describe('a path', () => {
  const ofEachPath = [...new Map(all.map((route) => [route.path, route])).values()];
  it.each(byName(ofEachPath))('of %s names the methods that it has to whoever comes with another', async (_, route) => {
    const path = pathOf(route);
    const fits = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
    const there = Object.keys(
      Object.assign({}, ...Object.entries(paths).map(([template, item]) => (fits(template) ? item : {}))) as object,
    );
    const has = there.map((method) => method.toUpperCase());
    // One of those that it lacks, another one from path to path.
    const lacking = METHODS.filter((one) => !has.includes(one));
    const method = lacking[ofEachPath.indexOf(route) % lacking.length] ?? '';
    const answer = await sendRaw(server.url, { method, path, headers: {}, body: null, token: null });
    expect([method, refusalIn(answer)]).toMatchObject([method, { status: 405, code: 'method-not-allowed' }]);
    expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual([...has, ...(has.includes('GET') ? ['HEAD'] : [])].toSorted());
  });

  it.each(['/nosuch', '/lockers/a/b/c', '/occupations/x/nosuch'])('%s that is none is still not found', async (path) => {
    for (const method of METHODS)
      expect(refusalIn(await sendRaw(server.url, { method, path, headers: {}, body: null, token: null }))).toMatchObject({ status: 404 });
  });
});

describe('what the document says of a head', () => {
  it('may be too long for every call, as each declares', () => {
    expect(all.filter((route) => !declared(route).responses['413']?.description.split(', ').includes('too-large')).map(name)).toEqual([]);
  });

  // It is refused before anybody knows which call it is of.
  const ofEachMethod = [...new Map(all.map((route) => [route.method, route])).values()];
  it.each(byName(ofEachMethod))('%s answers one that is too long with what every answer has', async (_, route) => {
    const answer = await send(route, { 'x-long': 'x'.repeat(40_000) });
    expect(refusalIn(answer).status).toBe(413);
    for (const header of ['x-content-type-options', 'referrer-policy', 'content-security-policy', 'cross-origin-opener-policy'])
      expect([header, answer.headers.get(header)]).toEqual([header, expect.stringMatching(/./)]);
  });

  const repeatable = all.filter((route) => route.method === 'POST' && route.access !== 'public');
  it('names Idempotency-Key where one is kept, and nowhere else', () => {
    const naming = all.filter((route) => declared(route).parameters.some((one) => one.name === 'Idempotency-Key'));
    expect(naming.map(name)).toEqual(repeatable.map(name));
  });

  it.each(['a', '"a"', 'a'.repeat(200), `"${'a'.repeat(200)}"`, 'a"b', '{"a":1}', '"', 'a b', 'a\tb', '""', 'a'.repeat(201), 'é', `"${'a'.repeat(201)}"`])(
    'takes the Idempotency-Key %j where its pattern does',
    async (key) => {
      const find = all.find((route) => name(route) === 'POST /occupations/find');
      if (!find) throw new Error('no such call');
      const { schema } = declared(find).parameters.find((one) => one.name === 'Idempotency-Key') ?? { schema: { pattern: '(?!)' } };
      const answer = await send(find, { ...JSON_TYPE, 'idempotency-key': key }, '{"scan":"x"}');
      expect(answer.status === 200).toBe(new RegExp(schema.pattern ?? '(?!)', 'u').test(key));
    },
  ); // prettier-ignore
});

describe('what the document says of a list', () => {
  const lists = all.filter((route) => route.method === 'GET' && route.path === '/lockers');
  const schemaOf = (route: RouteSpec, parameter: string) =>
    declared(route).parameters.find((one) => one.in === 'query' && one.name === parameter)?.schema ?? {};
  const patternOf = (route: RouteSpec, parameter: string) => new RegExp(schemaOf(route, parameter).pattern ?? '(?!)', 'u');

  it('gives a pattern and a length for every cursor and q', () => {
    for (const { operation, at } of Object.entries(paths).flatMap(([at, item]) =>
      Object.values(item).map((operation) => ({ at, operation })),
    ))
      for (const parameter of operation.parameters.filter((one) => one.in === 'query' && ['cursor', 'q'].includes(one.name)))
        expect([at, parameter.name, parameter.schema]).toMatchObject([
          at,
          parameter.name,
          { pattern: expect.any(String) as string, maxLength: expect.any(Number) as number },
        ]);
  });

  it.each(byName(lists))('%s refuses what they refuse', async (_, route) => {
    const asked = async (search: Record<string, string>) =>
      (await send(route, {}, null, `${pathOf(route)}?${new URLSearchParams(search).toString()}`)).status;
    const first = await send(route, {}, null, `${pathOf(route)}?limit=1`);
    const next = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
    for (const cursor of ['', 'é', 'a b', 'a=', 'a+b', '{"s":1}', ...(next ? [next] : [])]) {
      const taken = patternOf(route, 'cursor').test(cursor);
      expect([cursor, await asked({ cursor }), taken]).toEqual([cursor, taken ? 200 : 400, taken]);
    }
    for (const q of ['', '[]', '7', 'null', '"x"', 'x', '{', '}{', '{}', ' {}\n', '{"doorTag":"A 1"}', '\u00a0{}']) {
      const taken = patternOf(route, 'q').test(q);
      expect([q, await asked({ q }), taken]).toEqual([q, taken ? 200 : 400, taken]);
    }
  });
});
