import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { startLive } from './live.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A server of lockers whose subscription is accepted when the test says so. */
const world = async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: (offered) => [...offered][0] ?? false });
  const asked = Promise.withResolvers<(quiet?: number) => void>();
  server.on('connection', (socket) => {
    socket.on('message', (raw: Buffer) => {
      const { id, event } = JSON.parse(raw.toString()) as { id: string; event: string };
      const accept = (quiet?: number) => socket.send(JSON.stringify({ topic: 'response', id, quiet }));
      if (event === 'lockers') asked.resolve(accept);
      else accept();
    });
  });
  await new Promise((ready) => server.once('listening', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  ends.push(
    () => server.close(),
    () => server.clients.forEach((client) => client.terminate()),
    () => queryClient.clear(),
  );
  const nobody = () => Promise.resolve();
  const session = {
    token: () => 'a.b.c',
    data: () => ({}),
    userinfo: () => Promise.resolve({}),
    refresh: nobody,
    login: nobody,
    logout: nobody,
    account: () => '',
    onToken: () => () => undefined,
    reachable: () => Promise.resolve(),
  };
  startLive(`ws://127.0.0.1:${address.port}`, session, queryClient, () => undefined);
  const watch = (noun: string, queryFn: () => Promise<string>) => {
    const observer = new QueryObserver(queryClient, { queryKey: [noun, 'all'], queryFn });
    ends.push(observer.subscribe(() => undefined));
    return () => observer.getCurrentResult().data;
  };
  return { asked: asked.promise, watch, queryClient };
};

test('what was fetched before the subscription was accepted is fetched once more, and nothing else is', async () => {
  const { asked, watch } = await world();
  let lockers = 0;
  let accounts = 0;
  const shown = watch('lockers', async () => (++lockers === 1 ? 'before' : 'after'));
  watch('accounts', async () => `${++accounts}`);
  const accept = await asked;
  await expect.poll(shown).toBe('before');
  // A door changes now: nobody is told yet.
  accept();
  await expect.poll(shown).toBe('after');
  await expect.poll(() => [lockers, accounts]).toEqual([2, 1]);
});

test('what is still on its way then may be older than it: it is fetched once more when it is here', async () => {
  const { asked, watch } = await world();
  const first = Promise.withResolvers<string>();
  let lockers = 0;
  const shown = watch('lockers', () => (++lockers === 1 ? first.promise : Promise.resolve('after')));
  (await asked)();
  // Another subscription is answered after that one, and shows by its own second fetch that it was heard.
  let cabinets = 0;
  watch('cabinets', async () => `${++cabinets}`);
  await expect.poll(() => cabinets).toBe(2);
  expect(lockers).toBe(1);
  first.resolve('before');
  await expect.poll(shown).toBe('after');
  expect(lockers).toBe(2);
});

test('where the server says that nothing changed since it was asked for, it is not fetched once more', async () => {
  const { asked, watch } = await world();
  const fetched = { lockers: 0, cabinets: 0 };
  const shown = watch('lockers', async () => `${++fetched.lockers}`);
  const accept = await asked;
  await expect.poll(shown).toBe('1');
  accept(60_000);
  // Of cabinets the server says nothing of the kind: their second fetch shows that the answer before it was heard.
  watch('cabinets', async () => `${++fetched.cabinets}`);
  await expect.poll(() => fetched).toEqual({ lockers: 1, cabinets: 2 });
});

test('what changed within the quiet that the server names is fetched once more, also while it is on its way', async () => {
  const { asked, watch } = await world();
  const first = Promise.withResolvers<string>();
  let lockers = 0;
  const shown = watch('lockers', () => (++lockers === 1 ? first.promise : Promise.resolve('after')));
  const accept = await asked;
  accept(0);
  first.resolve('before');
  await expect.poll(shown).toBe('after');
  expect(lockers).toBe(2);
});

test('a further page that was asked for since does not stand for the first', async () => {
  const { asked, queryClient } = await world();
  let change = 'before';
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ['lockers', 'pages'],
    queryFn: async ({ pageParam }) => `${pageParam} ${change}`,
    initialPageParam: 1,
    getNextPageParam: (_page, pages) => pages.length + 1,
  });
  ends.push(observer.subscribe(() => undefined));
  const accept = await asked;
  await expect.poll(() => observer.getCurrentResult().data?.pages).toEqual(['1 before']);
  const firstAt = performance.now();
  await expect.poll(() => performance.now() - firstAt).toBeGreaterThan(50);
  change = 'after';
  const quiet = performance.now();
  await observer.fetchNextPage();
  accept(performance.now() - quiet);
  await expect.poll(() => observer.getCurrentResult().data?.pages).toEqual(['1 after', '2 after']);
});
