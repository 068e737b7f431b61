import { gather } from './fan-out.ts';
import { Host, type Company } from './host.ts';
import { burst, lastPage, latency, throughput, type Shot } from './http-load.ts';
import { byTurns, holds, median, type Ratio, row } from './numbers.ts';

const connections = 32;
const turns = 5;
const clients = 1000;

const perSecond = (value: number) => `${Math.round(value)}/s`;
const ms = (value: number) => `${value.toFixed(2)} ms`;

/** How many occupations are registered in one turn. */
const registrations = 1000;
const delivery = (where: { lockerId?: string; size?: 'S' }) => ({
  type: 'delivery',
  assetText: 'Parcel',
  receiver: { name: 'Ingrid Solberg', email: 'ingrid@bench.test' },
  ...where,
});

async function overHttp(host: Host, seconds: number): Promise<Ratio[]> {
  const { origin, small, busy } = await host.ask('where', null);
  const list = { method: 'GET', path: '/v1/lockers?limit=50', token: small.token } as const;
  // as many as there are free lockers, and no more: what is measured is registering, not being refused
  const bodies = busy.lockerIds.slice(-registrations).map((lockerId) => delivery({ lockerId }));
  const register = async () => {
    await host.ask('free', null);
    const left = [...bodies];
    return burst(origin, connections, left.length, () => ({
      method: 'POST',
      path: '/v1/occupations',
      token: busy.token,
      body: left.pop(),
    }));
  };
  const registerBare = async () => {
    await host.ask('free', null);
    return host.ask('registered', { connections, bodies });
  };
  const compare = async (name: string, http: () => Promise<number>, bare: () => Promise<number>): Promise<Ratio> => {
    await http(); // whatever is compiled, prepared and cached on the first call
    await bare();
    const [ours, theirs] = await byTurns(turns, http, bare);
    return {
      name: `${name} over HTTP against the same statements`,
      value: ours / theirs,
      limit: 0.5,
      must: 'reach',
      detail: `${perSecond(ours)} of ${perSecond(theirs)}`,
    };
  };
  return [
    await compare(
      'GET /lockers?limit=50',
      () => throughput(origin, connections, seconds, () => list),
      () => host.ask('listed', { connections, seconds }),
    ),
    await compare('POST /occupations', register, registerBare),
  ];
}

async function withSize(host: Host): Promise<Ratio[]> {
  const { origin, small, large } = await host.ask('where', null);
  const compare = async (
    name: string,
    shots: (company: Company) => Promise<() => Shot>,
    { times = 100, before = async () => {} }: { times?: number; before?: () => Promise<unknown> } = {},
  ): Promise<Ratio> => {
    const [ofLarge, ofSmall] = [await shots(large), await shots(small)];
    const timed = (next: () => Shot) => async () => {
      await before();
      return latency(origin, times, next);
    };
    for (const next of [ofLarge, ofSmall]) await timed(next)();
    const [big, little] = await byTurns(turns, timed(ofLarge), timed(ofSmall));
    return { name, value: big / little, limit: 1.5, must: 'stay below', detail: `${ms(big)} against ${ms(little)}` };
  };
  const get = (path: string, token: string) => () => ({ method: 'GET' as const, path, token });
  const last = async (token: string) => get(await lastPage(origin, token, '/v1/history'), token);
  const register =
    ({ token }: Company) =>
    () => ({ method: 'POST' as const, path: '/v1/occupations', token, body: delivery({ size: 'S' }) });
  const free = { times: 50, before: () => host.ask('free', null) };
  return [
    await compare('GET /lockers?limit=50, 50,000 lockers against 100', async ({ token }) => get('/v1/lockers?limit=50', token)),
    await compare('last page of the history, 1,000,000 events against 1,000', ({ token }) => last(token)),
    await compare('the same by a reader of one event in ten', ({ narrowToken }) => last(narrowToken)),
    await compare('POST /occupations by size, 50,000 lockers against 100', async (company) => register(company), free),
  ];
}

async function live(host: Host): Promise<Ratio[]> {
  const { origin, small } = await host.ask('where', null);
  const { url } = await host.ask('bare', null);
  const crowd = await gather(`${origin.replace('http', 'ws')}/live`, clients, {
    protocol: small.token,
    greet: JSON.stringify({ topic: 'subscribe', id: '1', event: 'lockers' }),
  });
  const plain = await gather(url, clients);
  const ours = { p50: [] as number[], p99: [] as number[] };
  const bare = { p50: [] as number[], p99: [] as number[] };
  const text = JSON.stringify({ topic: 'event', subscription: 'lockers', method: 'PUT', data: { filler: 'x'.repeat(900) } });
  for (let turn = 0; turn < turns; turn++) {
    const open = turn % 2 === 0;
    const sensed = await crowd.measure(
      () => host.ask('door', { open }),
      (said) => said.includes(open ? '"door":"opened"' : '"door":"closed"'),
    );
    const said = await plain.measure(
      () => host.ask('say', { text }),
      () => true,
    );
    for (const q of ['p50', 'p99'] as const) {
      ours[q].push(sensed[q]);
      bare[q].push(said[q]);
    }
  }
  crowd.close();
  plain.close();
  return (['p50', 'p99'] as const).map((q) => ({
    name: `door sensed → ${clients} clients, ${q}, against a bare broadcast`,
    value: median(ours[q]) / median(bare[q]),
    limit: 5,
    must: 'stay below',
    detail: `${ms(median(ours[q]))} against ${ms(median(bare[q]))}`,
  }));
}

/** Prints each ratio with its limit; answers whether all hold. */
export async function bench({ seconds = 4 } = {}): Promise<boolean> {
  const host = new Host();
  const ratios: Ratio[] = [];
  try {
    for (const part of [(one: Host) => overHttp(one, seconds), withSize, live])
      for (const ratio of await part(host)) {
        ratios.push(ratio);
        console.log(row(ratio));
      }
  } finally {
    await host.stop();
  }
  return ratios.length > 0 && ratios.every(holds);
}
