import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** An asset tool as somebody else may have built it by our contract, small, over HTTP, and as bad as a test wants it. */

type Person = { name: string; tlf?: string | null; email?: string | null };
type Asset = {
  id: string;
  name: string;
  identifier: string | null;
  state: 'available' | 'out' | 'not-lendable';
  holder: Person | null;
  until: string | null;
  url: string | null;
  modifiedAt: string;
};
type Request = {
  id: string;
  what: string;
  assetId: string | null;
  person: Person;
  until: string | null;
  state: 'open' | 'handed-out' | 'closed';
  modifiedAt: string;
};
/** lost: it is carried out, and nobody hears so. refuse: as the code says. */
type Fault = { kind: 'away' | 'error' | 'lost' | 'garbage' } | { kind: 'refuse'; code: string } | { kind: 'wait'; seconds: number };
type Call = { path: string; key: string | null; body: Record<string, unknown> };

export type TestTool = Awaited<ReturnType<typeof testTool>>;

const PAGE = 6;
export const API_KEY = 'tool-key';

export const testTool = async () => {
  const assets = new Map<string, Asset>();
  const requests = new Map<string, Request>();
  const calls: Call[] = [];
  const done = new Map<string, number>();
  let fault: Fault | null = null;
  let unreadable = 0;
  const stuck = new Set<string>();
  let held: Promise<void> | null = null;
  let tick = Date.parse('2031-01-01T00:00:00Z');
  /** Its own clock, years off ours. */
  const next = (): string => new Date((tick += 1000)).toISOString();

  const say = (reply: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const refuse = (reply: ServerResponse, status: number, code: string): void => say(reply, status, { code, title: 'No', detail: code });

  const list = (reply: ServerResponse, rows: readonly { id: string; modifiedAt: string }[], url: URL): void => {
    const since = url.searchParams.get('modifiedSince');
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const asked = rows.filter(({ modifiedAt }) => since === null || modifiedAt >= since);
    const spoilt = unreadable > 0 && from === 0 ? [{ nothing: 'of ours' }] : [];
    const more = from + PAGE < asked.length ? String(from + PAGE) : null;
    say(reply, 200, { items: [...asked.slice(from, from + PAGE), ...spoilt], next: more });
  };
  const change = (reply: ServerResponse, id: string, act: string, { key, body }: Call): void => {
    const one = assets.get(id);
    if (!one) return refuse(reply, 404, 'asset-unknown');
    if (key !== null && done.has(key)) return say(reply, 200, one);
    if (act === 'check-out' && one.state !== 'available') return refuse(reply, 409, one.state === 'out' ? 'out-already' : 'not-lendable');
    const isOut = act === 'check-out';
    const holder = body['holder'] as Person | null | undefined;
    if (!isOut && one.holder && holder && holder.name !== one.holder.name) return refuse(reply, 409, 'out-to-another');
    const changed = { ...one, state: isOut ? ('out' as const) : ('available' as const), modifiedAt: next() };
    assets.set(id, {
      ...changed,
      holder: isOut ? (body['person'] as Person) : null,
      until: isOut ? (body['until'] as string | null) : null,
    });
    const request = requests.get(String(body['requestId']));
    if (isOut && request) requests.set(request.id, { ...request, state: 'handed-out', modifiedAt: next() });
    if (key !== null) done.set(key, (done.get(key) ?? 0) + 1);
    return say(reply, 200, assets.get(id));
  };

  const answer = async (asked: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const url = new URL(asked.url ?? '', 'http://tool');
    let text = '';
    for await (const part of asked) text += String(part);
    const key = asked.headers['idempotency-key'];
    const call: Call = {
      path: url.pathname,
      key: typeof key === 'string' ? key : null,
      body: text === '' ? {} : (JSON.parse(text) as Call['body']),
    };
    const isChange = asked.method === 'POST';
    if (isChange) calls.push(call);
    if (asked.headers.authorization !== `Bearer ${API_KEY}`) return refuse(reply, 401, 'keys-refused');
    if (fault?.kind === 'away') return say(reply, 503, {});
    if (fault?.kind === 'wait') return say(reply, 429, {}, { 'retry-after': String(fault.seconds) });
    if (fault?.kind === 'error') return say(reply, 500, {});
    if (fault?.kind === 'garbage') return void reply.writeHead(200).end('<html>');
    if (isChange && fault?.kind === 'refuse') {
      const [{ code }, slow] = [fault, held];
      held = null;
      await slow;
      return refuse(reply, 409, code);
    }
    const [, , noun, id = '', act = ''] = url.pathname.split('/');
    if (isChange && stuck.has(decodeURIComponent(id))) return say(reply, 500, {});
    if (isChange) {
      if (fault?.kind === 'lost') {
        const none = { writeHead: () => ({ end: () => {} }) } as unknown as ServerResponse;
        change(none, decodeURIComponent(id), act, call);
        return void reply.destroy();
      }
      return change(reply, decodeURIComponent(id), act, call);
    }
    if (noun === 'assets') {
      const now = [...assets.values()];
      const slow = held;
      held = null;
      await slow;
      return list(reply, now, url);
    }
    if (noun === 'requests') return list(reply, [...requests.values()], url);
    return say(reply, 200, { items: [] });
  };

  const http = createServer((asked, reply) => void answer(asked, reply).catch(() => reply.destroy()));
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  let made = 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    assets,
    requests,
    calls,
    /** How often the tool carried a key out. */
    carriedOut: (): number => [...done.values()].reduce((sum, n) => sum + n, 0),
    fault: (bad: Fault | null): void => void (fault = bad),
    /** The next list of assets, or refusal, is of now, and told once it is let go. */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    isAsked: (): boolean => held === null,
    /** Whatever is to be done with this one alone comes to nothing that can be read. */
    stick: (id: string): void => void stuck.add(id),
    spoil: (rows: number): void => void (unreadable = rows),
    asset: (more: Partial<Asset> = {}): Asset => {
      const id = more.id ?? `T${++made}`;
      const one: Asset = {
        id,
        name: `Drill ${id}`,
        identifier: null,
        state: 'available',
        holder: null,
        until: null,
        url: `https://tool.example/assets/${id}`,
        modifiedAt: next(),
        ...more,
      };
      assets.set(id, one);
      return one;
    },
    change: (id: string, more: Partial<Asset>): void => {
      const before = assets.get(id);
      if (before) assets.set(id, { ...before, modifiedAt: next(), ...more });
    },
    request: (more: Partial<Request> = {}): Request => {
      const id = more.id ?? `R${++made}`;
      const person = { name: 'Kari Kunde', tlf: '912 34 567', email: 'kari@kunde.test' };
      const one: Request = { id, what: 'A drill', assetId: null, person, until: null, state: 'open', modifiedAt: next(), ...more };
      requests.set(id, one);
      return one;
    },
    close: (id: string): void => {
      const before = requests.get(id);
      if (before) requests.set(id, { ...before, state: 'closed', modifiedAt: next() });
    },
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
};
