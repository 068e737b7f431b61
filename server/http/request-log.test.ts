import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Visitor, type Tokens } from '../identity/test-visitor.ts';
import { query } from '../db/test-database.ts';
import { testCompany, type TestCompany, type TestPerson } from '../test-company.ts';
import { testServer, type TestServer } from '../test-server.ts';

const lines: string[] = [];
const sink = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    lines.push(...chunk.toString().split('\n').filter(Boolean));
    done();
  },
});

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
beforeAll(async () => {
  server = await testServer({ logTo: sink, config: { logLevel: 'trace' } });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
});
afterAll(() => server.stop());

type Line = { level: number; reqId?: string; method?: string; route?: string; status?: number; msg: string };
const logged = (): Line[] => lines.map((line) => JSON.parse(line) as Line);

describe('the log', () => {
  it('has one line a request, by its pattern, with the id that the answer carries', async () => {
    const answer = await fetch(`${server.url}/v1/occupations/token/some-secret-token`);
    const id = answer.headers.get('x-request-id') ?? '';
    await expect.poll(() => logged().filter((line) => line.reqId === id)).toHaveLength(1);
    expect(logged().find((line) => line.reqId === id)).toMatchObject({
      method: 'GET',
      route: '/v1/occupations/token/:token',
      status: 404,
      msg: 'request',
    });
  });

  it('holds no secret that passes through the server', async () => {
    const visitor = new Visitor(server.url);
    const verifier = await visitor.startSignIn();
    await visitor.submit({ login: admin.email, password: 'correct horse battery' });
    const code = new URL(visitor.page.url).searchParams.get('code') ?? '';
    const { tokens } = await visitor.exchange(verifier);
    const renewed = await visitor.refresh(tokens);
    const key = await admin.api('POST /key', { body: { name: 'K', scopes: ['read'] } });
    await server.as(key.secret)('GET /lockers');
    const company = await server.operator('POST /operator/companies', {
      body: { name: 'Logged', licenses: [], admin: { name: 'A', email: 'logged-admin@example.test' } },
    });
    await visitor.go(company.invitationUrl);
    // What opens doors, or another one's system: each is given once by a call, and taken by another.
    const site = await admin.api('POST /sites', { body: { name: 'Hall' } });
    const columns = [{ width: 400, doors: [{ doorTag: 'LOG-1', compartment: 1, size: 'M' as const, height: 300 }] }];
    const cabinet = await admin.api('POST /cabinets', { body: { siteId: site.id, name: 'Wall', columns } });
    const pairing = await admin.api('POST /cabinets/{id}/pair', { params: { id: cabinet.id } });
    const broker = await server.as(null)('POST /devices/pair', { body: { code: pairing.code, fw: '1', model: 'x' } });
    const [lot] = await admin.api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
    const link = await admin.api('POST /links', {
      body: { name: 'Plumber', purpose: 'open', lockerIds: [lot?.id ?? ''], maxUses: 1 },
    });
    const linkToken = new URL(link.url).pathname.split('/').at(-1) ?? '';
    await server.as(null)('POST /pickup/link', { body: { token: linkToken } });
    await server
      .as(null)('POST /pickup/link/open', { body: { token: linkToken, doorTag: 'LOG-1' } })
      .catch(() => null);
    const webhook = await admin.api('POST /webhooks', { body: { url: 'https://hooks.example.test/x', events: [] } });
    const vipps = { clientSecret: 'client-secret-of-vipps', subscriptionKey: 'subscription-key-of-vipps' };
    await admin.api('POST /integrations/{kind}', {
      params: { kind: 'vipps' },
      body: { settings: { merchantSerialNumber: '123456', clientId: 'c' }, secrets: vipps },
    });
    const made = await admin.api('POST /occupations', {
      body: { type: 'storage', lockerId: lot?.id ?? '', receiver: { name: 'Kari', email: 'kari@example.test' } },
    });
    await admin.api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
    const sealed = await query<{ token_sealed: Buffer; code_sealed: Buffer }>(
      server.database.ownerUrl,
      'select token_sealed, code_sealed from occupations where id = $1',
      [made.id],
    );
    const opened = (value: Buffer | undefined) => server.deps.seal.open(value ?? Buffer.alloc(0)) ?? '';
    const token = opened(sealed[0]?.token_sealed);
    const pickupCode = opened(sealed[0]?.code_sealed);
    await server.as(null)('GET /occupations/token/{token}', { params: { token } });
    await server.as(null)('POST /pickup/look', { body: { key: { token } } });
    await server.as(null)('POST /pickup/look', { body: { key: { code: pickupCode, cabinet: String(cabinet.number) } } });
    await fetch(`${server.url}/p/${token}`);
    await fetch(link.url);

    const secrets = {
      'the path’s token': 'PATHTOKENxyz0123456789',
      'the pick-up code': '918273',
      'the query’s word': 'Querywordsson',
      'the body’s name': 'Bodynameson',
      'a wrong password': 'wrong-horse-battery',
      'a forged token': 'eyJhbGciOiJub25lIn0.forged.token',
    };
    const [pathToken, pin, word, name, password, forged] = Object.values(secrets) as [string, string, string, string, string, string];
    const post = (path: string, body: string, headers: Record<string, string> = {}) =>
      fetch(`${server.url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    await Promise.all([
      fetch(`${server.url}/p/${pathToken}`),
      fetch(`${server.url}/l/${pathToken}?x=${pathToken}`),
      fetch(`${server.url}/v1/occupations/token/${pathToken}`),
      fetch(`${server.url}/nosuch/${pathToken}`),
      fetch(`${server.url}/v1/lockers/%zz${pathToken}`),
      fetch(`${server.url}/v1/lockers?q={"$text":"${word}"}`, { headers: bearer(admin.token) }),
      fetch(`${server.url}/v1/lockers?q={"nosuch":"${word}"}`, { headers: bearer(admin.token) }),
      fetch(`${server.url}/v1/lockers`, { headers: bearer(forged) }),
      post('/v1/pickup/look', JSON.stringify({ key: { token: pathToken } })),
      post('/v1/pickup/look', JSON.stringify({ key: { code: pin, cabinet: '1' } })),
      post('/v1/pickup/look', `{"key":{"token":"${pathToken}"`),
      post('/v1/groups', JSON.stringify({ name, nosuch: name }), bearer(admin.token)),
      post('/v1/devices/pair', JSON.stringify({ code: pathToken, fw: '1', model: 'x' })),
    ]);
    const other = new Visitor(server.url);
    await other.startSignIn();
    await other.submit({ login: admin.email, password });
    const live = (token: string) =>
      new Promise<void>((resolve) => {
        const socket = new WebSocket(`${server.url.replace('http', 'ws')}/live`, token, { origin: server.url });
        socket.on('open', () => socket.close());
        socket.on('error', () => resolve());
        socket.on('close', () => resolve());
      });
    await live(tokens.access_token);
    await live(forged);
    // What was logged last is there when the request after it is.
    const last = await fetch(`${server.url}/healthz`);
    await expect.poll(() => lines.some((line) => line.includes(last.headers.get('x-request-id') ?? 'none'))).toBe(true);

    const tokensOf = (named: string, { access_token, refresh_token, id_token }: Tokens) => ({
      [`${named} access token`]: access_token,
      [`${named} refresh token`]: refresh_token,
      [`${named} id token`]: id_token,
    });
    const forbidden: Record<string, string> = {
      ...secrets,
      ...tokensOf('the', tokens),
      ...tokensOf('the renewed', renewed.tokens),
      'the admin’s token': admin.token,
      'the sign-in’s code': code,
      'the PKCE verifier': verifier,
      'the password': 'correct horse battery',
      'the API key': key.secret,
      'the pairing code': pairing.code,
      'the broker’s password': broker.password,
      'the access link’s secret': linkToken,
      'the webhook’s secret': webhook.secret,
      'the client secret': vipps.clientSecret,
      'the subscription key': vipps.subscriptionKey,
      'the occupation’s token': token,
      // Six digits stand in many a number; as a value they would stand alone.
      'the occupation’s code': `"${pickupCode}"`,
      'the invitation’s address': new URL(company.invitationUrl).pathname,
      'the operator’s key': server.deps.config.operatorKey,
      'the secret key': server.deps.config.secretKey,
      'a header': 'sec-websocket-protocol',
      'another header': 'authorization',
      'a cookie': 'cookie',
    };
    const found = Object.entries(forbidden).filter(([, secret]) => {
      if (secret.length < 5) throw new Error('a secret of this test is none');
      return lines.some((line) => line.toLowerCase().includes(secret.toLowerCase()));
    });
    expect(found.map(([what, secret]) => [what, lines.find((line) => line.toLowerCase().includes(secret.toLowerCase()))])).toEqual([]);
    // And it did log: every one of those requests has its line.
    expect(logged().filter((line) => line.msg === 'request').length).toBeGreaterThan(25);
    expect(logged().filter((line) => line.level >= 50)).toEqual([]);
  });
});
