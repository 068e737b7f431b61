import { parse } from 'node:querystring';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inputIssue } from '@hatchway/contract/checks.ts';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { query } from '../db/test-database.ts';
import { newId } from '../ids.ts';
import { testCompany } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';
import { check } from './check.ts';
import { Problem } from './problem.ts';
import { taken } from './sound.ts';
import { bodiesOf, mistakesIn, queryOf, schemaOf } from './test-samples.ts';
import { problemsOf } from './openapi.ts';
import { pointersIn, refusalIn, sendRaw } from './test-raw.ts';
import { ask, bodyOf, byName, name, paramsOf, testWorld, type World } from './test-world.ts';

const all: readonly RouteSpec[] = routes;
const withBody = all.filter((route) => route.method !== 'GET');
const named = (wanted: string): RouteSpec => {
  const found = all.find((route) => name(route) === wanted);
  if (!found) throw new Error(`no call ${wanted}`);
  return found;
};

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await testServer();
  world = await testWorld(server, await testCompany(server));
});
// A token lives for five minutes, and a busy machine takes longer for all calls.
const RENEWED_MS = 120_000;
let signedIn = Date.now();
beforeEach(async () => {
  if (Date.now() - signedIn < RENEWED_MS) return;
  world = { ...world, admin: await world.admin.again() };
  signedIn = Date.now();
});
afterAll(() => server.stop());

const tokenFor = (route: RouteSpec): string | null => {
  if (route.access === 'public') return null;
  return route.access === 'operator' ? server.deps.config.operatorKey : world.admin.token;
};

const AT_ONCE = 8;
const each = async <T>(list: readonly T[], run: (one: T) => Promise<void>): Promise<void> => {
  for (let at = 0; at < list.length; at += AT_ONCE) await Promise.all(list.slice(at, at + AT_ONCE).map(run));
};

/** What a call says of input before it asks the database anything; null where it takes it. The call itself is asked what each of them is. */
const toldOf = (schema: RouteSpec['body' | 'query' | 'params'], value: unknown, at: string): Problem | null => {
  try {
    check(schema, taken(value, at), at);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
};
/** One of `n`, each call another: how a mistake that was found is told is the same for all of them. */
const some = <T>(list: readonly T[], route: RouteSpec, n: number): T[] => list.filter((_, at) => (at + all.indexOf(route)) % n === 0);

const raw = (method: string, path: string, headers: Record<string, string>, body: string | Uint8Array | null, token = adminToken()) =>
  sendRaw(server.url, { method, path, headers, body, token });
const adminToken = (): string | null => world.admin.token;
const pathOf = (route: RouteSpec, params = paramsOf(route, world)): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const JSON_TYPE = { 'content-type': 'application/json' };

/** The empty one is the whole body's. */
const isPointed = (found: string[]): boolean => found.length > 0 && found.every((one) => /^(\/[^/]+)*$/.test(one));
const pointed = expect.toSatisfy(isPointed);
const isMalformed = (problem: Problem | null): boolean =>
  problem?.code === 'malformed' && isPointed(problem.errors.map(({ pointer }) => pointer));

describe('a body with one mistake', () => {
  it.each(byName(withBody.filter((route) => route.body)))('is refused by %s as malformed, in the words of section 5', async (_, route) => {
    const mistakes = bodiesOf(route, world.known).flatMap(({ schema, body }) => mistakesIn(schema, body));
    expect(mistakes.length).toBeGreaterThan(0);
    const params = paramsOf(route, world);
    const untold = mistakes.filter(({ body }) => {
      const problem = toldOf(route.body, body, '');
      return !isMalformed(problem) || !(inputIssue(name(route), { params, body }) ?? problem?.message);
    });
    expect(untold.map(({ what }) => what)).toEqual([]);
    // Each is found above; one of them, each call another, shows how the call itself tells of it.
    await each(mistakes.slice(all.indexOf(route) % mistakes.length).slice(0, 1), async ({ what, body }) => {
      const answer = await ask(server, route, { token: tokenFor(route), params, body: JSON.stringify(body) });
      expect([what, answer.status]).toEqual([what, 400]);
      const refused = refusalIn(answer);
      const words = inputIssue(name(route), { params, body });
      expect([what, refused.detail]).toEqual([what, words ?? refused.detail]);
      expect([what, pointersIn(answer)]).toEqual([what, pointed]);
    });
  });

  // shows R5.15, R5.17, R5.18, R5.20, R5.21, R5.22, R8.3
  it.each([
    ['POST /companies/{tenant}/invitations', { roles: [] }, 'Email and/or tlf is required'],
    ['POST /companies/{tenant}/invitations', { roles: [], tlf: ' ' }, 'Email and/or tlf is required'],
    ['POST /occupations', {}, 'Missing / Format issue of "type" element'],
    ['POST /occupations', { type: 7 }, 'Missing / Format issue of "type" element'],
    ['POST /assets', { name: 'X', data: [] }, 'Asset data is not an object'],
    ['PUT /assets/{_id}', { name: 'X', data: 'text', version: 1 }, 'Asset data is not an object'],
    ['POST /groups', {}, 'Missing / Format issue of name'],
    ['POST /integrations/entra', {}, 'Missing / Format issue of tid'],
    ['POST /asset-groups', { description: 'X' }, 'Missing / Format issue of name'],
    ['POST /asset-groups', { name: 'X' }, 'Missing / Format issue of description'],
    ['POST /asset-groups', { name: 'X', description: 7 }, 'Missing / Format issue of description'],
    ['POST /permissions', { scopes: [], groups: [], lockers: [] }, 'Missing / Format issue of name'],
    ['POST /permissions', { name: 'X', groups: [], lockers: [] }, 'Missing / Format issue of scopes'],
    ['POST /permissions', { name: 'X', scopes: [], groups: 'x', lockers: [] }, 'Missing / Format issue of groups'],
    ['POST /permissions', { name: 'X', scopes: [], groups: [] }, 'Missing / Format issue of lockers'],
    ['PUT /groups/{id}', { name: 7 }, 'Missing / Format issue of name'],
    ['PUT /asset-groups/{id}', { name: 'X' }, 'Missing / Format issue of description'],
    ['PUT /permissions/{id}', { name: 'X', scopes: [], groups: [], lockers: 7 }, 'Missing / Format issue of lockers'],
    ['PUT /permissions/{id}', [], 'Missing / Format issue of data'],
  ])('%s %j answers the words of the specification', async (call, body, words) => {
    const route = named(call);
    const answer = await ask(server, route, { token: tokenFor(route), params: paramsOf(route, world), body });
    expect(refusalIn(answer)).toEqual({ status: 400, code: 'malformed', detail: words });
  });

  // shows R5.3, R5.4, R5.5, R5.6, R5.7, R5.8, R5.9, R5.10, R5.11, R5.12, R5.14, R8.3
  it.each([
    ['DELETE /companies/{tenant}/memberships/{membershipId}', 'membershipId', 'membershipId'],
    ['GET /companies/{tenant}/invitations/{id}', 'id', 'invitationId'],
    ['DELETE /companies/{tenant}/invitations/{id}', 'id', 'invitationId'],
    ['GET /assets/{id}', 'id', 'assetID'],
    ['PUT /assets/{_id}', '_id', 'assetID'],
    ['POST /lockers/{id}/open', 'id', 'lockerID'],
    ['GET /policies/{id}', 'id', 'policyId'],
    ['DELETE /policies/{_id}', '_id', 'policyId'],
    ['GET /groups/{id}/members', 'id', 'groupId'],
    ['POST /groups/{id}/members/{userId}', 'userId', 'userId'],
    ['DELETE /asset-groups/{id}', 'id', 'assetGroupId'],
    ['PUT /permissions/{id}', 'id', 'permissionId'],
    ['GET /policies/{ref}/login_hint', 'ref', 'ref'],
    ['GET /types/{kind}', 'kind', 'kind'],
  ])('%s with a %s of another form answers them too', async (call, param, argument) => {
    const route = named(call);
    const params = { ...paramsOf(route, world), [param]: 'no such one, and none that any of them could be: it is too long' };
    const body = route.method === 'GET' ? undefined : bodyOf(route, world);
    const answer = await ask(server, route, { token: tokenFor(route), params, body });
    expect(refusalIn(answer)).toEqual({ status: 400, code: 'malformed', detail: `Missing / Format issue of ${argument}` });
  });

  it('is malformed where PostgreSQL alone finds its value wrong', async () => {
    // No input is known that comes so far, so its place is taken by a table that takes none.
    const finicky = `create function finicky() returns trigger language plpgsql as $$ begin raise exception sqlstate '22008'; end $$;
      create trigger finicky before insert on api_keys execute function finicky()`;
    await query(server.database.ownerUrl, finicky);
    const body = { name: 'Till', scopes: ['read'], expiresAt: '2999-01-01T00:00:00+23:59' };
    const make = () => ask(server, named('POST /key'), { token: world.admin.token, body });
    expect(refusalIn(await make())).toMatchObject({ code: 'malformed' });
    await query(server.database.ownerUrl, 'drop function finicky cascade');
    expect((await make()).status).toBe(200);
  });

  it.each([
    ['POST /pickup/look', { key: {} }, '/key/token: is missing'],
    ['POST /pickup/look', { key: { code: '123456', cabinet: 7 } }, '/key/cabinet: expected string, received number'],
    ['POST /pickup/look', { key: { link: 'x', use: 'y' } }, '/key/use: Invalid UUID'],
    ['POST /pickup/look', { key: 7 }, '/key: expected object, received number'],
  ])('%s %j, which fits none of its forms, says what the nearest one lacks', async (call, body, words) => {
    expect(refusalIn(await ask(server, named(call), { token: null, body })).detail).toBe(words);
  });

  it('points at the whole of it by the empty pointer, and at a field by its name, whatever that holds', async () => {
    const told = async (body: unknown) => pointersIn(await ask(server, named('POST /groups'), { token: world.admin.token, body }));
    expect(await told([])).toEqual(['']);
    expect(await told({ name: 'X', 'a/b~c': 1 })).toEqual(['/a~1b~0c']);
  });

  it('names every wrong place with a pointer', async () => {
    const answer = await ask(server, named('POST /policies'), {
      token: world.admin.token,
      body: { name: 'X', ref: 'No Ref', price: { amount: -1, currency: 'NOK' }, nosuch: 1 },
    });
    const { errors } = JSON.parse(answer.text) as { errors: { pointer: string }[] };
    expect(errors.map((error) => error.pointer).toSorted()).toEqual(['/nosuch', '/price/amount', '/ref']);
  });
});

describe('a body that is none', () => {
  const broken: [string, Record<string, string>, string | Uint8Array, number][] = [
    ['broken JSON', JSON_TYPE, '{"name": ', 400],
    ['JSON with a tail', JSON_TYPE, '{} {}', 400],
    ['bytes that are no text', JSON_TYPE, new Uint8Array([0xff, 0xfe, 0x00, 0x7b]), 400],
    ['Latin-1', JSON_TYPE, latin1('{"name":"Bjørns gjeng"}'), 400],
    ['Latin-1 that says so', { 'content-type': 'application/json; charset=ISO-8859-1' }, latin1('{"name":"Bjørns gjeng"}'), 415],
    ['what says UTF-16', { 'content-type': 'application/json;charset="utf-16"' }, '{}', 415],
    ['endless nesting', JSON_TYPE, `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, 400],
    ['what says that it is more than 1 MB of JSON', { ...JSON_TYPE, 'content-length': String(1024 * 1024 + 1) }, '{"name":"', 413],
    ['text', { 'content-type': 'text/plain' }, '{}', 415],
    ['a form field', { 'content-type': 'application/x-www-form-urlencoded' }, 'name=x', 415],
    ['xml', { 'content-type': 'application/xml' }, '<x/>', 415],
    ['no content type', {}, '{}', 415],
    ['a content type that is none', { 'content-type': 'json' }, '{}', 415],
  ];
  // One of each way to read a body hears all of them, each other call one.
  const read = [...new Map(withBody.map((route) => [`${route.method === 'DELETE'} ${route.form}`, route])).values()];
  it.each(byName(withBody))('is refused by %s', async (_, route) => {
    await each(read.includes(route) ? broken : some(broken, route, broken.length), async ([what, headers, body, status]) => {
      const answer = await raw(
        route.method,
        pathOf(route),
        { 'content-length': String(Buffer.byteLength(body)), ...headers },
        body,
        tokenFor(route),
      );
      expect([what, answer.status]).toEqual([what, status]);
      refusalIn(answer);
    });
  });

  const FORM = { 'content-type': 'multipart/form-data; boundary=b' };
  const part = (field: string, value: string, file = '') =>
    `--b\r\ncontent-disposition: form-data; name="${field}"${file ? `; filename="${file}"\r\ncontent-type: image/png` : ''}\r\n\r\n${value}\r\n`;
  it.each(byName(read.filter((route) => !route.form)))('is a form to %s', async (_, route) => {
    const answer = await raw(route.method, pathOf(route), FORM, `${part('data', '{}')}--b--\r\n`, tokenFor(route));
    expect(refusalIn(answer)).toMatchObject({ status: 415 });
  });

  // What reads a body is the same for all calls: one of them is sent what is really that large.
  it.each([
    ['JSON', JSON_TYPE, `{"name":"${'x'.repeat(1024 * 1024)}"}`, 413],
    ['JSON that nests without end', JSON_TYPE, `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 400],
    ['a form', FORM, `${part('data', '{}')}${part('image', 'x'.repeat(1024 * 1024), 'x.png')}--b--\r\n`, 415],
  ])('is refused where it is large: %s', async (_, headers, body, status) => {
    expect(refusalIn(await raw('POST', '/groups', headers, body))).toMatchObject({ status });
  });

  /** Of each kind of form the first: one limit holds for all that are read the same way. */
  const LARGE = [...new Map(withBody.filter((route) => route.form).map((route) => [route.form, route])).values()];
  it.each(byName(withBody.filter((route) => route.form)))('is a broken form to %s', async (_, route) => {
    const data = JSON.stringify(bodyOf(route, world));
    const csv = route.form === 'csv';
    const file = csv ? 'file' : 'image';
    const forms: [string, Record<string, string>, string | Uint8Array, number][] = [
      ['Latin-1', FORM, latin1(`${part('data', '{"name":"Bjørns gjeng"}')}--b--\r\n`), 400],
      ['another charset', { 'content-type': `${FORM['content-type']}; charset=iso-8859-1` }, `${part('data', data)}--b--\r\n`, 415],
      ['no boundary', { 'content-type': 'multipart/form-data' }, part('data', data), 400],
      ['another boundary', { 'content-type': 'multipart/form-data; boundary=other' }, `${part('data', data)}--b--\r\n`, 400],
      ['cut off', FORM, part('data', data).slice(0, -20), 400],
      ['cut off in the picture', FORM, `${part('data', data)}${part(file, 'x', 'x.png').slice(0, -2)}`, 400],
      ['empty', FORM, '', 400],
      ['no JSON in data', FORM, `${part('data', '{"name":')}--b--\r\n`, 400],
      ['nested data', FORM, `${part('data', `${'['.repeat(20_000)}${']'.repeat(20_000)}`)}--b--\r\n`, 400],
      ['an unknown field', FORM, `${part('data', data)}${part('nosuch', '1')}--b--\r\n`, 400],
      ['an unknown file', FORM, `${part('data', data)}${part('other', 'x', 'x.png')}--b--\r\n`, 400],
      ['__proto__', FORM, `${part('data', data)}${part('__proto__', '1')}--b--\r\n`, 400],
      ['two pictures', FORM, `${part('data', data)}${part(file, 'x', 'a.png')}${part(file, 'x', 'b.png')}--b--\r\n`, 413],
      ['a picture that is text', FORM, `${part('data', data)}${part(file, 'x')}--b--\r\n`, 400],
      ['a picture that is none', FORM, `${part('data', data)}${part(file, csv ? '' : 'x', 'x.png')}--b--\r\n`, csv ? 422 : 415],
      ...(LARGE.includes(route)
        ? [
            [
              '10 MB',
              FORM,
              `${part('data', data)}${part(file, 'x'.repeat(10 * 1024 * 1024), 'x.png')}--b--\r\n`,
              413,
            ] as (typeof forms)[number],
          ]
        : []),
      ['far too many fields', FORM, `${part('data', data).repeat(50)}--b--\r\n`, 413],
    ];
    await each(forms, async ([what, headers, body, status]) => {
      const answer = await raw(route.method, pathOf(route), headers, body, tokenFor(route));
      expect([what, answer.status]).toEqual([what, status]);
      refusalIn(answer);
    });
  });

  // Whoever deletes declares JSON, by specification, and mostly sends none.
  const NONE: [string, Record<string, string>, string | null][] = [
    ['nothing declared', {}, null],
    ['JSON declared', JSON_TYPE, null],
    ['JSON of no length', { ...JSON_TYPE, 'content-length': '0' }, null],
    ['JSON that is empty', JSON_TYPE, ''],
  ];
  it.each(byName(all.filter((route) => route.method === 'DELETE')))('counts as {} to %s where it is empty', async (_, route) => {
    const absent = [...route.path.matchAll(/\{(_?id|membershipId|userId)\}/g)].map(([, param = '']) => [param, newId()]);
    const params = { ...paramsOf(route, world), ...(Object.fromEntries(absent) as Record<string, string>) };
    const enough = !route.body || route.body.safeParse({}).success;
    const done = route.response === 'nothing' ? 204 : 200;
    const wanted = enough ? [done, 404] : [400];
    for (const [what, headers, body] of some(NONE, route, NONE.length)) {
      const answer = await raw('DELETE', pathOf(route, params), headers, body, tokenFor(route));
      expect([what, answer.status]).toEqual([what, expect.toBeOneOf(wanted)]);
      if (answer.status === done) continue;
      const { code, detail } = refusalIn(answer);
      const words = enough ? undefined : inputIssue(name(route), { params, body: {} });
      expect([code, detail]).toEqual([enough ? 'not-found' : 'malformed', words ?? detail]);
    }
  });
});

describe('text', () => {
  const Bjorn = '{"name":"Bjørns gjeng, 😀"}';
  it.each([
    ['utf-8', JSON_TYPE['content-type'], Bjorn],
    ['utf-8 declared', 'application/json; charset=utf-8', Bjorn],
    ['UTF8 declared, in quotes', 'application/json;charset="UTF8"', Bjorn],
    ['a byte order mark', JSON_TYPE['content-type'], `\ufeff${Bjorn}`],
  ])('is kept as it came: %s', async (_, type, body) => {
    const { text } = await raw('POST', '/groups', { 'content-type': type }, body);
    const made = JSON.parse(text) as { id: string };
    expect(made).toMatchObject({ name: 'Bjørns gjeng, 😀' });
    await raw('DELETE', `/groups/${made.id}`, {}, null);
  });

  it.each([
    ['text/plain; charset=utf-8', ''],
    ['application/json', ''],
    ['application/json', '; filename="blob"'],
  ])('is kept as it came in form data: a field of %s%s', async (type, file) => {
    const body = `--b\r\ncontent-disposition: form-data; name="data"${file}\r\ncontent-type: ${type}\r\n\r\n${Bjorn}\r\n--b--\r\n`;
    const { text } = await raw('POST', '/assets', { 'content-type': 'multipart/form-data; boundary=b' }, body);
    expect(JSON.parse(text)).toMatchObject({ name: 'Bjørns gjeng, 😀' });
  });
});

describe('a form', () => {
  const data = '{"name":"Form"}';
  const NAMED = 'content-disposition: form-data; name="data"';
  const sent = (head: string, body = data, type = 'multipart/form-data; boundary=b') =>
    raw('POST', '/assets', { 'content-type': type }, `--b\r\n${head}\r\n\r\n${body}\r\n--b--\r\n`);
  it.each([
    ['with its charset', `${NAMED}\r\ncontent-type: application/json; charset=UTF-8`],
    ['by its type before its name', `content-type: application/json\r\n${NAMED}`],
    ['of a type with a suffix', `${NAMED}\r\ncontent-type: application/vnd.api+json`],
    ['of no type that is known', `${NAMED}\r\ncontent-type: application/octet-stream`],
    ['of a file by name', `${NAMED}; filename="data.json"\r\ncontent-type: application/json`],
    ['of a file of no name', `${NAMED}; filename=""\r\ncontent-type: application/json`],
    ['of a file with a name in letters', `${NAMED}; filename*=UTF-8''bl%C3%A5.json\r\ncontent-type: application/json`],
    ['with capital letters in its head', 'CONTENT-DISPOSITION: Form-Data; name="data"\r\nContent-Type: APPLICATION/JSON'],
    ['with a name in no quotes', 'content-disposition: form-data; name=data\r\ncontent-type: application/json'],
    ['with an encoding of the old kind', `${NAMED}\r\ncontent-type: application/json\r\ncontent-transfer-encoding: binary`],
    ['with an encoding of 8 bits', `${NAMED}\r\ncontent-type: application/json\r\ncontent-transfer-encoding: 8bit`],
    ['with its length', `${NAMED}\r\ncontent-type: application/json\r\ncontent-length: ${data.length}`],
    ['with a blank before its end', `${NAMED} ; charset=utf-8\r\ncontent-type: application/json ;charset="utf-8"`],
  ])('is read whose data comes %s', async (_, head) => {
    const answer = await sent(head);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, expect.objectContaining({ name: 'Form' })]);
  });
  it.each([
    ['in quotes', `multipart/form-data; boundary="b"`, `--b\r\n${NAMED}\r\n\r\n${data}\r\n--b--`],
    ['with words before and behind', 'multipart/form-data; boundary=b', `hello\r\n--b\r\n${NAMED}\r\n\r\n${data}\r\n--b--\r\nbye`],
    ['in capitals', 'Multipart/Form-Data; Boundary=b', `--b\r\n${NAMED}\r\n\r\n${data}\r\n--b--\r\n`],
    ['behind a charset', 'multipart/form-data; charset=utf-8; boundary=b', `--b\r\n${NAMED}\r\n\r\n${data}\r\n--b--\r\n`],
    ['with a byte order mark', 'multipart/form-data; boundary=b', `--b\r\n${NAMED}\r\n\r\n\ufeff${data}\r\n--b--\r\n`],
    [
      'twice the same data',
      'multipart/form-data; boundary=b',
      `--b\r\n${NAMED}\r\n\r\n{"name":"Other"}\r\n--b\r\n${NAMED}\r\n\r\n${data}\r\n--b--`,
    ],
  ])('is read whose border stands %s', async (what, type, body) => {
    const answer = await raw('POST', '/assets', { 'content-type': type }, body);
    expect([what, answer.status, answer.text]).toEqual([what, 200, expect.stringContaining('"name":"Form"')]);
  });
});

describe('what nobody sees', () => {
  const made = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await raw('POST', path, JSON_TYPE, JSON.stringify(body));
    return { status: answer.status, ...(JSON.parse(answer.text) as object) };
  };
  it('is taken out of whatever is kept, and what looks the same is the same', async () => {
    const looks = ['Blåkors', 'Bla\u030akors', 'Blå\u200bkors', '\u202aBlåkors\u202c', 'Blå\u00adkors', 'Blå\u2060kors', ' blåkors\ufeff'];
    const bodies = { '/groups': {}, '/asset-groups': { description: '' }, '/statuslabels': { type: 'pending' } };
    for (const [path, rest] of Object.entries(bodies)) {
      const answers = await Promise.all(looks.map((look) => made(path, { name: look, ...rest })));
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', ...looks.slice(1).map(() => '409')]);
    }
    const listed = await raw(
      'GET',
      `/groups?q=${encodeURIComponent(JSON.stringify({ name: { $in: ['Bla\u030akors', 'bla\u030akors'] } }))}`,
      {},
      null,
    );
    const searched = await raw('GET', `/groups?q=${encodeURIComponent('{"$text":"Bl\u200ba\u030ak"}')}`, {}, null);
    const rows = [listed, searched].map(({ text }) => (JSON.parse(text) as { name: string }[]).map(({ name: kept }) => kept.toLowerCase()));
    expect(rows).toEqual([rows[1], ['blåkors']]);
  });
  it.each([
    ['/companies/{tenant}/invitations', { email: 'kari\u00ad@Ｘ.no' }, { email: 'kari@x.no' }],
    ['/companies/{tenant}/invitations', { tlf: '\u202a９１２\u00a034\u2011571\u202c' }, { tlf: '+4791234571' }],
    ['/assets', { name: 'Drill\n\u202e2', externalId: 'Ｅ－１' }, { name: 'Drill 2', externalId: 'E-1' }],
    ['/assets', { name: 'Saw', data: { 'Bla\u030a': ['x\u200b'] } }, { data: { Blå: ['x'] } }],
    [
      '/assets',
      { name: 'Axe', identifiers: [{ kind: 'serial', value: 'S\u2011１' }] },
      { identifiers: [{ kind: 'serial', value: 'S-1' }] },
    ],
    ['/groups', { name: '\u200b\u2060' }, { status: 400, detail: 'Missing / Format issue of name' }],
  ])('is not in what %s keeps of %j', async (path, body, kept) => {
    expect(await made(path.replace('{tenant}', String(world.params['companies']?.['tenant'])), body)).toMatchObject(kept);
  });
});

describe('an address', () => {
  it.each(byName(all.filter((route) => route.path.includes('{'))))('of %s that names nothing is refused', async (_, route) => {
    const params = paramsOf(route, world);
    const values = Object.keys(params).flatMap((param) =>
      ['nosuch', '0', "' or 1=1 --", '\u0000', 'a'.repeat(250), 'a'.repeat(2_000), '../../etc', '%', '{}', 'ø', '__proto__'].map(
        (value) => ({
          ...params,
          [param]: value,
        }),
      ),
    );
    const refused = values.filter((wrong) => toldOf(route.params, wrong, '/params'));
    const rest = values.filter((wrong) => !refused.includes(wrong));
    const cases = [...some(refused, route, 22), ...some(rest, route, 4)];
    const body = JSON.stringify(bodyOf(route, world));
    await each(cases, async (wrong) => {
      const token = tokenFor(route);
      const answer = await raw(
        route.method,
        `${pathOf(route, wrong)}${queryOf(route, world.known)}`,
        route.method === 'GET' ? {} : JSON_TYPE,
        route.method === 'GET' ? null : body,
        token,
      );
      expect([JSON.stringify(wrong), answer.status]).toEqual([
        JSON.stringify(wrong),
        expect.toSatisfy((s: number) => [400, 404, 422, 429].includes(s)),
      ]);
      refusalIn(answer);
    });
  });

  it('that cannot be read is a problem too', async () => {
    for (const path of ['/lockers/%', '/lockers/%zz', '/lockers/%E0%A4%A', '/nosuch', '/lockers/a/b/c', '/%00'])
      expect([path, refusalIn(await raw('GET', path, {}, null)).status]).toEqual([
        path,
        expect.toSatisfy((s: number) => s === 400 || s === 404),
      ]);
    expect(refusalIn(await raw('GET', `/lockers?q=${'x'.repeat(40_000)}`, {}, null))).toMatchObject({ status: 413 });
    const patched = refusalIn(await raw('PATCH', '/lockers?limit=1', JSON_TYPE, '{}'));
    expect(patched).toEqual({ status: 405, code: 'method-not-allowed', detail: 'The address does not have this method' });
  });
});

type Fields = Record<string, string>;
const lists = all.filter((route) => route.query && schemaOf(route.query).properties?.['cursor'] && schemaOf(route.query).properties?.['q']);
const fieldsOf = (route: RouteSpec): Fields =>
  (route.query && (schemaOf(route.query).properties?.['q'] as { 'x-fields'?: Fields } | undefined)?.['x-fields']) ?? {};
const SAMPLES: Record<string, { fits: unknown[]; not: unknown[] }> = {
  uuid: { fits: [newId()], not: ['x', 7, true, ''] },
  uuids: { fits: [newId()], not: ['x', 7] },
  text: { fits: ['x', '', "'", '\\', '😀', '%'], not: [7, true, ['x'], 'x'.repeat(201)] },
  code: { fits: ['x', '', "'", '\\', '４１－２', '%'], not: [7, true, ['x'], 'x'.repeat(201)] },
  email: { fits: ['x', '', 'Kari@Example.test', '😀', '%'], not: [7, true, ['x'], 'x'.repeat(255)] },
  texts: { fits: ['x', "'"], not: [7] },
  int: { fits: [0, -1, 2 ** 31 - 1], not: ['7', 1.5, 1e300, 2 ** 31, -(2 ** 31) - 1, { $in: [2 ** 31] }] },
  sum: { fits: [0, -1, 10 ** 14], not: ['7', 1.5, 1e300] },
  time: {
    fits: ['2026-01-01T00:00:00Z', '9999-12-31T23:59:59+14:00', '9999-12-31T23:59:59.999+23:59'],
    not: ['today', 7, '2026-02-30T00:00:00Z', '9999-12-31T23:59:59-14:00', '0000-06-01T00:00:00Z', '0001-01-01T00:00:00+14:00'],
  },
  bool: { fits: [true, false], not: ['true', 1] },
  words: { fits: ['a b', '', '&|!():*', "'", '😀'], not: [7, { $in: ['a'] }, 'x'.repeat(201)] },
};

/** Of wrong queries one of `n` of those that are told of by who looks into the list, and a few of those that the schema tells of, with their place. */
const toSend = (route: RouteSpec, wrong: readonly string[], n = 1): string[] => {
  const problems = new Map(wrong.map((query) => [query, toldOf(route.query, parse(query), '/query')]));
  const told = wrong.filter((query) => problems.get(query) !== null);
  expect(told.filter((query) => !isMalformed(problems.get(query) ?? null))).toEqual([]);
  const rest = wrong.filter((query) => !told.includes(query));
  return [...some(told, route, 24), ...some(rest, route, n)];
};

describe('a question to a list', () => {
  const listed = (route: RouteSpec, query: string) => raw('GET', `${pathOf(route)}?${query}`, {}, null, tokenFor(route));
  const asking = (q: unknown) => `q=${encodeURIComponent(typeof q === 'string' ? q : JSON.stringify(q))}`;
  const cursor = (value: unknown) => `cursor=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;

  it.each(byName(lists))('%s is refused where it makes no sense', async (_, route) => {
    const [field = ''] = Object.keys(fieldsOf(route));
    const wrong = [
      ...['0', '-1', '501', 'abc', '', '1.5', '1e9', 'NaN', '99999999999999999999'].map((limit) => `limit=${limit}`),
      'limit=1&limit=2',
      'count=maybe',
      'nosuch=1',
      'sort=nosuch',
      'sort=',
      'sort=--createdAt',
      'sort=constructor',
      'cursor=',
      'cursor=garbage',
      'cursor=%00',
      `cursor=${'x'.repeat(501)}`,
      ...[null, 7, {}, { s: '-createdAt', v: 'x', i: newId() }, { s: '-createdAt', v: '2026-01-01T00:00:00Z', i: "' or 1=1" }].map(cursor),
      ...[
        { s: '-createdAt', v: { $gt: 1 }, i: newId() },
        { s: 'nosuch', v: '2026-01-01T00:00:00Z', i: newId() },
        ...['+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', '0000-01-01T00:00:00Z'].map((v) => ({ s: '-createdAt', v, i: newId() })),
      ].map(cursor),
      ...['', '{', '[]', 'null', '7', '"x"', `"${'x'.repeat(20_001)}"`, `${'['.repeat(3_000)}${']'.repeat(3_000)}`].map(asking),
      ...[{ nosuch: 1 }, { __proto__x: 1 }, { [field]: { $regex: 'x' } }, { [field]: { $where: '1' } }, { $or: [] }, { [field]: [] }].map(
        asking,
      ),
      asking('{"__proto__":{"x":1}}'),
      asking({ [field]: { $in: Array.from({ length: 201 }, () => newId()) } }),
      asking({ [field]: { $in: newId() } }),
      'q={}&q={}',
    ];
    // Who looks into one list looks into all of them.
    await each(toSend(route, wrong, 18), async (query) => {
      const answer = await listed(route, query);
      expect([query.slice(0, 80), answer.status]).toEqual([query.slice(0, 80), 400]);
      refusalIn(answer);
      expect([query.slice(0, 80), pointersIn(answer)]).toEqual([query.slice(0, 80), pointed]);
    });
    for (const [int] of Object.entries(fieldsOf(route)).filter(([, kind]) => kind === 'int'))
      expect(refusalIn(await listed(route, asking({ [int]: 2 ** 31 }))).detail).toContain(int);
  });

  it('tell what of a question it is that makes no sense', async () => {
    const route = named('GET /assets');
    expect(refusalIn(await listed(route, asking({ nosuch: 1 }))).detail).toContain('nosuch');
    expect(refusalIn(await listed(route, asking({ name: { $regex: 'x' } }))).detail).toContain('$regex');
    const tooMany = refusalIn(await listed(route, asking({ name: { $in: Array.from({ length: 201 }, () => newId()) } })));
    expect(tooMany.detail).toMatch(/\$in: .*200/);
  });

  it('tell of a question that is longer than one may be, as it stands in the address', async () => {
    const named200 = (letters: string) => asking({ name: { $in: Array.from({ length: 200 }, (_, at) => `${letters}${at}`) } });
    const route = named('GET /assets');
    expect((await listed(route, named200('x'.repeat(80)))).status).toBe(200);
    expect((await listed(route, asking({ id: { $in: Array.from({ length: 200 }, () => newId()) } }).replace('id', '_id'))).status).toBe(
      200,
    );
    const long = refusalIn(await listed(route, named200('å'.repeat(20))));
    expect(long).toMatchObject({ status: 400, code: 'malformed', detail: expect.stringContaining('in the address') as string });
    // Longer than any head: refused before it is read, by a code that the call declares.
    const longest = refusalIn(await listed(route, named200('x'.repeat(190))));
    expect(longest.status).toBe(413);
    expect(problemsOf(route)).toContain(longest.code);
  });

  const OPERATORS = ['$ne', '$gt', '$gte', '$lt', '$lte'];
  const firstOf = new Map(lists.flatMap((route) => Object.values(fieldsOf(route)).map((kind) => [kind, route] as const)).toReversed());
  it.each(byName(lists))('%s takes every field, and each kind of field with every operator it may have', async (_, route) => {
    const fields = Object.entries(fieldsOf(route)).map(([field, kind], at) => {
      const { fits, not } = SAMPLES[kind] ?? { fits: [], not: [] };
      if (fits.length === 0) throw new Error(`no samples of ${kind}`);
      return { field, kind, fits, not, fit: fits[at % fits.length] };
    });
    const wrong = fields.flatMap(({ field, not }) => not.map((value) => asking({ [field]: value })));
    expect(wrong.filter((query) => !toldOf(route.query, parse(query), '/query'))).toEqual([]);
    const words = fields.filter(({ kind }) => kind === 'words').flatMap(({ field, fits }) => fits.map((value) => ({ [field]: value })));
    // What is asked of all fields at once is in the statement for each of them.
    const rest = fields.filter(({ kind }) => kind !== 'words');
    const ofAll = (value: (one: (typeof rest)[number]) => unknown) => Object.fromEntries(rest.map((one) => [one.field, value(one)]));
    const forms = some([null, { $in: [] }, { $ne: null }, {}], route, 4).map((value) => ofAll(() => value));
    const alone = fields.some(({ kind }) => firstOf.get(kind) === route) ? [ofAll(({ fit }) => fit)] : [];
    await each([...some(words, route, 3), ...alone, ...forms, ofAll(({ fits }) => ({ $in: fits }))], async (q) => {
      const answer = await listed(route, asking(q));
      expect([q, answer.status, answer.text]).toEqual([q, 200, expect.any(String)]);
    });
    await each(some(wrong, route, 24), async (query) => {
      expect(refusalIn(await listed(route, query))).toMatchObject({ status: 400 });
    });
    // How an operator is put is one for a kind of field: the first list that has the kind is asked by all of them, the others by one in turn.
    const [turn] = some(OPERATORS, route, OPERATORS.length);
    await each(OPERATORS, async (operator) => {
      const by = rest.filter(({ kind }) => operator === turn || firstOf.get(kind) === route);
      let q = Object.fromEntries(by.map(({ field, fit }) => [field, { [operator]: fit }]));
      if (by.length === 0) return;
      // Where one has no meaning it is told of at its field, and the others are asked without it.
      for (let answer = await listed(route, asking(q)); answer.status !== 200; answer = await listed(route, asking(q))) {
        expect(refusalIn(answer)).toMatchObject({ status: 400 });
        const without = new Set(pointersIn(answer).map((pointer) => pointer.split('/')[3] ?? ''));
        const left = Object.entries(q).filter(([field]) => !without.has(field));
        expect([q, left.length]).toEqual([q, expect.toSatisfy((length: number) => length < Object.keys(q).length)]);
        q = Object.fromEntries(left);
      }
    });
  });

  it('means the same by a truth, however it is put', async () => {
    const ids = async (q: unknown) =>
      (JSON.parse((await listed(named('GET /lockers'), asking(q))).text) as { id: string }[]).map((row) => row.id).join();
    for (const field of ['free', 'inDoubt', 'outOfService']) {
      const [yes, no] = await Promise.all([ids({ [field]: true }), ids({ [field]: false })]);
      expect(await Promise.all([{ $ne: false }, { $in: [true] }].map((asked) => ids({ [field]: asked })))).toEqual([yes, yes]);
      expect(await Promise.all([{ $ne: true }, { $in: [false] }].map((asked) => ids({ [field]: asked })))).toEqual([no, no]);
      expect(yes === no).toBe(false);
    }
  });

  it.each(byName(lists))('%s pages by every sort it declares, and counts', async (_, route) => {
    const sorts = (route.query && schemaOf(route.query).properties?.['sort']?.enum) ?? [];
    expect(sorts.length).toBeGreaterThan(0);
    for (const [at, sort] of (sorts as string[]).entries()) {
      const first = await listed(route, `limit=1&sort=${sort}${at === 0 ? '&count=true' : ''}`);
      expect([sort, first.status]).toEqual([sort, 200]);
      // What it counts does not hang on how it is sorted: it is asked for once.
      const total = first.headers.get('x-total-count');
      const counts = total === null ? 'nothing' : Number(total) >= (JSON.parse(first.text) as unknown[]).length;
      expect([sort, counts]).toEqual([sort, at === 0 ? true : 'nothing']);
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
      // A field and its contrary have the same cursor: each list follows one of the two.
      if (!next || at % 2 === all.indexOf(route) % 2) continue;
      const second = await raw('GET', next.replace('/v1', ''), {}, null, tokenFor(route));
      expect([sort, second.status]).toEqual([sort, 200]);
      expect(second.text).not.toBe(first.text);
    }
  });
});

// shows R9.11
it('a list answers 50 rows unless told, 500 at most', async () => {
  await query(
    server.database.ownerUrl,
    `insert into assets (tenant_id, id, name, created_at, updated_at)
     select $1, gen_random_uuid(), 'Row ' || n, now(), now() from generate_series(1, 520) n`,
    [world.known.tenantId],
  );
  const rows = async (search: string) =>
    (JSON.parse((await raw('GET', `/assets${search}`, {}, null, tokenFor(named('GET /assets')))).text) as unknown[]).length;
  expect([await rows(''), await rows('?limit=500')]).toEqual([50, 500]);
  expect((await raw('GET', '/assets?limit=501', {}, null, tokenFor(named('GET /assets')))).status).toBe(400);
});

describe('a query', () => {
  // Of each method and who may the first: that a call has none is said by one line for all of them.
  const without = [
    ...new Map(all.filter((route) => !route.query).map((route) => [`${route.method} ${route.access === 'public'}`, route])).values(),
  ];
  it.each(byName(without))('is refused by %s, which has none', async (_, route) => {
    const [headers, body] = route.method === 'GET' ? [{}, null] : [JSON_TYPE, JSON.stringify(bodyOf(route, world))];
    const answer = await raw(route.method, `${pathOf(route)}?limit=1`, headers, body, tokenFor(route));
    expect(refusalIn(answer)).toEqual({ status: 400, code: 'malformed', detail: '/query/limit: unknown field' });
  });

  const others = all.filter((route) => route.query && !lists.includes(route));
  it.each(byName(others))('of %s with a mistake is refused', async (_, route) => {
    if (!route.query) return;
    const { properties = {} } = schemaOf(route.query);
    const wrong = [
      'nosuch=1',
      ...Object.keys(properties).flatMap((field) => [`${field}=`, `${field}=%00`, `${field}=${'x'.repeat(5_000)}`]),
    ];
    await each(toSend(route, wrong), async (query) => {
      const answer = await raw('GET', `${pathOf(route)}?${query}`, {}, null, tokenFor(route));
      expect([query.slice(0, 80), answer.status]).toEqual([query.slice(0, 80), 400]);
      refusalIn(answer);
    });
  });
});
