import { createPublicKey, createVerify, type JsonWebKey } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDirectory, DEMO_APP, fillTenant, type Directory } from './directory.ts';
import type { FaultKind } from './faults.ts';
import { ENTRA_GRAPH, ENTRA_LOGIN, mountDirectory } from './mount.ts';
import type { Tenant } from './store.ts';
import { createVisitor, REDIRECT } from './test-client.ts';

// Shapes: microsoftgraph/microsoft-graph-docs (concepts/delta-query-overview, delta-query-groups, delta-query-users; api-reference/v1.0/api/
// user-delta, group-delta), MicrosoftDocs/entra-docs (docs/identity-platform/v2-admin-consent, v2-oauth2-client-creds-grant-flow,
// v2-protocols-oidc, id-token-claims-reference), learn.microsoft.com/graph/throttling.

let directory: Directory;
let app: FastifyInstance;
let tenant: Tenant;
let origin: string;
let visitor: ReturnType<typeof createVisitor>;
beforeEach(async () => {
  directory = createDirectory({ pageSize: 2 });
  tenant = fillTenant(directory.store, 'Contoso', 'contoso.test');
  app = Fastify({ forceCloseConnections: true });
  const port = await new Promise<number>((resolve) => {
    const probe = Fastify();
    void probe.listen({ host: '127.0.0.1', port: 0 }).then(async (at) => {
      await probe.close();
      resolve(Number(new URL(at).port));
    });
  });
  origin = `http://127.0.0.1:${port}`;
  mountDirectory(app, directory, { origin });
  await app.listen({ host: '127.0.0.1', port });
  visitor = createVisitor(origin + ENTRA_LOGIN);
});
afterEach(() => app.close());

const consentAddress = (tid = tenant.tid) =>
  `${origin}${ENTRA_LOGIN}/${tid}/v2.0/adminconsent?${new URLSearchParams({ client_id: DEMO_APP.clientId, scope: 'https://graph.microsoft.com/.default', redirect_uri: REDIRECT, state: '12345' }).toString()}`;
const fault = (kind: FaultKind) => directory.faults.set({ kind, times: 1, reference: null, ms: 5 });
const person = (givenName: string) => {
  const found = directory.store.people(tenant.tid).find((one) => one.givenName === givenName);
  if (!found) throw new Error(`nobody is called ${givenName}`);
  return found;
};
const token = async () => {
  directory.store.consent(tenant, DEMO_APP.clientId, true);
  return String((await visitor.appToken(tenant.tid)).body['access_token']);
};
type Page = { value: Record<string, unknown>[]; '@odata.nextLink'?: string; '@odata.deltaLink'?: string };
const get = async (url: string, bearer: string) => {
  const answer = await fetch(url.startsWith('http') ? url : `${origin}${ENTRA_GRAPH}/v1.0/${url}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Page };
};
/** All pages of a round. */
const round = async (url: string, bearer: string) => {
  const pages: Page['value'][] = [];
  for (let next: string | undefined = url, link = ''; ;) {
    const { body } = await get(next, bearer);
    pages.push(body.value);
    link = body['@odata.deltaLink'] ?? '';
    next = body['@odata.nextLink'];
    if (next === undefined) return { pages, rows: pages.flat(), link };
  }
};

describe('consent', () => {
  it('comes back with the directory that consented, and lets the application have a token', async () => {
    expect(await visitor.appToken(tenant.tid)).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client', error_codes: [700016] },
    });
    const { searchParams } = await visitor.consent(consentAddress());
    expect(Object.fromEntries(searchParams)).toMatchObject({ admin_consent: 'True', tenant: tenant.tid, state: '12345' });
    expect(await visitor.appToken(tenant.tid)).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3599 } });
    const wrong = { ...visitor.app, client_secret: 'x', grant_type: 'client_credentials', scope: 'https://graph.microsoft.com/.default' };
    expect(await visitor.form(tenant.tid, wrong)).toMatchObject({ status: 401, body: { error: 'invalid_client', error_codes: [7000215] } });
  });

  it('says that it was refused, and names another directory where it is told to lie', async () => {
    const refused = await visitor.consent(consentAddress(), 'cancel');
    expect(refused.searchParams.get('error')).toBe('consent_required');
    fault('forged-tenant');
    expect((await visitor.consent(consentAddress())).searchParams.get('tenant')).not.toBe(tenant.tid);
    expect((await fetch(consentAddress('nowhere.test'))).status).toBe(400);
  });
});

describe('signing in', () => {
  const isSigned = async (jwt: string) => {
    const { keys } = (await (await fetch(`${origin}${ENTRA_LOGIN}/common/discovery/v2.0/keys`)).json()) as { keys: JsonWebKey[] };
    const [head = '', body = '', signature = ''] = jwt.split('.');
    const key = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' });
    return createVerify('RSA-SHA256').update(`${head}.${body}`).verify(key, signature, 'base64url');
  };
  const claimsOf = (jwt: string) =>
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;

  it('gives an id token for a code, once and to whoever began', async () => {
    const { exchange } = await visitor.signIn('organizations', person('Astrid').id);
    const { status, body } = await exchange();
    const jwt = String(body['id_token']);
    expect([status, await isSigned(jwt)]).toEqual([200, true]);
    expect(claimsOf(jwt)).toMatchObject({
      iss: `${origin}${ENTRA_LOGIN}/${tenant.tid}/v2.0`, aud: DEMO_APP.clientId, tid: tenant.tid, oid: person('Astrid').id, nonce: 'n', ver: '2.0',
      wids: ['62e90394-69f5-4237-9190-012177145e10'],
    }); // prettier-ignore
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const other = await visitor.signIn(tenant.tid, person('Dag').id);
    expect(await other.exchange('another')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('turns away who is disabled, and lies where it is told to', async () => {
    directory.store.changePerson(person('Dag'), { accountEnabled: false });
    expect((await visitor.signIn(tenant.tid, person('Dag').id)).back.protocol).toBe('none:');
    expect((await visitor.signIn(tenant.tid, '')).back.searchParams.get('error')).toBe('access_denied');
    fault('lying-signature');
    const { body } = await (await visitor.signIn(tenant.tid, person('Bjørn').id)).exchange();
    expect(await isSigned(String(body['id_token']))).toBe(false);
  });
});

describe('delta', () => {
  it('tells all people in pages, then what changed', async () => {
    const bearer = await token();
    const first = await round('users/delta?$select=displayName,accountEnabled,mobilePhone', bearer);
    expect(first.pages.map((page) => page.length)).toEqual([2, 2]);
    expect(first.rows[0]).toEqual({ id: person('Astrid').id, displayName: 'Astrid Lie', accountEnabled: true });
    const { id } = person('Camilla');
    directory.store.removePerson(person('Camilla'));
    directory.store.changePerson(person('Dag'), { accountEnabled: false });
    const second = await round(first.link, bearer);
    expect(second.rows).toEqual([
      { id, '@removed': { reason: 'changed' } },
      { id: person('Dag').id, displayName: 'Dag Moen', accountEnabled: false },
    ]);
    expect((await round(second.link, bearer)).rows).toEqual([]);
  });

  it('tells groups with who came and went', async () => {
    const bearer = await token();
    const first = await round('groups/delta', bearer);
    const staff = directory.store.groups(tenant.tid).find(({ displayName }) => displayName === 'All staff');
    expect(first.rows.find(({ id }) => id === staff?.id)?.['members@delta']).toHaveLength(4);
    const { id } = person('Bjørn');
    directory.store.removePerson(person('Bjørn'));
    const gone = { '@odata.type': '#microsoft.graph.user', id, '@removed': { reason: 'deleted' } };
    expect((await round(first.link, bearer)).rows.map((row) => row['members@delta'])).toEqual([[gone], [gone]]);
    const { status, body } = await get(`groups/${staff?.id}/members`, bearer);
    expect([status, body.value.length]).toEqual([200, 3]);
    expect(await get(`organization/${tenant.tid}`, bearer)).toMatchObject({ status: 200, body: { id: tenant.tid } });
    expect((await get(`organization/${id}`, bearer)).status).toBe(404);
  });

  it('has its bad days', async () => {
    const bearer = await token();
    const { link } = await round('users/delta', bearer);
    fault('gone');
    expect(await get(link, bearer)).toMatchObject({ status: 410, body: { error: { code: 'syncStateNotFound' } } });
    fault('throttled');
    const throttled = await get(link, bearer);
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '7']);
    fault('expired-token');
    expect(await get(link, bearer)).toMatchObject({ status: 401, body: { error: { code: 'InvalidAuthenticationToken' } } });
    fault('shuffled');
    expect((await round('groups/delta', bearer)).rows.length).toBeGreaterThan(directory.store.groups(tenant.tid).length);
    fault('member-first');
    const held = await round('users/delta', bearer);
    expect([held.rows.length, (await round(held.link, bearer)).rows.length]).toEqual([3, 1]);
    directory.store.consent(tenant, DEMO_APP.clientId, false);
    expect((await get(link, bearer)).status).toBe(403);
    expect((await get('users/delta', `${bearer.slice(0, -4)}AAAA`)).status).toBe(401);
  });
});
