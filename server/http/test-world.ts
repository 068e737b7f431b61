import sharp from 'sharp';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { query } from '../db/test-database.ts';
import { record } from '../events/record.ts';
import { newId } from '../ids.ts';
import { systemScope } from '../scope.ts';
import type { TestCompany, TestPerson } from '../test-company.ts';
import { unique, type TestServer } from '../test-server.ts';
import { bodiesOf, queryOf, type Known } from './test-samples.ts';

const all: readonly RouteSpec[] = routes;
export const name = (route: RouteSpec): string => `${route.method} ${route.path}`;
/** A call with its name before it, as a test's title wants it. */
export const byName = (list: readonly RouteSpec[]) => list.map((route) => [name(route), route] as const);
/** Every call that somebody signed in makes, today's and tomorrow's. */
export const guarded = all.filter((route) => route.access !== 'public' && route.access !== 'operator');

/** One row of every noun, in one company. */
export type World = {
  admin: TestPerson;
  /** By the first part of the path, then by the parameter. */
  params: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By the name of the field in a body. */
  known: Known;
};

/** A small one, as a person might upload it. */
export const picture = async (): Promise<Blob> => {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0b6b64' } })
    .png()
    .toBuffer();
  return new Blob([new Uint8Array(bytes)]);
};

/** Makes the rows: through the API where a call makes them, else straight in the database. */
export const testWorld = async (server: TestServer, company: TestCompany): Promise<World> => {
  const admin = await company.person(['admin']);
  const { api } = admin;
  const sql = (text: string, values: unknown[]) => query(server.database.ownerUrl, text, values);
  const doorTag = unique();
  const site = await api('POST /sites', { body: { name: unique() } });
  const doors = [{ doorTag, compartment: 1, size: 'M' as const, height: 300 }];
  const cabinet = await api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns: [{ width: 400, doors }] } });
  const lockerId = cabinet.columns[0]?.doors[0]?.lockerId ?? '';
  const [label] = await api('GET /statuslabels');
  const assetGroup = await api('POST /asset-groups', { body: { name: unique(), description: 'Things' } });
  const asset = await api('POST /assets', { body: { name: 'Thing', assetGroupIds: [assetGroup.id] }, image: await picture() });
  const policy = await api('POST /policies', { body: { name: 'Rules', ref: unique() } });
  const group = await api('POST /groups', { body: { name: unique() } });
  await api('POST /groups/{id}/members/{userId}', { params: { id: group.id, userId: admin.accountId }, body: {} });
  const permission = await api('POST /permissions', { body: { name: unique(), scopes: [], groups: [group.id], lockers: [lockerId] } });
  const key = await api('POST /key', { body: { name: 'Key', scopes: ['read'] } });
  const tenant = { tenant: company.id };
  const { version } = await api('GET /companies/{tenant}', { params: tenant });
  await api('PUT /companies/{tenant}', { params: tenant, body: { version }, image: await picture() });
  const [membership] = await api('GET /companies/{tenant}/memberships', { params: tenant, query: { q: { accountId: admin.accountId } } });
  const invitation = await api('POST /companies/{tenant}/invitations', { params: tenant, body: { email: `${unique()}@example.test` } });
  await api('POST /orders', { body: { shop: 'shop', number: unique(), customer: { name: 'Kari' } } });
  const webhook = await api('POST /webhooks', { body: { url: 'https://example.test/hook', active: true } });
  const { id: deliveryId } = await api('POST /webhooks/{id}/test', { params: { id: webhook.id } });
  await api('PUT /webhooks/{id}', { params: { id: webhook.id }, body: { url: webhook.url, active: false, version: webhook.version } });
  const occupationId = newId();
  const receiver = `Receiver ${unique()}`;
  await sql(
    `insert into occupations (tenant_id, id, type, service, stage, stage_at, locker_id, door_tag, asset_id, receiver_name, receiver_email, created_by, created_at, updated_at)
     values ($1, $2, 'delivery', 'delivery', 2, now(), $3, $4, $5, $6, $7, '{"kind":"system","id":null,"name":"Test"}', now(), now())`,
    [company.id, occupationId, lockerId, doorTag, asset._id, receiver, admin.email],
  );
  // The history's line.
  await api('PUT /lockers/{id}/content', { params: { id: lockerId }, body: { content: 'occupied' } });
  const loanId = newId();
  await sql(
    `insert into loans (tenant_id, id, asset_id, occupation_id, borrower_name, out_at, due_at, returned_at, end_reason, created_at, updated_at)
     values ($1, $2, $3, $4, 'Bo Borrower', now(), now(), now(), 'returned', now(), now())`,
    [company.id, loanId, asset._id, occupationId],
  );
  const link = await api('POST /links', { body: { name: 'Link', purpose: 'open', lockerIds: [lockerId] } });
  const messageId = newId();
  await sql(
    `insert into messages (tenant_id, id, occupation_id, cause, kind, channel, to_masked, to_sealed, message_id, state, created_at, updated_at)
     values ($1, $2, $3, 'test', 'pickup', 'mail', 'x', '\\x00', $4, 'unknown', now(), now())`,
    [company.id, messageId, occupationId, `<${messageId}@test>`],
  );
  const settings = { merchantSerialNumber: '123456', clientId: unique() };
  const integration = await api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body: { settings } });
  const requestId = newId();
  const tool = await api('POST /integrations/{kind}', { params: { kind: 'snipeit' }, body: { settings: { url: 'https://tool.example' } } });
  await sql(
    `insert into asset_requests (tenant_id, id, integration_id, ref, what, name, email, state, modified_at, seen_at, created_at, updated_at)
     values ($1, $2, $3, 'R-1', 'A drill', $4, $5, 'open', now(), now(), now(), now())`,
    [company.id, requestId, tool._id, receiver, admin.email],
  );
  const paymentId = newId();
  await sql(
    `insert into payments (tenant_id, id, occupation_id, provider, reference, amount, state, created_at, updated_at)
     values ($1, $2, $3, 'manual', $4, 12900, 'reserved', now(), now())`,
    [company.id, paymentId, occupationId, paymentId],
  );
  await server.deps.db.tenant(company.id, (tx) =>
    record(tx, systemScope(company.id, server.deps.now().toISOString()), [{ type: 'payment_reserved', paymentId, assetId: asset._id }], []),
  );
  const { secret } = await api('POST /directory/scim/bearer', { body: {} });
  const told = async (noun: 'User' | 'Group', more: Record<string, unknown>): Promise<string> => {
    const answer = await fetch(`${server.url}/scim/v2/${noun}s`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ schemas: [`urn:ietf:params:scim:schemas:core:2.0:${noun}`], ...more }),
    });
    return ((await answer.json()) as { id: string }).id;
  };
  const directoryPerson = await told('User', { userName: `${unique()}@example.test`, displayName: 'Dan Directory' });
  const directoryGroup = await told('Group', { displayName: `Directory ${unique()}` });
  const shop = `shop-${unique()}`;
  await api('PUT /storefront', { body: { name: shop, open: true } });
  const [event] = await api('GET /history');
  return {
    admin,
    params: {
      operator: { id: company.id },
      accounts: { id: admin.accountId },
      companies: { ...tenant, membershipId: membership?.id ?? '', id: invitation.id },
      types: { kind: 'lockers' },
      occupations: { id: occupationId, token: 'nosuchtoken' },
      lockers: { id: lockerId },
      cabinets: { id: cabinet.id },
      sites: { id: site.id },
      assets: { id: asset._id, _id: asset._id },
      statuslabels: { id: label?.id ?? '' },
      'asset-groups': { id: assetGroup.id },
      policies: { id: policy._id, _id: policy._id, ref: policy.ref },
      payments: { id: paymentId },
      'asset-requests': { id: requestId },
      integrations: { kind: 'vipps', _id: integration._id },
      directory: { id: directoryGroup, personId: directoryPerson },
      'directory-people': { id: directoryPerson },
      'directory-groups': { id: directoryGroup },
      links: { id: link.id },
      messages: { id: messageId },
      webhooks: { id: webhook.id, deliveryId },
      key: { id: key._id, _id: key._id },
      groups: { id: group.id, userId: admin.accountId },
      permissions: { id: permission.id },
      shop: { name: shop, id: occupationId },
      pickup: { number: String(cabinet.number) },
    },
    known: {
      id: occupationId,
      ids: occupationId,
      _id: paymentId,
      paymentId,
      tenantId: company.id,
      lockerId,
      lockerIds: lockerId,
      lockers: lockerId,
      cabinetId: cabinet.id,
      siteId: site.id,
      assetId: asset._id,
      statusLabelId: label?.id,
      assetGroupIds: assetGroup.id,
      occupationId,
      permissions: permission.id,
      groupIds: group.id,
      groups: group.id,
      doorTag,
      type: 'delivery',
      scopes: 'delivery',
      url: 'https://example.test/hook',
      email: 'somebody@example.test',
      tlf: '+4790000000',
      tid: 'directory.example',
      search: receiver,
      loanId,
      telling: loanId,
      eventId: event?.id,
    },
  };
};

/** The parameters of a call, out of a world. Throws for one that the world does not know: it must be given a row there. */
export const paramsOf = (route: RouteSpec, world: World): Record<string, string> =>
  Object.fromEntries(
    [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const value = world.params[route.path.split('/')[1] ?? '']?.[name];
      if (!value) throw new Error(`${route.method} ${route.path}: no row is known for {${name}}: add it to test-world.ts`);
      return [name, value];
    }),
  );

export type Answer = { status: number; text: string; headers: Headers };
export type Asking = { token?: string | null; params?: Record<string, string>; body?: unknown; query?: string };

export const bodyOf = (route: RouteSpec, world: World): Record<string, unknown> => bodiesOf(route, world.known)[0]?.body ?? {};

/** Any call, by hand: what the typed client would refuse to send goes out here. */
export const ask = async (server: TestServer, route: RouteSpec, asking: Asking): Promise<Answer> => {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asking.params?.[name] ?? ''));
  const headers: Record<string, string> = {};
  if (asking.token !== undefined && asking.token !== null) headers['authorization'] = `Bearer ${asking.token}`;
  if (route.method !== 'GET') headers['content-type'] = 'application/json';
  const answer = await fetch(`${server.url}/v1${path}${asking.query ?? queryOf(route, {})}`, {
    method: route.method,
    headers,
    ...(route.method === 'GET' ? {} : { body: typeof asking.body === 'string' ? asking.body : JSON.stringify(asking.body ?? {}) }),
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};
