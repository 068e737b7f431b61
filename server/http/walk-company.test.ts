import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { newId } from '../ids.ts';
import { testCompany, type TestCompany } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';
import { bodiesOf, idsIn, put, queryOf, schemaOf, variantsOf } from './test-samples.ts';
import { ask, bodyOf, byName, guarded, name, paramsOf, testWorld, type Answer, type World } from './test-world.ts';

// What an administrator of another company hears of ours, walked over every call.

/** Calls that answer each of many ids by itself; what they say of a foreign one stands in their own tests. */
const EACH = new Set(['POST /occupations/bulk']);

let server: TestServer;
let ours: TestCompany;
let us: World;
let them: World;
beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  us = await testWorld(server, ours);
  them = await testWorld(server, await testCompany(server));
});
afterAll(() => server.stop());

const asked = (route: RouteSpec, token: string | null, more: { params?: Record<string, string>; body?: unknown } = {}) =>
  ask(server, route, { token, params: paramsOf(route, us), body: bodyOf(route, us), ...more });
const codeOf = (answer: Answer): unknown => (JSON.parse(answer.text) as { code?: unknown }).code;

const random = (own: string): string => (/^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(own) ? crypto.randomUUID() : newId());
const isJson = ({ headers }: Answer): boolean => headers.get('content-type')?.startsWith('application/json') ?? false;
const isList = (answer: Answer): boolean => isJson(answer) && Array.isArray(JSON.parse(answer.text));
/** How many rows a list or a file answers; null for what is no list. */
const rowsIn = (answer: Answer): number | null => {
  const { headers, text } = answer;
  if (headers.get('content-type')?.startsWith('text/csv')) return text.trim().split('\r\n').length - 1;
  return isList(answer) ? (JSON.parse(text) as unknown[]).length : null;
};
const idsOf = (company: string, world: World): string[] => [
  ...new Set(
    [company, ...Object.values(world.known), ...Object.values(world.params).flatMap((params) => Object.values(params))]
      .map(String)
      .filter((id) => id.length === 36),
  ),
];
const alike = (answer: Answer) => ({ status: answer.status, text: answer.text, type: answer.headers.get('content-type') });

describe('another company', () => {
  const withParams = guarded.filter((route) => route.path.includes('{') && !route.path.startsWith('/types/'));
  it.each(byName(withParams))('gets the same from %s for our rows as for none at all', async (_, route) => {
    const own = paramsOf(route, them);
    const foreign = paramsOf(route, us);
    const body = bodyOf(route, them);
    // A kind is a word, and nobody's row.
    for (const param of Object.keys(own).filter((one) => one !== 'kind')) {
      const answers = [foreign[param] ?? '', random(own[param] ?? '')].map((id) =>
        asked(route, them.admin.token, { params: { ...own, [param]: id }, body }),
      );
      const [ofOurs, ofNone] = await Promise.all(answers);
      if (!ofOurs || !ofNone) throw new Error('no answer');
      expect([param, ofOurs.status, codeOf(ofOurs)]).toEqual([param, 404, 'not-found']);
      expect(alike(ofOurs)).toEqual(alike(ofNone));
    }
  });

  const cases = guarded
    .filter((route) => !EACH.has(name(route)))
    .flatMap((route) =>
      variantsOf(route).flatMap((schema, variant) =>
        idsIn(schema).map((path) => [`${name(route)} ${path.join('.')}`, route, variant, path, schema] as const),
      ),
    );
  it.each(cases)('hears the same of our id in %s as of an absent one', async (_, route, variant, path, schema) => {
    const body = bodiesOf(route, them.known)[variant]?.body ?? {};
    const field = path.findLast((step) => step !== '0') ?? '';
    const foreign = us.known[field];
    if (typeof foreign !== 'string') throw new Error(`no row is known for ${field}: add it to test-world.ts`);
    const params = paramsOf(route, them);
    const made = { schema, known: them.known };
    const ofOurs = await asked(route, them.admin.token, { params, body: put(body, path, foreign, made) });
    const ofNone = await asked(route, them.admin.token, { params, body: put(body, path, random(foreign), made) });
    // The row that a call is about is absent; a row that it refers to is an unknown reference, with its place.
    const heard = JSON.parse(ofOurs.text) as Record<string, unknown>;
    expect(heard).toMatchObject(
      field === 'id' || field === '_id' || field === 'tenantId'
        ? { status: 404, code: 'not-found' }
        : { status: 422, code: 'unknown-reference', errors: [{ pointer: `/${path.join('/')}` }] },
    );
    expect(alike(ofOurs)).toEqual(alike(ofNone));
  });

  const counted = guarded.filter((route) => route.query && schemaOf(route.query).properties?.['count']);
  it('sees none of our rows in any list that counts none, whatever it asks for', async () => {
    // What counts its rows is looked at below.
    const lists = guarded.filter(
      (route) => route.method === 'GET' && !route.path.includes('{') && route.path !== '/accounts/me' && !counted.includes(route),
    );
    for (const route of lists) {
      const query = queryOf(route, us.known);
      const answer = await ask(server, route, { token: them.admin.token, query });
      // Without a shop there is no address to approve it at, and without a payment provider nothing to compare with.
      const unconnected = ['/woo/url', '/payments/reconcile'].includes(route.path);
      expect([name(route), answer.status]).toEqual([name(route), unconnected ? 409 : 200]);
      // Where we have nothing, that they see nothing shows nothing.
      const own = rowsIn(await ask(server, route, { token: us.admin.token, query }));
      expect([name(route), own !== 0]).toEqual([name(route), true]);
      const leaked = [...idsOf(ours.id, us), us.known['search']].filter((one) => answer.text.includes(String(one)));
      expect([name(route), leaked]).toEqual([name(route), []]);
    }
  });

  // What a call asks of ids beside its path: the fields of its `q`, and parameters of its own.
  const asks = guarded.flatMap((route) => {
    const fields = route.query ? (schemaOf(route.query).properties ?? {}) : {};
    const inQ = Object.entries((fields['q'] as { 'x-fields'?: Record<string, string> } | undefined)?.['x-fields'] ?? {});
    return [
      ...inQ.filter(([, kind]) => kind.startsWith('uuid')).map(([field]) => [`${name(route)} q.${field}`, route, field, true] as const),
      ...Object.entries(fields).flatMap(([field, { format }]) =>
        format === 'uuid' ? [[`${name(route)} ${field}`, route, field, false] as const] : [],
      ),
    ];
  });
  const absent = new Map<string, ReturnType<typeof alike>[]>();
  it.each(asks)('hears the same of our ids in %s as of absent ones', async (_, route, field, inQ) => {
    const answersTo = async (world: World, values: readonly string[]) => {
      const params = paramsOf(route, world);
      const answers: Answer[] = [];
      for (const value of values)
        answers.push(
          await ask(server, route, { token: world.admin.token, params, query: `?${inQ ? 'q' : field}=${encodeURIComponent(value)}` }),
        );
      return answers;
    };
    const amongAll = (ids: readonly string[]) => (inQ ? [JSON.stringify({ [field]: { $in: ids } })] : ids);
    const alone = (ids: readonly string[]) => (inQ ? ids.map((id) => JSON.stringify({ [field]: id })) : []);
    const all = idsOf(ours.id, us);
    // A parameter of its own names one row: ours that it may name.
    const named = { accountId: us.admin.accountId, cursor: us.known['paymentId'], ...us.known }[field];
    if (!inQ && typeof named !== 'string') throw new Error(`no row is known for ${field}: add it to test-world.ts`);
    const ids = inQ ? all : [String(named)];
    const own = await answersTo(us, amongAll(ids));
    // Where we find nothing by them, that they find nothing shows nothing.
    const seen = own.filter((answer) => (rowsIn(answer) ?? Object.keys(JSON.parse(answer.text) as object).length) > 0);
    expect([field, seen.length > 0]).toEqual([field, true]);
    // Among all of ours, and one that we find something by also alone: what stands in that field of a row, where rows show it.
    const heard = ids.filter((id) => own.some(({ text }) => text.includes(id)));
    const shown = own.flatMap((answer) => (isList(answer) ? (JSON.parse(answer.text) as Record<string, unknown>[]) : []));
    const inField = heard.filter((id) => shown.some((row) => JSON.stringify(row[field] ?? null).includes(id)));
    const telling = (inField.length > 0 ? inField : heard).slice(0, 1);
    // How one id alone is asked for is the same for all fields of a list, save for lockers, which history asks for in its own way.
    const isAskedAlone = field === 'lockerId' || asks.find(([, first]) => first === route)?.[2] === field;
    const ofOurs = await answersTo(them, [...amongAll(ids), ...(isAskedAlone ? alone(telling) : [])]);
    // Absent ids are answered the same in every field of a list.
    const key = inQ ? name(route) : `${name(route)} ${field}`;
    const ofNone = absent.get(key) ?? (await answersTo(them, amongAll(ids.map(() => newId())))).map(alike);
    absent.set(key, ofNone);
    expect(ofNone).toHaveLength(1);
    expect(ofOurs.map(alike)).toEqual(ofOurs.flatMap(() => ofNone));
  });

  const binary = ({ response }: RouteSpec): string => (typeof response === 'object' && 'binary' in response ? response.binary : '');
  const pictures = guarded.filter((route) => binary(route).startsWith('image/'));
  it.each(byName(pictures))('is shown no picture of ours by %s, nor that there is one', async (_, route) => {
    const own = await asked(route, us.admin.token);
    expect([own.status, own.headers.get('content-type')]).toEqual([200, binary(route)]);
    const foreign = await asked(route, them.admin.token);
    expect([foreign.status, codeOf(foreign), foreign.headers.get('etag')]).toEqual([404, 'not-found', null]);
  });

  // Every word of our rows, as its list would be searched for it.
  const wordsOf = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsOf) : [];
  it.each(byName(counted))('neither counts nor finds our rows in %s', async (_, route) => {
    const list = async (world: World, q?: object) => {
      const query = `?count=true&limit=500${q ? `&q=${encodeURIComponent(JSON.stringify(q))}` : ''}`;
      const answer = await ask(server, route, { token: world.admin.token, params: paramsOf(route, world), query });
      expect(answer.status).toBe(200);
      return { rows: JSON.parse(answer.text) as unknown[], total: Number(answer.headers.get('x-total-count')), text: answer.text };
    };
    const ids = [...idsOf(ours.id, us), String(us.known['search'])];
    const isTheirsAlone = async (q?: object): Promise<void> => {
      const { rows, total, text } = await list(them, q);
      expect([q, total, ids.filter((id) => text.includes(id))]).toEqual([q, rows.length, []]);
    };
    await isTheirsAlone();
    const { rows } = await list(us);
    // Where we have nothing, that they see nothing shows nothing.
    expect(rows.length).toBeGreaterThan(0);
    if (!JSON.stringify(schemaOf(route.query!).properties?.['q']).includes('$text')) return;
    const isStamp = (word: string): boolean => /^[\da-f]{8}-|^\d{4}-\d\d-\d\dT/.test(word);
    const words = [...new Set([String(us.known['search']), ...wordsOf(rows)])]
      .filter((word) => word !== '' && word.length <= 100)
      // Few lists are searched for an id, and none for a moment.
      .toSorted((a, b) => Number(isStamp(a)) - Number(isStamp(b)));
    // The first that finds one of ours: what is searched is one function a list.
    let finding: string | undefined;
    for (const $text of words) if (finding === undefined && (await list(us, { $text })).rows.length > 0) finding = $text;
    expect(finding).toBeDefined();
    await isTheirsAlone({ $text: finding });
  });
});
