import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws';
import { createLiveClient, type LiveClient, type LiveEvent, type LiveState } from './live-client.ts';

type Said = { topic: string; id: string; event?: string; token?: string };
const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

/** A real socket server that records what it hears and answers unless told to stay silent. */
const startServer = async (answer: (said: Said) => object | null = (said) => ({ topic: 'response', id: said.id })) => {
  const heard: Said[] = [];
  const sockets: ServerSocket[] = [];
  const protocols: string[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: (offered) => [...offered][0] ?? false });
  server.on('connection', (socket, request) => {
    sockets.push(socket);
    protocols.push(request.headers['sec-websocket-protocol'] ?? '');
    socket.on('message', (raw: Buffer) => {
      const said = JSON.parse(raw.toString()) as Said;
      heard.push(said);
      const reply = answer(said);
      if (reply) socket.send(JSON.stringify(reply));
    });
  });
  await new Promise((ready) => server.once('listening', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  open.push({
    close: () => {
      for (const socket of sockets) socket.terminate();
      return new Promise((done) => server.close(done));
    },
  });
  return { url: `ws://127.0.0.1:${address.port}`, heard, sockets, protocols };
};

/** A busy machine is late, not wrong. */
const soon = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });

const startClient = (url: string, more: Partial<Parameters<typeof createLiveClient>[0]> = {}) => {
  const events: LiveEvent[] = [];
  const states: LiveState[] = [];
  const onReload = vi.fn();
  const onReconnect = vi.fn();
  const onGone = vi.fn();
  const client: LiveClient = createLiveClient({
    url,
    token: () => 'first.token',
    onEvent: (e) => events.push(e),
    onState: (s) => states.push(s),
    onReload,
    onReconnect,
    onGone,
    delay: 30,
    timeout: 5_000,
    ...more,
  });
  open.push(client);
  return { client, events, states, onReload, onReconnect, onGone };
};

/** A line on which nothing moves save what a test says; its clock too. */
const still = (onState: (state: LiveState) => void = () => undefined) => {
  const made: StillSocket[] = [];
  class StillSocket extends EventTarget {
    static readonly OPEN = 1;
    readyState = 1;
    sent: Said[] = [];
    constructor() {
      super();
      made.push(this);
    }
    send = (text: string) => void this.sent.push(JSON.parse(text) as Said);
    close = () => undefined;
    open = () => this.dispatchEvent(new Event('open'));
    say = (message: object) => this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
    answer = (error?: string) => this.say({ topic: 'response', id: this.sent.at(-1)?.id, error });
    end = (code: number) => this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
  const client = createLiveClient({
    url: 'ws://lockers.example/live',
    token: () => 'first.token',
    onEvent: () => undefined,
    onReload: () => undefined,
    onState,
    Socket: StillSocket as unknown as typeof WebSocket,
  });
  return { client, made };
};

describe('live client', () => {
  // shows R7.82, R7.83, R7.84
  test('sends the token as subprotocol, subscribes, and hands events on', async () => {
    const server = await startServer();
    const { client, events } = startClient(server.url);
    client.subscribe('lockers');
    await soon(() => expect(server.heard).toMatchObject([{ topic: 'subscribe', event: 'lockers' }]));
    expect(server.protocols).toEqual(['first.token']);
    server.sockets[0]?.send(JSON.stringify({ topic: 'event', subscription: 'lockers', method: 'PUT', data: { id: 'a', version: 2 } }));
    await soon(() => expect(events).toEqual([{ subscription: 'lockers', method: 'PUT', data: { id: 'a', version: 2 } }]));
  });

  test('two users of one event share a subscription; the last one ends it', async () => {
    const server = await startServer();
    const { client, states } = startClient(server.url);
    await soon(() => expect(states).toContain('open'));
    const first = client.subscribe('lockers');
    const second = client.subscribe('lockers');
    first();
    first();
    await soon(() => expect(server.heard.length).toBe(1));
    second();
    await soon(() => expect(server.heard.map((h) => h.topic)).toEqual(['subscribe', 'unsubscribe']));
  });

  // shows R8.4
  test('a request without a reply is rejected with TIMEOUT', async () => {
    const server = await startServer(() => null);
    const { client, states } = startClient(server.url, { timeout: 60 });
    await soon(() => expect(states).toContain('open'));
    await expect(client.renew('second.token')).rejects.toThrow('TIMEOUT');
  });

  test('a refusal carries the server’s word', async () => {
    const server = await startServer((said) => ({ topic: 'response', id: said.id, error: 'unauthenticated' }));
    const { client, states } = startClient(server.url);
    await soon(() => expect(states).toContain('open'));
    await expect(client.renew('second.token')).rejects.toThrow('unauthenticated');
  });

  test('a renewed token goes over the open socket', async () => {
    const server = await startServer();
    const { client, states } = startClient(server.url);
    await soon(() => expect(states).toContain('open'));
    await client.renew('second.token');
    expect(server.heard).toMatchObject([{ topic: 'token', token: 'second.token' }]);
    expect(server.sockets.length).toBe(1);
  });

  // shows R8.5, R4.36
  test('after a cut it connects again with the newest token, subscribes again and says so', async () => {
    const server = await startServer();
    let token = 'first.token';
    const { client, states, onReconnect, onReload } = startClient(server.url, { token: () => token });
    client.subscribe('lockers');
    await soon(() => expect(server.heard.length).toBe(1));
    expect(onReconnect).not.toHaveBeenCalled();
    token = 'second.token';
    server.sockets[0]?.close(4001);
    await soon(() => expect(onReconnect).toHaveBeenCalled());
    expect(server.heard.length).toBe(2);
    expect(server.protocols).toEqual(['first.token', 'second.token']);
    expect(onReconnect).toHaveBeenCalledTimes(1);
    expect(onReload).not.toHaveBeenCalled();
    expect(states).toEqual(['connecting', 'open', 'closed', 'connecting', 'open']);
  });

  test('what is shown is fetched anew only when the server tells of changes again', async () => {
    let silent = false;
    const held: Said[] = [];
    const server = await startServer((said) => {
      if (silent) held.push(said);
      return silent ? null : { topic: 'response', id: said.id };
    });
    const { client, onReconnect } = startClient(server.url, { timeout: 5_000 });
    client.subscribe('lockers');
    await soon(() => expect(server.heard.length).toBe(1));
    silent = true;
    server.sockets[0]?.terminate();
    await soon(() => expect(held).toMatchObject([{ topic: 'subscribe', event: 'lockers' }]));
    await new Promise((later) => setTimeout(later, 50));
    expect(onReconnect).not.toHaveBeenCalled();
    server.sockets[1]?.send(JSON.stringify({ topic: 'response', id: held[0]?.id }));
    await soon(() => expect(onReconnect).toHaveBeenCalledTimes(1));
  });

  // shows R8.5, R4.36
  test('close code 4000 reloads and does not connect again', async () => {
    const server = await startServer();
    const { states, onReload } = startClient(server.url);
    await soon(() => expect(states).toContain('open'));
    server.sockets[0]?.close(4000);
    await soon(() => expect(onReload).toHaveBeenCalledTimes(1));
    await new Promise((later) => setTimeout(later, 90));
    expect(server.sockets.length).toBe(1);
  });

  test('close code 4002 says that the company is gone, and comes again as any other', async () => {
    const server = await startServer();
    const { states, onReload, onGone } = startClient(server.url);
    await soon(() => expect(states).toContain('open'));
    server.sockets[0]?.close(4002);
    await soon(() => expect(onGone).toHaveBeenCalledTimes(1));
    await soon(() => expect(server.sockets.length).toBe(2));
    expect(onReload).not.toHaveBeenCalled();
  });

  test('close code 4003 is no reason to try again soon, but a page that is looked at is', async () => {
    const server = await startServer();
    const { client, states, onReload } = startClient(server.url);
    await soon(() => expect(states).toContain('open'));
    server.sockets[0]?.close(4003);
    await soon(() => expect(states).toContain('closed'));
    await new Promise((later) => setTimeout(later, 90));
    expect(server.sockets.length).toBe(1);
    client.wake();
    await soon(() => expect(server.sockets.length).toBe(2));
    expect(onReload).not.toHaveBeenCalled();
  });

  test('a socket cut while a request waits rejects it at once', async () => {
    const server = await startServer(() => null);
    const { client, states } = startClient(server.url, { timeout: 5000 });
    await soon(() => expect(states).toContain('open'));
    const asked = client.renew('second.token');
    server.sockets[0]?.terminate();
    await expect(asked).rejects.toThrow('CLOSED');
  });

  // shows R8.4, R8.5, R9.3
  test('the waits are the specification’s where nobody says otherwise', async () => {
    vi.useFakeTimers();
    try {
      const { client, made } = still();
      made[0]?.dispatchEvent(new Event('open'));
      let ended = '';
      client.renew('second.token').catch((error: Error) => (ended = error.message));
      await vi.advanceTimersByTimeAsync(9_999);
      expect(ended).toBe('');
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toBe('TIMEOUT');
      made[0]?.dispatchEvent(Object.assign(new Event('close'), { code: 1006 }));
      await vi.advanceTimersByTimeAsync(1_999);
      expect(made).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(made).toHaveLength(2);
      client.close();
    } finally {
      vi.useRealTimers();
    }
  });

  type Line = ReturnType<typeof still> & {
    pass: (ms: number) => Promise<unknown>;
    socket: (at?: number) => ReturnType<typeof still>['made'][number];
  };
  const event = { topic: 'event', subscription: 'lockers', method: 'PUT', data: {} };
  /** What happens; then how it stands after so many ms of silence, and how many sockets were asked for by then. */
  test.each<[string, (line: Line) => unknown, number, LiveState, number]>([
    ['open, and never a word', ({ socket }) => socket().open(), 20_000, 'closed', 1],
    ['it is tried again after that', ({ socket }) => socket().open(), 22_000, 'connecting', 2],
    ['a line that is never made', () => undefined, 10_000, 'closed', 1],
    ['and one that is never made either time', () => undefined, 24_000, 'connecting', 3],
    ['it answered once', async ({ socket, pass }) => (socket().open(), await pass(10_000), socket().answer()), 20_000, 'closed', 1],
    [
      'a minute of changes before',
      async ({ socket, pass }) => {
        socket().open();
        for (let second = 0; second < 60; second++) {
          await pass(1_000);
          socket().say(event);
        }
      },
      20_000,
      'closed',
      1,
    ],
    [
      'a press waits on it',
      ({ socket, client }) => (socket().open(), void client.renew('second').catch(() => undefined)),
      10_000,
      'closed',
      1,
    ],
    ['the tab comes back', async ({ socket, pass, client }) => (socket().open(), await pass(9_000), client.wake()), 3_000, 'closed', 1],
    [
      'the tab comes back to a line that lives',
      ({ socket, client }) => (socket().open(), client.wake(), socket().answer()),
      9_999,
      'open',
      1,
    ],
    [
      'the tab comes back to a closed one',
      ({ socket, client }) => (socket().open(), socket().end(1006), client.wake()),
      0,
      'connecting',
      2,
    ],
    [
      'a server that does not know the question',
      async ({ socket, pass }) => (socket().open(), await pass(10_000), socket().answer('malformed')),
      9_999,
      'open',
      1,
    ],
    [
      'what comes from a line that was given up, after the next one was made',
      async ({ socket, pass }) => (socket().open(), await pass(22_000), socket(1).open(), socket(0).say(event), socket(0).end(4000)),
      19_999,
      'open',
      2,
    ],
  ])('silence: %s', async (_, happens, silence, state, sockets) => {
    vi.useFakeTimers();
    try {
      const line = still();
      const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
      const socket = (at = 0) => {
        const one = line.made[at];
        if (!one) throw new Error(`no socket ${at}`);
        return one;
      };
      await happens({ ...line, pass, socket });
      await pass(silence);
      expect([line.client.state(), line.made.length]).toEqual([state, sockets]);
      line.client.close();
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
