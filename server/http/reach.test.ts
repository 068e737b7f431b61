import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { SCOPES } from '@hatchway/domain/terms.ts';
import { query } from '../db/test-database.ts';
import { record } from '../events/record.ts';
import { newId } from '../ids.ts';
import { systemScope } from '../scope.ts';
import { testCompany, type TestCompany } from '../test-company.ts';
import { testServer, unique, type TestServer } from '../test-server.ts';
import { bodiesOf, idsIn, put, schemaOf, variantsOf } from './test-samples.ts';
import { ask, bodyOf, byName, guarded, name, paramsOf, testWorld, type Answer, type World } from './test-world.ts';

// How far a scope reaches, walked over every call: what lies at other lockers, and what was withdrawn (keys: walk-keys.test.ts).

const first = (route: RouteSpec): string => route.path.split('/')[1] ?? '';
const last = (path: readonly string[]): string => path.findLast((step) => step !== '0') ?? '';

/** Fields of a body that name what lies at a locker. */
const NAMED = ['lockerId', 'lockerIds', 'cabinetId', 'occupationId', 'doorTag'];

/** Rows of our company at a locker that no permission of theirs names: ids by noun and by field, and every word that would tell of them. */
type Far = { ids: Record<string, string>; words: string[] };
let server: TestServer;
let ours: TestCompany;
let us: World;
let far: Far;
let scoped: string;
let withdrawn: string;
/** At the shop: goods are sold, and no parcel is any of their business. */
let seller: string;

/** A parcel for somebody, with its message, its link, its line of history and an asset that is out with it, in another cabinet of our company. */
const farAway = async (): Promise<Far> => {
  const { api } = us.admin;
  const doorTag = unique();
  const name = `Faraway ${unique()}`;
  const site = await api('POST /sites', { body: { name: `Site ${unique()}` } });
  const doors = [{ doorTag, compartment: 1, size: 'M' as const, height: 300 }];
  const cabinet = await api('POST /cabinets', { body: { siteId: site.id, name: `Wall ${unique()}`, columns: [{ width: 400, doors }] } });
  const lockerId = cabinet.columns[0]?.doors[0]?.lockerId ?? '';
  const receiver = { name, email: `${unique()}@example.test` };
  const [occupationId, messageId] = [newId(), newId()];
  const sql = (text: string, values: unknown[]) => query(server.database.ownerUrl, text, values);
  await sql(
    `insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, asset_text, receiver_name, receiver_email, created_by, created_at, updated_at)
     values ($1, $2, 'delivery', 'delivery', 2, now(), $3, $4, $5, $5, $6, '{"kind":"system","id":null,"name":"Test"}', now(), now())`,
    [ours.id, occupationId, lockerId, doorTag, name, receiver.email],
  );
  await sql(
    `insert into messages (tenant_id, id, occupation_id, cause, kind, channel, to_masked, to_sealed, message_id, state, created_at, updated_at)
     values ($1, $2, $3, $4, 'pickup', 'mail', $4, '\\x00', $4, 'unknown', now(), now())`,
    [ours.id, messageId, occupationId, `<${messageId}@test>`],
  );
  // Of an asset that everybody reads.
  await sql(
    `insert into loans (tenant_id, id, asset_id, occupation_id, borrower_name, out_at, due_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, now(), now() + interval '1 day', now(), now())`,
    [ours.id, newId(), us.known['assetId'], occupationId, name],
  );
  const link = await api('POST /links', { body: { name: `Link ${unique()}`, purpose: 'open', lockerIds: [lockerId] } });
  await server.deps.db.tenant(ours.id, (tx) =>
    record(tx, systemScope(ours.id, server.deps.now().toISOString()), [{ type: 'locker_empty', lockerId, data: { name } }], []),
  );
  return {
    ids: {
      lockers: lockerId,
      cabinets: cabinet.id,
      sites: site.id,
      occupations: occupationId,
      links: link.id,
      messages: messageId,
      lockerId,
      lockerIds: lockerId,
      cabinetId: cabinet.id,
      occupationId,
      id: occupationId,
      doorTag,
    },
    words: [lockerId, cabinet.id, site.id, occupationId, link.id, messageId, doorTag, name, link.name, receiver.email],
  };
};

beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  us = await testWorld(server, ours);
  far = await farAway();
  const near = [String(us.known['lockerId'])];
  scoped = (await ours.scoped(['manage', 'delivery'], near)).token;
  seller = (await ours.person(['sale_manager'])).token;
  const lost = await ours.scoped([...SCOPES], near);
  withdrawn = lost.token;
  await lost.api('GET /lockers');
  await query(server.database.ownerUrl, 'delete from group_members where account_id = $1', [lost.accountId]);
});
afterAll(() => server.stop());

const asked = (route: RouteSpec, token: string, more: { params?: Record<string, string>; body?: unknown } = {}) =>
  ask(server, route, { token, params: paramsOf(route, us), body: bodyOf(route, us), ...more });
const codeOf = (answer: Answer): unknown => (JSON.parse(answer.text) as { code?: unknown }).code;

describe('a permission that was withdrawn', () => {
  // Who may is asked in one place for all calls: of each access and method the first.
  const asking = guarded.filter((route) => route.access !== 'signed-in' && route.access !== 'company');
  it.each(byName([...new Map(asking.map((route) => [`${route.access} ${route.method}`, route])).values()]))(
    'opens %s no more, with the token that tells of it still',
    async (_, route) => {
      const answer = await asked(route, withdrawn);
      expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden']);
    },
  );
});

const reads = guarded.filter((route) => route.method === 'GET');

describe('somebody of another service', () => {
  it('finds nothing of a delivery by looking, whatever they ask', async () => {
    const words = far.words.filter((word) => word === far.ids['messages'] || /^Faraway|@/.test(word));
    expect(words).toHaveLength(3);
    for (const route of reads) {
      const { text } = await ask(server, route, { token: seller, params: paramsOf(route, us) });
      expect([name(route), words.filter((word) => text.includes(word))]).toEqual([name(route), []]);
    }
  });
});

describe('somebody with scopes on some lockers', () => {
  it.each(byName(reads))('finds in %s nothing of other lockers, by looking, counting or searching', async (_, route) => {
    const params = paramsOf(route, us);
    const fields = route.query ? Object.keys(schemaOf(route.query).properties ?? {}) : [];
    const [mark = ''] = far.words.filter((word) => word.startsWith('Faraway'));
    const looked = await ask(server, route, { token: scoped, params, ...(fields.includes('count') ? { query: '?count=true' } : {}) });
    // What is not there (a picture) is absent to them too.
    expect([200, 403, 404, 409]).toContain(looked.status);
    expect(far.words.filter((word) => looked.text.includes(word))).toEqual([]);
    const total = looked.headers.get('x-total-count');
    const rows = total === null ? [] : (JSON.parse(looked.text) as unknown[]);
    expect(Number(total ?? 0)).toBe(rows.length);
    // A list that is searched by no word takes none.
    if (!JSON.stringify(route.query ? schemaOf(route.query).properties?.['q'] : '')?.includes('$text')) return;
    const query = `?q=${encodeURIComponent(JSON.stringify({ $text: mark }))}`;
    const searched = await ask(server, route, { token: scoped, params, query });
    expect([200, 403, 404, 409]).toContain(searched.status);
    expect(far.words.filter((word) => word !== mark && searched.text.includes(word))).toEqual([]);
  });

  const ofRows = guarded.filter(
    (route) =>
      route.path.includes('{') &&
      ['lockers', 'cabinets', 'sites', 'occupations', 'links', 'messages'].includes(first(route)) &&
      route.path.includes('{id}'),
  );
  it.each(byName(ofRows))('moves and reads with %s no other locker’s row', async (_, route) => {
    const id = far.ids[first(route)] ?? '';
    const answer = await asked(route, scoped, { params: { ...paramsOf(route, us), id } });
    expect([403, 404]).toContain(answer.status);
    expect(far.words.filter((word) => word !== id && answer.text.includes(word))).toEqual([]);
  });

  const cases = guarded.flatMap((route) =>
    variantsOf(route).flatMap((schema, variant) =>
      [
        ...idsIn(schema), // a builder's tag is a new name, and those are one of a kind in the company
        ...(route.access !== 'builder' && schema.properties?.['doorTag'] ? [['doorTag']] : []),
      ]
        // In the body of a call on occupations, `id` is one; of many, each is answered by itself (occupations.test.ts).
        .filter((path) => (last(path) === 'id' ? first(route) === 'occupations' : NAMED.includes(last(path))))
        .map((path) => [`${name(route)} ${path.join('.')}`, route, variant, path, schema] as const),
    ),
  );
  it.each(cases)('names in %s no other locker: it is absent to them', async (_, route, variant, path, schema) => {
    const body = bodiesOf(route, us.known)[variant]?.body ?? {};
    const field = last(path);
    const made = { schema, known: us.known };
    const [ofFar, ofNone] = await Promise.all(
      [far.ids[field] ?? '', field === 'doorTag' ? unique() : newId()].map((value) =>
        asked(route, scoped, { body: put(body, path, value, made) }),
      ),
    );
    expect(ofFar?.status).toBeGreaterThanOrEqual(400);
    expect([ofFar?.status, ofFar && codeOf(ofFar)]).toEqual([ofNone?.status, ofNone && codeOf(ofNone)]);
  });

  it('has changed nothing there', async () => {
    const rows = await query(
      server.database.ownerUrl,
      `select o.stage, o.version, l.version as locker, l.last_command, l.content from occupations o join lockers l on l.id = o.locker_id where o.id = $1`,
      [far.ids['occupations']],
    );
    expect(rows).toEqual([{ stage: 2, version: 1, locker: 1, last_command: null, content: 'empty' }]);
  });
});
