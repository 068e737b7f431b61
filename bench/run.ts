import { gather } from './fan-out.ts';
import { Host, type Company } from './host.ts';
import { burst, lastPage, latencies, throughput, type Shot } from './http-load.ts';
import { comparison, holds, mean, median, quantile, type Ratio, ratioOf, row, sideBySide } from './numbers.ts';

const connections = 32;
const turns = 5;
const clients = 1000;

const perSecond = (value: number) => `${Math.round(value)}/s`;
const ms = (value: number) => `${value.toFixed(2)} ms`;

const delivery = (where: { lockerId?: string; size?: 'S' }) => ({
  type: 'delivery',
  assetText: 'Parcel',
  receiver: { name: 'Ingrid Solberg', email: 'ingrid@bench.test' },
  ...where,
});

async function overHttp(host: Host): Promise<Ratio[]> {
  const { origin, busy } = await host.ask('where', null);
  const compare = async (name: string, slices: number, http: () => Promise<number>, bare: () => Promise<number>): Promise<Ratio> => {
    for (const warm of [http, bare]) await warm(); // what is compiled, prepared and cached on the first calls
    const found = await sideBySide({ turns, slices }, http, bare, mean);
    return ratioOf(`${name} over HTTP against the same statements`, 'reach', 0.5, found, perSecond);
  };
  const seconds = 0.75;
  const list = async () => {
    const { small } = await host.ask('where', null);
    return throughput(origin, connections, seconds, () => ({ method: 'GET', path: '/v1/lockers?limit=50', token: small.token }));
  };
  // as many as there are lockers, and no more: what is measured is registering, not being refused
  const bodies = busy.lockerIds.slice(-300).map((lockerId) => delivery({ lockerId }));
  const freeFirst = (run: () => Promise<number>) => async () => {
    await host.ask('free', null);
    return run();
  };
  const register = () => {
    const left = [...bodies];
    return burst(origin, connections, left.length, () => ({
      method: 'POST',
      path: '/v1/occupations',
      token: busy.token,
      body: left.pop(),
    }));
  };
  return [
    await compare('GET /lockers?limit=50', 4, list, () => host.ask('listed', { connections, seconds })),
    await compare(
      'POST /occupations',
      3,
      freeFirst(register),
      freeFirst(() => host.ask('registered', { connections, bodies })),
    ),
  ];
}

type Asking = {
  /** Found once for each company. */
  path: (company: Company) => Promise<string>;
  shot?: (company: Company, path: string) => Shot;
  /** Requests of a slice, and slices of a turn: short ones, since what else the machine does comes and goes within moments. */
  times?: number;
  slices?: number;
  before?: () => Promise<unknown>;
};

async function withSize(host: Host): Promise<Ratio[]> {
  const { origin } = await host.ask('where', null);
  // asked each time: a token lives for five minutes, and a busy machine may need more
  const company = async (which: 'small' | 'large') => (await host.ask('where', null))[which];
  const compare = async (name: string, asking: Asking): Promise<Ratio> => {
    const { shot = ({ token }: Company, path: string): Shot => ({ method: 'GET', path, token }), times = 8, slices = 24, before } = asking;
    const timed = async (which: 'small' | 'large') => {
      const path = await asking.path(await company(which));
      const run = async () => {
        await before?.();
        const now = await company(which);
        return latencies(origin, times, () => shot(now, path));
      };
      await run();
      return run;
    };
    const found = await sideBySide({ turns, slices }, await timed('large'), await timed('small'), (parts) => median(parts.flat()));
    return ratioOf(name, 'stay below', 1.5, found, ms);
  };
  return [
    await compare('GET /lockers?limit=50, 50,000 lockers against 100', { path: async () => '/v1/lockers?limit=50' }),
    await compare('last page of the history, 1,000,000 events against 1,000', {
      path: ({ token }) => lastPage(origin, token, '/v1/history'),
    }),
    await compare('the same by a reader of 1,000 of them against 100', {
      path: ({ narrowToken }) => lastPage(origin, narrowToken, '/v1/history'),
      shot: ({ narrowToken }, path) => ({ method: 'GET', path, token: narrowToken }),
    }),
    // sixty of them in both: a page that another one follows
    await compare('history by a name, 100,000 names in 1,000,000 events against 100 in 1,000', {
      path: async () => `/v1/history?limit=50&q=${encodeURIComponent('{"$text":"solvang"}')}`,
    }),
    await compare('POST /occupations by size, 50,000 lockers against 100', {
      path: async () => '/v1/occupations',
      shot: ({ token }, path) => ({ method: 'POST', path, token, body: delivery({ size: 'S' }) }),
      times: 15,
      slices: 4,
      before: () => host.ask('free', null),
    }),
  ];
}

async function live(host: Host): Promise<Ratio[]> {
  const { origin, small } = await host.ask('where', null);
  const { url } = await host.ask('bare', null);
  const greet = JSON.stringify({ topic: 'subscribe', id: '1', event: 'lockers' });
  const crowd = await gather(`${origin.replace('http', 'ws')}/live`, clients, { protocol: small.token, greet });
  const plain = await gather(url, clients);
  const found: Record<'p50' | 'p99', [number, number][]> = { p50: [], p99: [] };
  let open = false;
  for (let turn = -1; turn < turns; turn++) {
    const [sensed, said]: [number[], number[]] = [[], []];
    for (let slice = 0; slice < 6; slice++) {
      open = !open;
      const door = open ? '"door":"opened"' : '"door":"closed"';
      const ours = await crowd.measure(
        () => host.ask('door', { open }),
        (text) => text.includes(door),
      );
      const bare = await plain.measure(
        () => host.ask('say', { text: ours.heard }),
        (text) => text.includes(door),
      );
      sensed.push(...ours.taken);
      said.push(...bare.taken);
    }
    if (turn < 0) continue; // the first words of a crowd
    found.p50.push([quantile(sensed, 0.5), quantile(said, 0.5)]);
    found.p99.push([quantile(sensed, 0.99), quantile(said, 0.99)]);
  }
  crowd.close();
  plain.close();
  return (['p50', 'p99'] as const).map((q) =>
    ratioOf(`door sensed → ${clients} clients, ${q}, against a bare broadcast`, 'stay below', 5, comparison(found[q]), ms),
  );
}

/** Prints each ratio with its limit; answers whether all hold. */
export async function bench(): Promise<boolean> {
  const host = new Host();
  const ratios: Ratio[] = [];
  try {
    for (const part of [overHttp, withSize, live])
      for (const ratio of await part(host)) {
        ratios.push(ratio);
        console.log(row(ratio));
      }
  } finally {
    await host.stop();
  }
  return ratios.length > 0 && ratios.every(holds);
}
