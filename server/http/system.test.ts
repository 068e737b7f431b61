import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../db/test-database.ts';
import { refusal, testCompany, type TestPerson } from '../test-company.ts';
import type { RouteSpec } from '@hatchway/contract/route.ts';
import { routes } from '@hatchway/contract/routes.ts';
import { testServer, type TestServer } from '../test-server.ts';

/** A line to the database that can be cut. */
const lineTo = async (target: URL) => {
  const open = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const listen = (port: number) => new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as net.AddressInfo;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  return { port, cut, mend: () => listen(port) };
};

let database: TestDatabase;
let line: Awaited<ReturnType<typeof lineTo>>;
let server: TestServer;
let admin: TestPerson;
beforeAll(async () => {
  database = await testDatabase();
  const url = new URL(database.url);
  line = await lineTo(new URL(database.url));
  url.hostname = '127.0.0.1';
  url.search = ''; // not by the socket
  url.port = String(line.port);
  server = await testServer({ database: { ...database, url: url.href }, config: { logLevel: 'silent' } });
  admin = await (await testCompany(server)).person(['admin']);
});
afterAll(async () => {
  await server.stop();
  await line.cut();
  await database.close();
});

const get = async (path: string) => {
  const answer = await fetch(`${server.url}${path}`);
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
};

describe('what runs the service', () => {
  it('sees that it lives and is ready', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, text: '{"ok":true}' });
    const ready = await get('/readyz');
    expect([ready.status, JSON.parse(ready.text)]).toEqual([200, { database: true, broker: true, bus: true, stopping: false }]);
  });

  it('reads metrics by route pattern, without ids', async () => {
    const { accountId } = admin;
    await admin.api('GET /accounts/{id}', { params: { id: accountId } });
    const { status, type, text } = await get('/metrics');
    expect([status, type]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(text).toMatch(/hatchway_http_request_seconds_count\{method="GET",route="\/v1\/accounts\/:id",status="200"\} [1-9]/);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain(accountId);
  });

  it('finds the description of the API', async () => {
    const document = await get('/v1/openapi.json');
    expect([document.status, (JSON.parse(document.text) as { openapi: string }).openapi]).toEqual([200, '3.1.0']);
    const reader = await get('/v1/docs');
    expect(reader).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
    expect(reader.text).toContain('id="problem-stale"');
    expect(reader.text).not.toMatch(/undefined|\[object Object\]/);
    // What everybody can call stands before what only an operator can.
    const places = ['id="first-call"', 'id="lockers"', 'id="operator"'].map((part) => reader.text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(reader.text).toContain(`${server.url}/v1/lockers?limit=2`);
    const [, example] = /-d '(.*)'/.exec(reader.text) ?? [];
    const calls: readonly RouteSpec[] = routes;
    const delivery = calls.find(({ method, path }) => `${method} ${path}` === 'POST /occupations/delivery');
    expect(delivery?.body?.safeParse(JSON.parse(example ?? '')).error).toBeUndefined();
    expect(await get('/v1/docs.js')).toMatchObject({ status: 200, type: 'text/javascript; charset=utf-8' });
  });

  it('hears 503 while the database is away, lives on, and is ready again when it is back', async () => {
    await line.cut();
    try {
      const ready = await get('/readyz');
      expect([ready.status, JSON.parse(ready.text)]).toEqual([503, { database: false, broker: true, bus: true, stopping: false }]);
      expect((await get('/healthz')).status).toBe(200);
      expect(await refusal(admin.api('GET /lockers'))).toEqual([503, 'unavailable']);
      expect(await refusal(admin.api('POST /groups', { body: { name: 'X' } }))).toEqual([503, 'unavailable']);
    } finally {
      await line.mend();
    }
    await expect.poll(async () => (await get('/readyz')).status).toBe(200);
    await expect.poll(() => admin.api('GET /lockers').catch((error: unknown) => String(error))).toEqual([]);
  });
});
