import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { isPublic } from './addresses.ts';
import { createOutside, MOST_BYTES, OutsideError } from './fetch.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});
/** A server on the loopback that counts who connected. */
const host = async (listener: RequestListener) => {
  const server = createServer(listener);
  servers.push(server);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
};
const failure = async (call: Promise<unknown>): Promise<[string, boolean]> => {
  const error = await call.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof OutsideError)) throw new Error(`expected a failure, got ${String(error)}`);
  return [error.reason, error.sent];
};

describe('addresses', () => {
  it.each([
    '0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.9.9.9', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1',
    '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255',
    '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::a00:1', '100::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'ff02::1',
    '2001::1', '2001:db8::1', '2002:7f00:1::1', '3fff::1', 'localhost', '',
  ])('%s is not public', (address) => expect(isPublic(address)).toBe(false)); // prettier-ignore
  it.each(['1.1.1.1', '172.15.0.1', '172.32.0.1', '100.128.0.1', '193.0.0.1', '2606:4700::1111', '2a00:1450::5'])('%s is', (address) =>
    expect(isPublic(address)).toBe(true),
  );
});

describe('what the server fetches for a customer', () => {
  const outside = createOutside([]);

  it.each([
    'http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'https://user:pass@example.com/', 'nonsense', '',
    'https://127.0.0.1/', 'https://localhost/', 'https://a.localhost/', 'https://[::1]/', 'https://10.0.0.1/', 'https://169.254.169.254/latest/meta-data',
    'https://0x7f.1/', 'https://2130706433/', 'https://0177.0.0.1/', 'https://[::ffff:127.0.0.1]/', 'https://[fd00::1]/',
  ])('is refused before anything is sent: %s', async (url) => {
    expect(outside.fault(url)).not.toBeNull();
    expect(await failure(outside.fetch(url))).toEqual(['address', false]);
  }); // prettier-ignore

  it('reaches no private address by a public name, and asks the name once for each connection', async () => {
    const { port, connections } = await host((_, answer) => answer.end('inside'));
    // The name that answers with a public address when it is looked at, and with the inside when it is used.
    const answers = [['198.51.100.7'], ['127.0.0.1'], ['::1'], ['1.1.1.1', '127.0.0.1'], []];
    let asked = 0;
    const rebinding = createOutside([port], async () =>
      (answers[asked++] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
    for (const [times] of answers.entries()) {
      expect(await failure(rebinding.fetch(`https://rebind.example:${port}/`))).toEqual(['address', false]);
      expect(asked).toBe(times + 1);
    }
    expect(connections()).toBe(0);
  });

  it('is connected to the address that was checked, which is asked for once', async () => {
    const { port, connections } = await host((_, answer) => answer.end());
    let asked = 0;
    const changing = createOutside([port], async () => [{ address: (asked += 1) === 1 ? '127.0.0.1' : '10.255.255.1', family: 4 }]);
    expect((await changing.fetch(`http://localhost:${port}/`)).status).toBe(200);
    expect(await failure(changing.fetch(`http://localhost:${port}/`))).toEqual(['address', false]);
    expect([asked, connections()]).toEqual([2, 1]);
  });

  it('reaches the loopback on the sandbox’s own ports alone, by its own names', async () => {
    const { port } = await host((request, answer) => answer.end(`${request.method} ${request.url}`));
    const { port: other, connections } = await host((_, answer) => answer.end('private'));
    const sandboxed = createOutside([port]);
    const answer = await sandboxed.fetch(`http://127.0.0.1:${port}/hook?x=1`, { method: 'POST', body: '{}' });
    expect([answer.status, answer.body.toString()]).toEqual([200, 'POST /hook?x=1']);
    expect((await sandboxed.fetch(`http://localhost:${port}/`)).status).toBe(200);
    expect(await failure(sandboxed.fetch(`http://127.0.0.1:${other}/`))).toEqual(['address', false]);
    expect(await failure(sandboxed.fetch(`http://10.0.0.1:${port}/`))).toEqual(['address', false]);
    expect(connections()).toBe(0);
  });

  it('follows no redirect: the answer is what was answered', async () => {
    const { port: inner, connections } = await host((_, answer) => answer.end('inside'));
    const { port } = await host((_, answer) => answer.writeHead(302, { location: `http://127.0.0.1:${inner}/` }).end());
    const answer = await createOutside([port, inner]).fetch(`http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ status: 302, headers: { location: `http://127.0.0.1:${inner}/` } });
    expect(connections()).toBe(0);
  });

  it('takes 1 MB and not a byte more, whether its length was said or not', async () => {
    const { port } = await host((request, answer) => {
      const size = request.url === '/most' ? MOST_BYTES : MOST_BYTES + 1;
      if (request.url !== '/silent') answer.setHeader('content-length', size);
      answer.write(Buffer.alloc(size)); // without a length said: in chunks
      answer.end();
    });
    const sandboxed = createOutside([port]);
    expect((await sandboxed.fetch(`http://127.0.0.1:${port}/most`)).body.length).toBe(MOST_BYTES);
    for (const path of ['told', 'silent'])
      expect(await failure(sandboxed.fetch(`http://127.0.0.1:${port}/${path}`))).toEqual(['too-large', true]);
  });

  it('takes a status for the whole answer where that is all that is asked, whatever the body is', async () => {
    const { port } = await host((request, answer) => {
      answer.write(Buffer.alloc(request.url === '/slow' ? 10 : MOST_BYTES + 1));
      if (request.url === '/large') answer.end();
    });
    const sandboxed = createOutside([port]);
    for (const path of ['large', 'slow']) {
      const answer = await sandboxed.fetch(`http://127.0.0.1:${port}/${path}`, { cutAfter: 100, timeoutMs: 1_000 });
      expect([path, answer.status, answer.body.length]).toEqual([path, 200, path === 'slow' ? 10 : 100]);
    }
  });

  it('waits no longer than it was told: for the beginning of an answer and for its end', async () => {
    const { port } = await host((request, answer) => {
      if (request.url === '/trickle') answer.write('a');
    });
    const sandboxed = createOutside([port]);
    for (const path of ['silence', 'trickle'])
      expect(await failure(sandboxed.fetch(`http://127.0.0.1:${port}/${path}`, { timeoutMs: 150 }))).toEqual(['timeout', true]);
  });

  it('says whether anything may have arrived', async () => {
    const { port } = await host((request) => request.socket.destroy());
    const gone = await host(() => {});
    await new Promise((done) => servers.pop()?.close(done));
    const sandboxed = createOutside([port, gone.port]);
    expect(await failure(sandboxed.fetch(`http://127.0.0.1:${port}/`))).toEqual(['cut', true]);
    expect(await failure(sandboxed.fetch(`http://127.0.0.1:${gone.port}/`))).toEqual(['unreachable', false]);
  });
});
