import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LIVE_EVENTS, type LiveKind } from '@hatchway/contract/live.ts';
import type { Role } from '@hatchway/domain/terms.ts';
import { query } from '../db/test-database.ts';
import { record } from '../events/record.ts';
import { testWorld, type World } from '../http/test-world.ts';
import { systemScope } from '../scope.ts';
import { testCompany, type TestCompany } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';
import { listen, type Listener } from './test-listener.ts';

// Who hears of what, for every kind that the contract names: no other company, and nobody who may not read the noun.

/** By domain.md, not by the code that is tested: a role that may not read it; null where whoever enters the portal may. */
const UNHEARD = {
  lockers: null,
  occupations: null,
  cabinets: null,
  sites: null,
  history: 'asset_manager',
  messages: 'asset_manager',
  payments: 'delivery_manager',
  storefront: 'delivery_manager',
  assets: null,
  'asset-groups': null,
  permissions: 'all',
  memberships: 'all',
  links: 'delivery_manager',
  groups: null,
  policies: null,
  keys: 'all',
  webhooks: 'all',
  deliveries: 'all',
  integrations: 'all',
  templates: 'all',
  statuslabels: null,
  companies: null,
  invitations: 'all',
  'directory-people': 'all',
  'directory-groups': 'all',
} as const satisfies Record<LiveKind, Role | null>;

let server: TestServer;
let ours: TestCompany;
let theirs: TestCompany;
let us: World;
let spyToken: string;
const tokens = new Map<Role, string>();
const open: Listener[] = [];

beforeAll(async () => {
  server = await testServer();
  [ours, theirs] = [await testCompany(server), await testCompany(server)];
  us = await testWorld(server, ours);
  spyToken = (await theirs.person(['admin'])).token;
  for (const role of new Set(Object.values(UNHEARD))) if (role !== null) tokens.set(role, (await ours.person([role])).token);
  // What the making of the world told has been told, and what it began has ended.
  const underWay = `select 1 from outbox union all select 1 from messages where state = 'sent' or (state = 'queued' and attempts = 0)
    union all select 1 from webhook_deliveries where state = 'queued'`;
  await vi.waitUntil(async () => (await query(server.database.ownerUrl, underWay)).length === 0, { timeout: 60_000 });
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.close();
});
afterAll(() => server.stop());

const join = async (token: string, ...events: string[]): Promise<Listener> => {
  const listener = await listen(server.url, token);
  open.push(listener);
  for (const event of events) expect(await listener.ask({ topic: 'subscribe', event })).toBeNull();
  return listener;
};
const idOf = (kind: LiveKind): string => {
  const named: Partial<Record<LiveKind, string>> = {
    companies: ours.id,
    storefront: ours.id,
    memberships: us.params['companies']?.['membershipId'] ?? '',
    invitations: us.params['companies']?.['id'] ?? '',
    keys: us.params['key']?.['_id'] ?? '',
    integrations: us.params['integrations']?.['_id'] ?? '',
    templates: 'ready-sms-nb',
    deliveries: us.params['webhooks']?.['deliveryId'] ?? '',
    // Told by the event itself.
    history: 'none',
  };
  const id = named[kind] ?? us.params[kind]?.['id'];
  if (!id) throw new Error(`no row of ${kind} is known: add it to test-world.ts`);
  return id;
};
/** A change as a command writes it. History is events alone. */
const tell = async (company: TestCompany, kind: LiveKind, id: string): Promise<void> => {
  await server.deps.db.tenant(company.id, (tx) => {
    const scope = systemScope(company.id, server.deps.now().toISOString());
    const lockerId = us.params['lockers']?.['id'] ?? null;
    return kind === 'history'
      ? record(tx, scope, [{ type: 'locker_empty', lockerId: company === ours ? lockerId : null }], [])
      : record(tx, scope, [], [{ kind, id, method: 'PUT' }]);
  });
  server.deps.outbox.wake();
};
/** What everybody with portal access hears last: whatever was to come before it has come. */
const last = async (company: TestCompany): Promise<void> => tell(company, 'companies', company.id);
const kindsOf = (listener: Listener) => listener.events.map(({ subscription }) => subscription.split('/')[0]);

describe('the live kinds', () => {
  // shows R7.83, R7.84
  it.each(LIVE_EVENTS.filter((kind) => kind !== 'companies'))('%s are heard by an administrator, and by no other company', async (kind) => {
    const id = idOf(kind);
    const one = kind === 'templates' || kind === 'history' ? [] : [`${kind}/${id}`];
    const spy = await join(spyToken, kind, ...one, 'companies');
    const listener = await join(us.admin.token, kind);
    await tell(ours, kind, id);
    await expect.poll(() => kindsOf(listener)).toEqual([kind]);
    await last(theirs);
    await expect.poll(() => kindsOf(spy)).toEqual(['companies']);
  });

  const walled = LIVE_EVENTS.flatMap((kind) => (UNHEARD[kind] === null ? [] : [[kind, UNHEARD[kind]] as const]));
  it.each(walled)('%s are not heard by somebody who is %s, whether changed or gone', async (kind, role) => {
    const spy = await join(tokens.get(role) ?? '', kind, 'companies');
    const id = idOf(kind);
    await tell(ours, kind, id);
    // Of a row that is gone nothing can be read: what is told of it is its id, to whoever might have seen it.
    await tell(ours, kind, ours.id);
    await last(ours);
    await expect.poll(() => kindsOf(spy).at(-1)).toBe('companies');
    expect(kindsOf(spy)).toEqual(['companies']);
  });

  it('tell of the company to everybody, and whom it alerts to administrators alone', async () => {
    const counter = await join(tokens.get('delivery_manager') ?? '', 'companies');
    const admin = await join(us.admin.token, 'companies');
    const [before] = await us.admin.api('GET /companies');
    const alerts = [{ event: 'all' as const, channel: 'mail' as const, to: 'guard@example.test' }];
    await us.admin.api('PUT /companies/{tenant}', {
      params: { tenant: ours.id },
      body: { version: before?.version ?? 0, settings: { alerts } },
    });
    await expect.poll(() => admin.events.length).toBe(1);
    await expect.poll(() => counter.events.length).toBe(1);
    expect(admin.events[0]?.data).toMatchObject({ settings: { alerts } });
    expect(JSON.stringify(counter.events)).not.toContain('guard@example.test');
    expect(counter.events[0]?.data).toMatchObject({ id: ours.id, settings: { alerts: [] } });
  });
});
