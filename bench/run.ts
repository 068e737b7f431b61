import { gather } from './fan-out.ts';
import { Host } from './host.ts';
import { burst, lastPage, latency, throughput } from './http-load.ts';
import { byTurns, holds, median, type Ratio, row } from './numbers.ts';

const connections = 32;
const turns = 5;
const clients = 1000;

const perSecond = (value: number) => `${Math.round(value)}/s`;
const ms = (value: number) => `${value.toFixed(2)} ms`;

async function overHttp(host: Host, seconds: number): Promise<Ratio[]> {
  const { origin, small } = await host.ask('where', null);
  const list = () => throughput(origin, connections, seconds, () => ({ method: 'GET', path: '/v1/lockers?limit=50', token: small.token }));
  // as many as there are free lockers, and no more: what is measured is registering, not being refused
  const register = async () => {
    await host.ask('free', null);
    const left = [...small.lockerIds];
    return burst(origin, connections, left.length, () => ({
      method: 'POST',
      path: '/v1/occupations',
      token: small.token,
      body: {
        type: 'delivery',
        assetText: 'Parcel',
        lockerId: left.pop(),
        receiver: { name: 'Ingrid Solberg', email: 'ingrid@bench.test' },
      },
    }));
  };
  const ratios: Ratio[] = [];
  for (const [what, load] of [
    ['lockers', list],
    ['occupations', register],
  ] as const) {
    const [http, bare] = await byTurns(turns, load, async () => {
      await host.ask('free', null);
      return host.ask('baseline', { what, connections, seconds });
    });
    const name =
      what === 'lockers'
        ? 'GET /lockers?limit=50 over HTTP against the same statements'
        : 'POST /occupations over HTTP against the same statements';
    ratios.push({ name, value: http / bare, limit: 0.5, must: 'reach', detail: `${perSecond(http)} of ${perSecond(bare)}` });
  }
  return ratios;
}

async function withSize(host: Host): Promise<Ratio[]> {
  const { origin, small, large } = await host.ask('where', null);
  const compare = async (name: string, path: (company: typeof small) => Promise<string>): Promise<Ratio> => {
    const [ofLarge, ofSmall] = [await path(large), await path(small)];
    const [big, little] = await byTurns(
      turns,
      () => latency(origin, 100, { method: 'GET', path: ofLarge, token: large.token }),
      () => latency(origin, 100, { method: 'GET', path: ofSmall, token: small.token }),
    );
    return { name, value: big / little, limit: 1.5, must: 'stay below', detail: `${ms(big)} against ${ms(little)}` };
  };
  return [
    await compare('GET /lockers?limit=50, 50,000 lockers against 100', async () => '/v1/lockers?limit=50'),
    await compare('last page of the history, 1,000,000 events against 1,000', (company) =>
      lastPage(origin, company.token, '/v1/history?limit=500'),
    ),
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
