import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, createClient } from './client.ts';

const seen: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
const server = createServer((req, res) => {
  let body = '';
  req.on('data', (chunk: Buffer) => (body += chunk.toString()));
  req.on('end', () => {
    seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
    if (req.url?.startsWith('/v1/groups/')) return res.writeHead(204).end();
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
  it('sends the bearer token, fills the path and writes q as JSON', async () => {
    const api = createClient({ base, token: () => 't1' });
    await api('GET /lockers', { query: { q: { doorTag: 'A 1' }, limit: 5 } });
    const last = seen.at(-1);
    expect(last?.headers['authorization']).toBe('Bearer t1');
    expect(new URL(`http://x${last?.url}`).searchParams.get('q')).toBe('{"doorTag":"A 1"}');
  });
  it('sends a JSON body on DELETE, and 204 yields nothing', async () => {
    const api = createClient({ base });
    expect(await api('DELETE /groups/{id}', { params: { id: uuid } })).toBeUndefined();
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE', body: '{}' });
    expect(seen.at(-1)?.headers['authorization']).toBeUndefined();
  });
  it('throws the words of the specification for a refusal, with status and problem', async () => {
    const error = await createClient({ base })('GET /key').catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: 'API Error: {"code":"forbidden","status":403}', status: 403, problem: { code: 'forbidden' } });
  });
  it('says when an answer cannot be processed', async () => {
    await expect(createClient({ base })('GET /statuslabels')).rejects.toThrow(/^Error processing response: /);
  });
  it('reads images as bytes', async () => {
    const image = await createClient({ base })('GET /assets/{id}/image', { params: { id: uuid } });
    expect((await image.arrayBuffer()).byteLength).toBe(3);
  });
  it('sends form data for an upload', async () => {
    await createClient({ base })('POST /assets', { body: { name: 'Drill' }, image: new Blob(['x'], { type: 'image/png' }) });
    expect(seen.at(-1)?.headers['content-type']).toMatch(/^multipart\/form-data/);
  });
  it('gives the next cursor and the count of a page', async () => {
    expect(await createClient({ base }).page('GET /lockers', { query: { limit: 1, count: 'true' } })).toEqual({
      rows: [],
      next: 'ab=',
      total: 7,
    });
  });
  it.each([
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
