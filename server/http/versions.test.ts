import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { LiveKind } from '@hatchway/contract/live.ts';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { listen } from '../live/test-listener.ts';
import { testCompany, type TestCompany } from '../test-company.ts';
import { testServer, unique, type TestServer } from '../test-server.ts';
import { variantsOf } from './test-samples.ts';
import { ask, bodyOf, byName, name, paramsOf, testWorld, type Answer, type World } from './test-world.ts';

// Every change of a row that has a version, made of the contract: nobody writes over what they have not seen.

const all: readonly RouteSpec[] = routes;
const changes = all.filter((route) => route.method === 'PUT');
const takesVersion = (route: RouteSpec) => variantsOf(route).every((schema) => schema.properties?.['version'] !== undefined);
const answersVersion = ({ response }: RouteSpec) => response instanceof z.ZodObject && 'version' in response.shape;

/** Acts, not forms: what stands there now decides whether they can be done, and doing one twice is refused or does nothing more. */
const ACTS = [
  'PUT /lockers/{id}/lock',
  'PUT /lockers/{id}/service',
  'PUT /lockers/{id}/content',
  // One at a time, and held until it ends: a second one is `in-use`.
  'PUT /occupations/assign',
];
/** Their conflicts stand in their own tests: a sample of theirs is no change that could be made. */
const OWN_TESTS = [
  'PUT /occupations',
  'PUT /occupations/{id}',
  'PUT /payments/update',
  'PUT /payments/refund',
  'PUT /payments/cancel',
  'PUT /payments/capture',
];
/** What a change of the noun is told under; the operator's noun has no screens. */
const KIND: Readonly<Record<string, LiveKind>> = {
  companies: 'companies',
  memberships: 'memberships',
  sites: 'sites',
  cabinets: 'cabinets',
  lockers: 'lockers',
  assets: 'assets',
  statuslabels: 'statuslabels',
  'asset-groups': 'asset-groups',
  policies: 'policies',
  integrations: 'integrations',
  directory: 'directory-groups',
  storefront: 'storefront',
  links: 'links',
  webhooks: 'webhooks',
  templates: 'templates',
  groups: 'groups',
  permissions: 'permissions',
  operator: 'companies',
};
const kindOf = (route: RouteSpec) => KIND[route.path.includes('/memberships') ? 'memberships' : (route.path.split('/')[1] ?? '')];

let server: TestServer;
let ours: TestCompany;
let us: World;
/** Fields in which a sample made of the schema would be against a rule, or would change nothing. */
const fitting: Record<string, () => Record<string, unknown>> = {
  'PUT /lockers/{id}': () => ({ name: unique() }),
  'PUT /companies/{tenant}/memberships/{membershipId}': () => ({ roles: ['admin'] }),
  'PUT /storefront': () => ({ name: `shop-${unique()}`, hours: [] }),
  'PUT /integrations/{kind}/{_id}': () => ({ settings: { merchantSerialNumber: '654321', clientId: unique() } }),
};

beforeAll(async () => {
  server = await testServer();
  ours = await testCompany(server);
  us = await testWorld(server, ours);
  const [first] = await us.admin.api('GET /templates');
  const { kind, channel, locale, subject, text } = first!;
  fitting['PUT /templates'] = () => ({ kind, channel, locale, subject, text });
});
afterAll(() => server.stop());

const put = (route: RouteSpec, version: number) => {
  const token = route.access === 'operator' ? server.deps.config.operatorKey : us.admin.token;
  return ask(server, route, { token, params: paramsOf(route, us), body: { ...bodyOf(route, us), ...fitting[name(route)]?.(), version } });
};
const codeOf = (answer: Answer) => [answer.status, (JSON.parse(answer.text) as { code?: string }).code];
/** The version that stands there, as a refusal tells it. */
const standing = async (route: RouteSpec): Promise<number> => {
  const refused = await put(route, 999_999);
  expect(codeOf(refused)).toEqual([409, 'stale']);
  return (JSON.parse(refused.text) as { data: { version: number } }).data.version;
};
const versioned = changes.filter((route) => takesVersion(route) && !OWN_TESTS.includes(name(route)));

describe('a change of a row that has a version', () => {
  it.each(byName(changes.filter((route) => answersVersion(route) && !ACTS.includes(name(route)))))(
    '%s takes the version that was seen, and says that it may be stale',
    (_, route) => {
      expect(takesVersion(route)).toBe(true);
      expect(route.errors).toContain('stale');
    },
  );

  it.each(byName(versioned))(
    '%s is won by exactly one of many at once, the others hear that they were late; it appears by itself where somebody looks at it',
    async (_, route) => {
      const kind = kindOf(route);
      if (!kind) throw new Error(`${name(route)}: no live kind is known for it: add it to KIND`);
      const before = await standing(route);
      const answers = await Promise.all(Array.from({ length: 3 }, () => put(route, before)));
      const won = answers.filter(({ status }) => status === 200);
      expect(won.map(({ text }) => (JSON.parse(text) as { version: number }).version)).toEqual([before + 1]);
      expect(answers.filter(({ status }) => status !== 200).map(codeOf)).toEqual(Array.from({ length: 2 }, () => [409, 'stale']));
      const listener = await listen(server.url, us.admin.token);
      expect(await listener.ask({ topic: 'subscribe', event: kind })).toBeNull();
      // One change was made, and nothing of the others: the next is seen to be upon it.
      const changed = await put(route, before + 1);
      const row = JSON.parse(changed.text) as { id?: string; _id?: string; version: number };
      expect([changed.status, row.version]).toEqual([200, before + 2]);
      // An earlier change may come late: it is told with the version that it made.
      const heard = () =>
        listener.events.find(({ data }) => (data['id'] ?? data['_id']) === (row.id ?? row._id) && data['version'] === row.version);
      await expect.poll(heard).toMatchObject({ method: 'PUT', subscription: kind, data: row });
      listener.close();
    },
  );
});
