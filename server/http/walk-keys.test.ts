import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Access, Area, RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { testCompany, type TestCompany, type TestPerson } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';
import { ask, bodyOf, paramsOf, testWorld, type World } from './test-world.ts';

/** Everything that a key can be given: by api.md, not by the code that is tested. */
const SCOPES = [
  'read',
  'manage',
  'delivery',
  'lending',
  'sale',
  'storage',
  'admin:assets',
  'admin:lockers',
  'admin:payments',
  'admin:policies',
  'admin:permissions',
  'admin:groups',
  'admin:asset-groups',
  'admin:memberships',
  'admin:invitations',
  'admin:accounts',
  'admin:integrations',
  'admin:webhooks',
  'admin:templates',
  'admin:companies',
] as const;
type KeyScope = (typeof SCOPES)[number];

const AT_LOCKERS = ['manage', 'delivery', 'lending', 'sale', 'storage'] as const;
/** Each of these opens the calls of its access; a key with all the others does not. What is a person's own is no key's. */
const OPENED_BY = {
  portal: ['read', ...AT_LOCKERS],
  'signed-in': [],
  company: ['admin:companies', 'read', ...AT_LOCKERS],
  keys: [],
  occupations: AT_LOCKERS,
  doors: AT_LOCKERS,
  'lock-control': ['manage'],
  'assets.write': ['admin:assets'],
  builder: ['admin:lockers', 'manage'],
  'payments.read': ['read', 'admin:payments'],
  'payments.write': ['admin:payments'],
  'admin:policies': ['admin:policies'],
  'admin:permissions': ['admin:permissions'],
  'admin:groups': ['admin:groups'],
  'admin:asset-groups': ['admin:asset-groups'],
  'admin:memberships': ['admin:memberships'],
  'admin:invitations': ['admin:invitations'],
  'admin:accounts': ['admin:accounts'],
  'admin:integrations': ['admin:integrations'],
  'admin:webhooks': ['admin:webhooks'],
  'admin:templates': ['admin:templates'],
  'admin:companies': ['admin:companies'],
} as const satisfies Record<Area | 'portal' | 'signed-in' | 'company', readonly KeyScope[]>;
/** Nobody hands on what they do not hold: what a key needs beside the right to the call. */
const HANDS_ON: Partial<Record<string, readonly KeyScope[]>> = {
  'POST /permissions': ['manage'],
  'PUT /permissions/{id}': ['manage'],
  'POST /groups/{id}/members/{userId}': ['manage'],
  'GET /links/{id}/url': ['manage'],
  'GET /links/{id}/qr': ['manage'],
  'PUT /links/{id}': ['manage'],
  'POST /links/{id}/take-over': ['manage'],
};
type Asked = keyof typeof OPENED_BY;
const isAsked = (access: Access): access is Asked => access !== 'public' && access !== 'operator';

/** What takes away comes last, so that a row is there for as long as somebody asks for it. */
const ORDER = { GET: 0, POST: 1, PUT: 2, DELETE: 3 } as const;
const guarded: readonly (RouteSpec & { access: Asked })[] = routes
  .filter((route): route is (typeof routes)[number] & { access: Asked } => isAsked(route.access))
  .toSorted((a, b) => ORDER[a.method] - ORDER[b.method]);
const rows = guarded.map((route) => [`${route.method} ${route.path}`, route] as const);

let server: TestServer;
let company: TestCompany;
let world: World;
/** Keys outlive neither their maker nor the maker's rights: nobody else's calls may take these. */
let maker: TestPerson;
const made = new Map<string, string>();
beforeAll(async () => {
  server = await testServer({ config: { logLevel: 'silent' } });
  company = await testCompany(server);
  world = await testWorld(server, company);
  maker = await company.person(['admin']);
});
afterAll(() => server.stop());

const keyWith = async (scopes: readonly KeyScope[]): Promise<string> => {
  const name = scopes.join(' ');
  const known = made.get(name);
  if (known) return known;
  const { secret } = await maker.api('POST /key', { body: { name: 'Key', scopes: [...scopes] } });
  made.set(name, secret);
  return secret;
};
const asked = async (route: RouteSpec, token: string): Promise<[number, unknown]> => {
  const answer = await ask(server, route, { token, params: paramsOf(route, world), body: bodyOf(route, world) });
  return [answer.status, answer.status < 400 ? null : (JSON.parse(answer.text) as { code?: unknown }).code];
};

describe('an API key', () => {
  it.each(rows)('without the scope is refused by %s, whatever else it holds', async (_, route) => {
    const opening: readonly KeyScope[] = OPENED_BY[route.access];
    const token = await keyWith(SCOPES.filter((scope) => !opening.includes(scope)));
    expect(await asked(route, token)).toEqual([403, 'forbidden']);
  });

  const open = rows.filter(([, route]) => OPENED_BY[route.access].length > 0);
  it.each(open)('with its scope may call %s', async (_, route) => {
    // At lockers the widest scope, since the row is of one service; everywhere else the one that the access names, and nothing beside it.
    const [first = 'read'] = OPENED_BY[route.access];
    const [status, code] = await asked(route, await keyWith([...new Set([first, ...(HANDS_ON[`${route.method} ${route.path}`] ?? [])])]));
    expect([status, code]).not.toEqual([403, 'forbidden']);
    expect([401, 403]).not.toContain(status);
    expect(status).not.toBe(500);
  });
});
