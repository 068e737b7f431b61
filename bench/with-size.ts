import { delivery } from './delivery.ts';
import type { Company, Host } from './host.ts';
import { lastPage, latencies, pageBack, type Shot } from './http-load.ts';
import { median, ms, type Ratio, ratioOf, sideBySide } from './numbers.ts';

const turns = 5;
const LIMIT = 1.5;

type Which = 'small' | 'large';
type Asking = {
  /** Found once for each company. */
  path: (company: Company, which: Which) => Promise<string>;
  shot?: (company: Company, path: string) => Shot;
  /** Requests of a slice, and slices of a turn: short ones, since what else the machine does comes and goes within moments. */
  times?: number;
  slices?: number;
  before?: () => Promise<unknown>;
};
const always = (path: string) => async () => path;
const newest: Asking = { path: always('/v1/history?limit=50') };
// sixty of them in both: a page that another one follows
const byName: Asking = { path: always(`/v1/history?limit=50&q=${encodeURIComponent('{"$text":"solvang"}')}`) };

/** One request after another, in milliseconds: what a large company costs more than a small one, and one page of the history more than another. */
export async function* withSize(host: Host): AsyncGenerator<Ratio> {
  const { origin } = await host.ask('where', null);
  // asked each time: a token lives for five minutes, and a busy machine may need more
  const company = async (which: Which) => (await host.ask('where', null))[which];
  const timed = async (asking: Asking, which: Which) => {
    const { shot = ({ token }: Company, path: string): Shot => ({ method: 'GET', path, token }), times = 8, before } = asking;
    const path = await asking.path(await company(which), which);
    const run = async () => {
      await before?.();
      const now = await company(which);
      return latencies(origin, times, () => shot(now, path));
    };
    await run();
    return run;
  };
  const compare = async (name: string, asking: Asking, other: Asking = asking, than: Which = 'small'): Promise<Ratio> => {
    const sides = [await timed(asking, 'large'), await timed(other, than)] as const;
    const found = await sideBySide({ turns, slices: asking.slices ?? 16 }, ...sides, (parts) => median(parts.flat()));
    return ratioOf(name, 'stay below', LIMIT, found, ms);
  };
  yield await compare('GET /lockers?limit=50, 50,000 lockers against 100', { path: always('/v1/lockers?limit=50') });
  yield await compare('page 10,000 of the history, 1,000,000 events, against page 10 of 1,000', {
    path: ({ token }, which) => pageBack(origin, token, which === 'large' ? 500_000 : 500),
  });
  yield await compare('the same by a reader of 1,000 of them against 100', {
    path: ({ narrowToken }) => lastPage(origin, narrowToken, '/v1/history'),
    shot: ({ narrowToken }, path) => ({ method: 'GET', path, token: narrowToken }),
  });
  yield await compare('history by a name, 100,000 names in 1,000,000 events against 100', byName);
  yield await compare('history by a name against its newest page, both of 1,000,000', byName, newest, 'large');
  yield await compare('POST /occupations by size, 50,000 lockers against 100', {
    path: always('/v1/occupations'),
    shot: ({ token }, path) => ({ method: 'POST', path, token, body: delivery({ size: 'S' }) }),
    times: 15,
    slices: 4,
    before: () => host.ask('free', null),
  });
}
