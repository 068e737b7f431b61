import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Access, Area, RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { testCompany, type TestPerson } from '../test-company.ts';
import { testServer, unique, type TestServer } from '../test-server.ts';
import { READY, type Made } from './test-ready.ts';
import { ask, bodyOf, name, paramsOf, testWorld, type Answer, type World } from './test-world.ts';

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
  storefront: ['manage', 'sale'],
  orders: ['manage', 'delivery'],
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
  'POST /links': ['manage'],
  'GET /links/{id}/url': ['manage'],
  'GET /links/{id}/qr': ['manage'],
  'PUT /links/{id}': ['manage'],
  'POST /links/{id}/take-over': ['manage'],
  'POST /webhooks': ['read'],
  'PUT /webhooks/{id}': ['read'],
  'GET /webhooks/{id}/deliveries': ['read'],
  'POST /webhooks/{id}/deliveries/{deliveryId}/replay': ['read'],
};
type Asked = keyof typeof OPENED_BY;
const isAsked = (access: Access): access is Asked => access !== 'public' && access !== 'operator';

/** What cannot succeed in a test, how it is answered instead, and why. */
const UNDONE: Readonly<Record<string, { status: number; code: string; why: string }>> = {
  'GET /payments/reconcile': { status: 409, code: 'not-connected', why: 'no payment provider of the test world answers' },
  'GET /woo/url': { status: 409, code: 'not-connected', why: 'no shop is connected' },
  'POST /integrations/entra': { status: 403, code: 'forbidden', why: 'whoever keeps the directory says who somebody is' },
  'POST /integrations/entra/consent': { status: 403, code: 'forbidden', why: 'whoever keeps the directory says who somebody is' },
  'POST /integrations/entra/test': { status: 409, code: 'not-connected', why: 'no directory is connected' },
  'POST /integrations/entra/sync': { status: 409, code: 'not-connected', why: 'no directory is connected' },
  'POST /integrations/{kind}/{_id}/differences': {
    status: 422,
    code: 'unknown-reference',
    why: 'no asset tool of the test world refused anything',
  },
  'POST /integrations/{kind}/{_id}/sync': {
    status: 409,
    code: 'not-available',
    why: 'what the test world has connected is a payment provider',
  },
  'POST /directory/scim/bearer': { status: 403, code: 'forbidden', why: 'whoever has it raises people, as who makes keys' },
  'POST /messages/{id}/send': { status: 409, code: 'message-not-sendable', why: 'the message of the test world has no receiver' },
  'PUT /lockers/{id}/lock': { status: 422, code: 'cannot-lock', why: 'no controller of the test world locks by command' },
};

/** What takes away comes last, so that a row is there for as long as somebody asks for it. */
const ORDER = { GET: 0, POST: 1, PUT: 2, DELETE: 3 } as const;
const rows = routes
  .filter((route): route is (typeof routes)[number] & { access: Asked } => isAsked(route.access))
  .toSorted((a, b) => ORDER[a.method] - ORDER[b.method])
  .map((route) => [name(route), route as RouteSpec & { access: Asked }] as const);

let server: TestServer;
let world: World;
/** Keys outlive neither their maker nor the maker's rights: nobody else's calls may take these. */
let maker: TestPerson;
const made = new Map<string, string>();
beforeAll(async () => {
  server = await testServer({ config: { logLevel: 'silent' } });
  const company = await testCompany(server);
  world = await testWorld(server, company);
  maker = await company.person(['admin']);
});
afterAll(() => server.stop());

const keyWith = async (scopes: readonly KeyScope[]): Promise<string> => {
  const called = scopes.join(' ');
  const known = made.get(called);
  if (known) return known;
  const { secret } = await maker.api('POST /key', { body: { name: 'Key', scopes: [...scopes] } });
  made.set(called, secret);
  return secret;
};
const codeOf = ({ status, text }: Answer): unknown => (status < 400 ? null : (JSON.parse(text) as { code?: unknown }).code);
const asked = (route: RouteSpec, token: string, ready: Made = {}): Promise<Answer> => {
  const params = { ...paramsOf(route, world), ...ready.params };
  // Words of its own, since many may be taken once.
  const known = { ...world.known, name: unique(), ref: unique() };
  return ask(server, route, { token, params, body: ready.body ?? bodyOf(route, { ...world, known }) });
};
/** Once more upon the version that stands there, where a sample names another. */
const askedAsSeen = async (route: RouteSpec, token: string, ready: Made): Promise<Answer> => {
  const first = await asked(route, token, ready);
  if (codeOf(first) !== 'stale') return first;
  const { version } = (JSON.parse(first.text) as { data: { version: number } }).data;
  return asked(route, token, { ...ready, body: { ...(ready.body ?? bodyOf(route, world)), version } });
};

describe('an API key', () => {
  it.each(rows)('without the scope is refused by %s, whatever else it holds', async (_, route) => {
    const opening: readonly KeyScope[] = OPENED_BY[route.access];
    const answer = await asked(route, await keyWith(SCOPES.filter((scope) => !opening.includes(scope))));
    expect([answer.status, codeOf(answer)]).toEqual([403, 'forbidden']);
  });

  const open = rows.filter(([, route]) => OPENED_BY[route.access].length > 0);
  it.each(open)('with its scope does %s', async (call, route) => {
    const ready = (await READY[call]?.({ server, world, api: maker.api })) ?? {};
    // At lockers the widest scope, since the row is of one service; everywhere else the one that the access names, and nothing beside it.
    const [first = 'read'] = OPENED_BY[route.access];
    const token = await keyWith([...new Set([first, ...(HANDS_ON[call] ?? [])])]);
    const answer = await askedAsSeen(route, token, ready);
    const undone = UNDONE[call];
    const said = answer.status < 300 ? 'done' : `${answer.status} ${String(codeOf(answer))}${undone ? '' : ` ${answer.text}`}`;
    expect(said).toBe(undone ? `${undone.status} ${undone.code}` : 'done');
  });

  it('is asked for nothing that is gone', () => {
    const calls = new Set(open.map(([call]) => call));
    expect([...Object.keys(READY), ...Object.keys(UNDONE), ...Object.keys(HANDS_ON)].filter((call) => !calls.has(call))).toEqual([]);
  });
});
