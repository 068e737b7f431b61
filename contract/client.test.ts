import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiError, createClient } from './client.ts';

const seen: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
const server = createServer((req, res) => {
  let body = '';
  req.on('data', (chunk: Buffer) => (body += chunk.toString()));
  req.on('end', () => {
    seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
    if (req.url?.startsWith('/v1/groups/')) return res.writeHead(204).end();
    if (req.url?.startsWith('/v1/types')) return res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in to the network</p>');
    if (req.url?.startsWith('/v1/statuslabels')) return res.writeHead(200, { 'content-type': 'application/json' }).end('{broken');
    if (req.url?.startsWith('/v1/key'))
      return res.writeHead(403, { 'content-type': 'application/problem+json' }).end(JSON.stringify({ code: 'forbidden', status: 403 }));
    if (req.url?.includes('/image')) return res.writeHead(200, { 'content-type': 'image/webp' }).end(Buffer.from([1, 2, 3]));
    return res
      .writeHead(200, {
        'content-type': 'application/json',
        link: '<http://x/v1/lockers?cursor=ab%3D&limit=1>; rel="next"',
        'x-total-count': '7',
      })
      .end('[]');
  });
});
let base = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => void server.close());

const uuid = '0190b5a0-0000-7000-8000-000000000001';

describe('the typed client', () => {
  // shows R7.1, R7.3
  it('sends the bearer token, fills the path and writes q as JSON', async () => {
    const api = createClient({ base, token: () => 't1' });
    await api('GET /lockers', { query: { q: { doorTag: 'A 1' }, limit: 5 } });
    const last = seen.at(-1);
    expect(last?.url).toMatch(/^\/v1\/lockers\?/);
    expect(last?.headers['authorization']).toBe('Bearer t1');
    expect(new URL(`http://x${last?.url}`).searchParams.get('q')).toBe('{"doorTag":"A 1"}');
  });
  // shows R7.2, R7.4
  it('sends a JSON body with POST, PUT, PATCH and DELETE, and none with GET', async () => {
    const api = createClient({ base });
    await api('POST /statuslabels', { body: { name: 'Ready', type: 'deployable' } }).catch(() => undefined);
    expect(seen.at(-1)).toMatchObject({ method: 'POST', body: '{"name":"Ready","type":"deployable"}' });
    expect(seen.at(-1)?.headers['content-type']).toBe('application/json');
    await api('PUT /lockers/{id}/lock', { params: { id: uuid }, body: {} });
    expect(seen.at(-1)).toMatchObject({ method: 'PUT', body: '{}' });
    // no call of ours is a PATCH; one that comes sends what the others send
    const loose = api as unknown as (call: string, input: object) => Promise<unknown>;
    await loose('PATCH /lockers', { body: { a: 1 } });
    expect(seen.at(-1)).toMatchObject({ method: 'PATCH', body: '{"a":1}', headers: { 'content-type': 'application/json' } });
    await api('GET /lockers');
    expect(seen.at(-1)).toMatchObject({ method: 'GET', body: '' });
    expect(seen.at(-1)?.headers['content-type']).toBeUndefined();
  });
  // shows R7.3, R7.4, R7.5
  it('sends a JSON body on DELETE, no bearer without a token, and 204 yields nothing', async () => {
    const api = createClient({ base });
    expect(await api('DELETE /groups/{id}', { params: { id: uuid } })).toBeUndefined();
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE', body: '{}' });
    expect(seen.at(-1)?.headers['authorization']).toBeUndefined();
  });
  // shows R8.1
  it('throws the words of the specification for a refusal, with status and problem', async () => {
    const error = await createClient({ base })('GET /key').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: 'API Error: {"code":"forbidden","status":403}', status: 403, problem: { code: 'forbidden' } });
  });
  // shows R8.2
  it('says when an answer cannot be processed', async () => {
    await expect(createClient({ base })('GET /statuslabels')).rejects.toThrow(/^Error processing response: ./);
    // a page of somebody in between is no list of words
    await expect(createClient({ base })('GET /types/{kind}', { params: { kind: 'roles' } })).rejects.toThrow(
      /^Error processing response: ./,
    );
  });
  // shows R7.6
  it('reads images as bytes', async () => {
    const image = await createClient({ base })('GET /assets/{id}/image', { params: { id: uuid } });
    expect((await image.arrayBuffer()).byteLength).toBe(3);
  });
  // shows R7.2
  it('sends form data for an upload', async () => {
    await createClient({ base })('POST /assets', { body: { name: 'Drill' }, image: new Blob(['x'], { type: 'image/png' }) });
    const { headers = {}, body = '' } = seen.at(-1) ?? {};
    expect(headers['content-type']).toMatch(/^multipart\/form-data/);
    expect(body).toMatch(/name="data"\r\n\r\n{"name":"Drill"}\r\n/);
    expect(body).toMatch(/name="image"; filename="[^"]+"\r\nContent-Type: image\/png\r\n\r\nx\r\n/);
  });
  it('gives the next cursor and the count of a page', async () => {
    expect(await createClient({ base }).page('GET /lockers', { query: { limit: 1, count: 'true' } })).toEqual({
      rows: [],
      next: 'ab=',
      total: 7,
    });
  });
  // shows R5.25
  it('names the token’s own company where none is given', async () => {
    const payload = Buffer.from(JSON.stringify({ tenant: { tenant_id: uuid, tenant_name: 'Nordlys Ærlig' } })).toString('base64url');
    const api = createClient({ base, token: () => `e30.${payload}.x` });
    await api('GET /companies/{tenant}');
    expect(seen.at(-1)?.url).toBe(`/v1/companies/${uuid}`);
    await api('DELETE /companies/{tenant}/memberships/{membershipId}', { params: { membershipId: 'm' } });
    expect(seen.at(-1)?.url).toBe(`/v1/companies/${uuid}/memberships/m`);
    await api('GET /companies/{tenant}/invitations/{id}', { params: { id: 'i' } });
    expect(seen.at(-1)?.url).toBe(`/v1/companies/${uuid}/invitations/i`);
    const loose = api as unknown as (call: string, input: unknown) => Promise<unknown>;
    for (const tenant of ['', null, 7]) {
      await loose('GET /companies/{tenant}', { params: { tenant } });
      expect(seen.at(-1)?.url).toBe(`/v1/companies/${uuid}`);
    }
    const key = `hw_${Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')}${'s'.repeat(32)}`;
    await createClient({ base, token: () => key })('GET /companies/{tenant}/memberships');
    expect(seen.at(-1)?.url).toBe(`/v1/companies/${uuid}/memberships`);
    await api('GET /companies/{tenant}', { params: { tenant: 'other' } });
    expect(seen.at(-1)?.url).toBe('/v1/companies/other');
  });
  // shows R5.3, R5.4, R5.5, R5.6, R5.7, R5.8, R5.9, R5.10, R5.11, R5.12, R5.13, R5.14, R5.15, R5.17, R5.18, R5.19, R5.20, R5.21, R5.22, R5.23, R5.24
  it.each([
    ['DELETE /companies/{tenant}/memberships/{membershipId}', { params: { tenant: 'x' } }, 'Missing / Format issue of membershipId'],
    ['GET /companies/{tenant}/invitations/{id}', { params: { tenant: 'x', id: 7 } }, 'Missing / Format issue of invitationId'],
    ['GET /companies/{tenant}/invitations/{id}', { params: { tenant: 'x' } }, 'Missing / Format issue of invitationId'],
    ['GET /policies/{id}', { params: {} }, 'Missing / Format issue of policyId'],
    ['DELETE /policies/{_id}', { params: { _id: 7 } }, 'Missing / Format issue of policyId'],
    ['GET /policies/{ref}/login_hint', { params: {} }, 'Missing / Format issue of ref'],
    ['GET /groups/{id}', { params: {} }, 'Missing / Format issue of groupId'],
    ['POST /groups/{id}/members/{userId}', { params: { id: 'g' } }, 'Missing / Format issue of userId'],
    ['DELETE /asset-groups/{id}', { params: {} }, 'Missing / Format issue of assetGroupId'],
    ['GET /permissions/{id}', { params: {} }, 'Missing / Format issue of permissionId'],
    ['PUT /permissions/{id}', { params: { id: 'p' }, body: [] }, 'Missing / Format issue of data'],
    ['PUT /groups/{id}', { params: { id: 'g' } }, 'Missing / Format issue of data'],
    ['POST /policies', { body: null }, 'Missing / Format issue of data'],
    ['PUT /integrations/{kind}/{_id}', { params: { kind: 'vipps' } }, 'Missing object ID'],
    ['PUT /groups/{id}', { params: { id: 'g' }, body: {} }, 'Missing / Format issue of name'],
    ['PUT /asset-groups/{id}', { params: { id: 'g' }, body: { name: 'x' } }, 'Missing / Format issue of description'],
    ['PUT /permissions/{id}', { params: { id: 'p' }, body: { name: 'x', scopes: [] } }, 'Missing / Format issue of groups'],
    ['POST /integrations/entra', { body: { tid: 7 } }, 'Missing / Format issue of tid'],
    ['GET /policies/{id}', { params: { id: null } }, 'Missing / Format issue of policyId'],
    ['DELETE /groups/{id}/members/{userId}', { params: { userId: 'u' } }, 'Missing / Format issue of groupId'],
    ['POST /groups', { body: { name: 7 } }, 'Missing / Format issue of name'],
    ['POST /asset-groups', { body: { name: 'x' } }, 'Missing / Format issue of description'],
    ['POST /permissions', { body: { name: 'x', scopes: [], groups: [] } }, 'Missing / Format issue of lockers'],
    ['GET /lockers/{id}', { params: { id: '' } }, 'Missing / Format issue of lockerID'],
    ['GET /assets/{id}', { params: { id: '' } }, 'Missing / Format issue of assetID'],
    ['GET /types/{kind}', { params: { kind: '' } }, 'Missing / Format issue of kind'],
    ['POST /occupations', { body: {} }, 'Missing / Format issue of "type" element'],
    ['POST /companies/{tenant}/invitations', { params: { tenant: 'x' }, body: {} }, 'Email and/or tlf is required'],
    ['POST /assets', { body: { name: 'x', data: [] } }, 'Asset data is not an object'],
    ['POST /permissions', { body: { name: 'x', scopes: 1 } }, 'Missing / Format issue of scopes'],
  ])('checks %s before anything is sent', async (call, input, words) => {
    const before = seen.length;
    const api = createClient({ base }) as unknown as (call: string, input: unknown) => Promise<unknown>;
    await expect(api(call, input)).rejects.toThrow(words);
    expect(seen.length).toBe(before);
  });
});

describe('a call whose answer does not come', () => {
  const never = () => new Promise<never>(() => undefined);
  const csv = { 'content-type': 'text/csv' };
  /** A body of so many parts, one every `every` ms, and then nothing or its end. */
  const body = (parts: number, every: number, ends: boolean) =>
    new ReadableStream<Uint8Array>({
      async start(out) {
        for (let part = 0; part < parts; part++) {
          await new Promise((later) => setTimeout(later, every));
          out.enqueue(new TextEncoder().encode('[]'));
        }
        if (ends) out.close();
      },
    });
  const later = (ms: number) => new Promise<Response>((come) => setTimeout(() => come(new Response('[]')), ms));
  type Way = { fetch?: () => Promise<Response>; token?: () => Promise<string>; image?: Blob; signal?: AbortSignal; patience?: undefined };
  /** How long it waited (ms), and what came of it. */
  it.each<[string, Way, number, string]>([
    ['no answer at all', { fetch: never }, 30_000, 'TimeoutError'],
    ['an answer just in time', { fetch: () => later(29_999) }, 29_999, 'done'],
    ['an answer just too late', { fetch: () => later(30_001) }, 30_000, 'TimeoutError'],
    ['a token that never comes', { token: never }, 30_000, 'TimeoutError'],
    ['an answer that stops after its head', { fetch: async () => new Response(body(0, 0, false)) }, 30_000, 'TimeoutError'],
    ['a list that stops within', { fetch: async () => new Response(body(1, 10, false)) }, 30_000, 'TimeoutError'],
    [
      'a refusal that stops after its head',
      { fetch: async () => new Response(body(0, 0, false), { status: 409 }) },
      30_000,
      'TimeoutError',
    ],
    ['a long file that goes on coming', { fetch: async () => new Response(body(5, 20_000, true), { headers: csv }) }, 100_000, 'done'],
    [
      'a file that stops in the middle',
      { fetch: async () => new Response(body(3, 20_000, false), { headers: csv }) },
      90_000,
      'TimeoutError',
    ],
    ['a picture on a slow line', { fetch: () => later(70_000), image: new Blob([new Uint8Array(1e6)]) }, 70_000, 'done'],
    ['a picture that never arrives', { fetch: never, image: new Blob([new Uint8Array(1e6)]) }, 80_000, 'TimeoutError'],
    ['one that was given up meanwhile', { fetch: never, signal: AbortSignal.abort() }, 0, 'AbortError'],
    ['where nobody waits', { fetch: () => later(90_000), patience: undefined }, 90_000, 'done'],
  ])('%s', async (_, { fetch = () => later(0), token, image, signal, ...more }, took, outcome) => {
    vi.useFakeTimers();
    try {
      const told: string[] = [];
      const api = createClient({
        base,
        fetch,
        ...(token ? { token } : {}),
        ...('patience' in more ? {} : { patience: 30_000 }),
        onFailure: (_call, error) => told.push(error.name),
      });
      const began = Date.now();
      const input = { ...(image ? { image } : {}), ...(signal ? { signal } : {}) };
      const asked = (api as (call: string, given: object) => Promise<unknown>)(image ? 'PUT /pictures' : 'GET /lockers', input).then(
        () => ['done', Date.now() - began],
        (error: Error) => [error.name, Date.now() - began],
      );
      await vi.advanceTimersByTimeAsync(120_000);
      expect(await asked).toEqual([outcome, took]);
      expect(told).toEqual(outcome === 'TimeoutError' ? ['TimeoutError'] : []);
    } finally {
      vi.useRealTimers();
    }
  });
});
