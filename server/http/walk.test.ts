import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Area, RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import type { Role } from '@hatchway/domain/terms.ts';
import { query } from '../db/test-database.ts';
import { Visitor } from '../identity/test-visitor.ts';
import { newId } from '../ids.ts';
import { testCompany, type TestCompany } from '../test-company.ts';
import { testServer, unique, type TestServer } from '../test-server.ts';
import { ask, bodyOf, byName, guarded, name, paramsOf, testWorld, type Answer, type World } from './test-world.ts';

/** Whoever adds a call that needs no token adds it here too, and has thought about it. */
const PUBLIC = [
  'POST /devices/pair',
  'GET /policies/{ref}/login_hint',
  'POST /pickup/look',
  'POST /pickup/open',
  'POST /pickup/pay',
  'POST /pickup/give-up',
  'POST /pickup/done',
  'POST /pickup/put-back',
  'POST /pickup/report',
  'POST /pickup/link',
  'POST /pickup/link/open',
  'GET /pickup/cabinets/{number}',
  'GET /pickup/cabinets/{number}/logo',
  'GET /occupations/token/{token}',
  'GET /shop/{name}',
  'GET /shop/{name}/logo',
  'GET /shop/{name}/goods/{id}/image',
  'POST /shop/{name}/goods/{id}/buy',
  'POST /shop/{name}/find',
];

/** A role that lacks the right, for each area: by domain.md, not by the code that is tested. */
const WITHOUT = {
  occupations: 'asset_manager',
  doors: 'asset_manager',
  'lock-control': 'delivery_manager',
  'assets.write': 'delivery_manager',
  builder: 'delivery_manager',
  storefront: 'delivery_manager',
  orders: 'asset_manager',
  'payments.read': 'delivery_manager',
  'payments.write': 'manager',
  keys: 'all',
  'admin:policies': 'all',
  'admin:permissions': 'all',
  'admin:groups': 'all',
  'admin:asset-groups': 'all',
  'admin:memberships': 'all',
  'admin:invitations': 'all',
  'admin:accounts': 'all',
  'admin:integrations': 'all',
  'admin:webhooks': 'all',
  'admin:templates': 'all',
  'admin:companies': 'all',
} as const satisfies Record<Area, Role>;

const all: readonly RouteSpec[] = routes;

let server: TestServer;
let ours: TestCompany;
let us: World;
let late = 0;
const roles = new Map<Role, string>();
let closed: readonly { token: string; answer: readonly [number, string] }[];
let gone: readonly { token: string; answer: readonly [number, string] }[];
const bad = new Map<string, string | null>();

const forge = async (token: string, change: (claims: JWTPayload) => JWTPayload): Promise<string> => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { kid } = decodeProtectedHeader(token);
  return new SignJWT(change(decodeJwt(token)))
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...(kid ? { kid } : {}) })
    .sign(privateKey);
};
const unsigned = (token: string): string => {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `${header}.${token.split('.')[1] ?? ''}.`;
};

/** An account that belongs to no company. */
const withoutCompany = async (): Promise<string> => {
  const email = `${unique()}@example.test`;
  const id = newId();
  const at = new Date().toISOString();
  await server.deps.db.account(id, (tx) =>
    tx.insertInto('accounts').values({ id, name: 'Hanne Homeless', email, created_at: at, updated_at: at }).execute(),
  );
  await server.setPassword(id, 'correct horse battery');
  return (await new Visitor(server.url).signIn(email)).access_token;
};

beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + late) });
  ours = await testCompany(server);
  us = await testWorld(server, ours);
  for (const role of new Set(Object.values(WITHOUT))) roles.set(role, (await ours.person([role])).token);

  const leaver = await ours.person(['admin']);
  const params = { tenant: ours.id };
  const [membership] = await us.admin.api('GET /companies/{tenant}/memberships', { params, query: { q: { accountId: leaver.accountId } } });
  await us.admin.api('DELETE /companies/{tenant}/memberships/{membershipId}', {
    params: { ...params, membershipId: membership?.id ?? '' },
  });
  // Also where no node was told: the database alone knows.
  const silent = await ours.person(['admin']);
  await query(server.database.ownerUrl, 'delete from memberships where account_id = $1', [silent.accountId]);
  const held = await testCompany(server);
  const suspended = await held.person(['admin']);
  await server.operator('PUT /operator/companies/{id}', { params: { id: held.id }, body: { suspended: true } });
  const ended = await testCompany(server);
  const bereft = await ended.person(['admin']);
  await server.operator('DELETE /operator/companies/{id}', { params: { id: ended.id } });
  gone = [
    { token: leaver.token, answer: [401, 'unauthenticated'] },
    { token: silent.token, answer: [401, 'unauthenticated'] },
    { token: bereft.token, answer: [403, 'company-gone'] },
  ];
  closed = [
    { token: (await ours.person([])).token, answer: [403, 'forbidden'] },
    { token: await withoutCompany(), answer: [403, 'forbidden'] },
    { token: suspended.token, answer: [403, 'suspended'] },
  ];

  const key = await us.admin.api('POST /key', { body: { name: 'Gone', scopes: ['read'] } });
  await us.admin.api('DELETE /key/{_id}', { params: { _id: key._id } });
  const { token } = us.admin;
  for (const [what, value] of Object.entries({
    'an empty token': '',
    garbage: 'garbage',
    'a forged token': await forge(token, (claims) => claims),
    'a token of another issuer': await forge(token, (claims) => ({ ...claims, iss: 'https://evil.example/realms/pml' })),
    'an unsigned token': unsigned(token),
    'a tampered token': `${token.slice(0, -8)}AAAAAAAA`,
    'a key of nobody': `hw_${'A'.repeat(54)}`,
    'a revoked key': key.secret,
    'the operator’s key': server.deps.config.operatorKey,
  }))
    bad.set(what, value);
});
afterAll(() => server.stop());

const asked = (route: RouteSpec, token: string | null, more: { params?: Record<string, string>; body?: unknown } = {}) =>
  ask(server, route, { token, params: paramsOf(route, us), body: bodyOf(route, us), ...more });
const codeOf = (answer: Answer): unknown => (JSON.parse(answer.text) as { code?: unknown }).code;

describe('every call', () => {
  it('is served', () => {
    const missing = all.filter(
      (route) => !server.app.hasRoute({ method: route.method, url: `/v1${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}` }),
    );
    expect(missing.map(name)).toEqual([]);
  });

  it('is public only where it is named here', () => {
    expect(all.filter((route) => route.access === 'public').map(name)).toEqual(PUBLIC);
  });

  it('is declared once', () => {
    expect(new Set(all.map(name)).size).toBe(all.length);
  });

  // One place asks for all calls who somebody is. Each call is asked without a token and by whoever lacks the right to it. One of the
  // others asks too, in turn: every call that needs no right, and every second of those that do.
  const turn = <T>(list: readonly T[], route: RouteSpec): T => {
    const one = list[Math.floor(all.indexOf(route) / 2) % list.length];
    if (one === undefined) throw new Error('nobody is left to ask');
    return one;
  };
  const saidTo = async (route: RouteSpec, token: string | null) => {
    const answer = await asked(route, token);
    return { said: [answer.status, codeOf(answer)], way: answer.headers.get('www-authenticate') };
  };

  // shows R6.14
  it.each(byName(guarded))(
    '%s refuses whoever shows no valid token, is of the company no more, or has no right to it',
    async (_, route) => {
      const unproved: object = { said: [401, 'unauthenticated'], way: 'Bearer' };
      const isOpen = route.access === 'signed-in' || route.access === 'company';
      const strangers = [
        ...[...bad].map(([what, token]) => ({ what, token, wanted: unproved })),
        ...[...gone, ...(isOpen ? [] : closed)].map(({ token, answer }) => ({ what: '', token, wanted: { said: answer } })),
      ];
      const lacking = isOpen || route.access === 'portal' ? undefined : roles.get(WITHOUT[route.access as Area]);
      const asking = [
        { what: 'no token', token: null, wanted: unproved },
        ...(lacking === undefined || all.indexOf(route) % 2 === 0 ? [turn(strangers, route)] : []),
        ...(lacking === undefined ? [] : [{ what: 'no right', token: lacking, wanted: { said: [403, 'forbidden'] } }]),
      ];
      for (const { what, token, wanted } of asking) expect({ what, ...(await saidTo(route, token)) }).toMatchObject({ what, ...wanted });
    },
  );

  it.each(byName(all.filter((route) => route.access === 'operator')))('%s is the operator’s alone', async (_, route) => {
    for (const token of [null, turn(['', 'garbage', us.admin.token, `hw_${'A'.repeat(54)}`], route)])
      expect((await saidTo(route, token)).said).toEqual([401, 'unauthenticated']);
  });

  it('refuses a token whose time has passed', async () => {
    late = 24 * 3600_000;
    try {
      for (const route of new Map(guarded.map((one) => [one.access, one])).values())
        expect([name(route), (await saidTo(route, us.admin.token)).said]).toEqual([name(route), [401, 'unauthenticated']]);
    } finally {
      late = 0;
    }
  });
});
