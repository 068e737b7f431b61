import { delivery } from './delivery.ts';
import type { Host } from './host.ts';
import { answerTo, burst, pageBack, throughput, type Shot } from './http-load.ts';
import { mean, type Ratio, ratioOf, sideBySide } from './numbers.ts';

const connections = 16;
const turns = 5;
const seconds = 0.4;
/** As many lockers as are registered in one slice, all of them free at its beginning. */
const registered = 300;
/** So many registrations that a database has seen, as after a week. */
const USED = 20_000;

const perSecond = (value: number) => `${Math.round(value)}/s`;
type Side = () => Promise<number>;

async function compare(name: string, limit: number, slices: number, one: Side, other: Side): Promise<Ratio> {
  for (const warm of [one, other]) await warm(); // what is compiled, prepared and cached on the first calls
  return ratioOf(name, 'reach', limit, await sideBySide({ turns, slices }, one, other, mean), perSecond);
}

/** Reading, all guards on, against bare node:http with `pg` on the same rows: requests a second. */
export async function* reading(host: Host): AsyncGenerator<Ratio> {
  const { origin, bare, large } = await host.ask('where', null);
  const tenant = large.tenantId;
  // asked each time: a token lives for five minutes, and a busy machine may need more
  const ours = (path: string) => async () => {
    const { token } = (await host.ask('where', null)).large;
    return throughput(origin, connections, seconds, () => ({ method: 'GET', path, token }));
  };
  const theirs = (path: string) => () => throughput(bare, connections, seconds, () => ({ method: 'GET', path, token: '' }));
  const deep = await pageBack(origin, large.token, 500_000);
  const answer = await answerTo(origin, { method: 'GET', path: deep, token: large.token });
  const [{ at, id } = { at: '', id: '' }] = JSON.parse(answer.body()) as { at: string; id: string }[];
  const newest = theirs(`/history?tenant=${tenant}`);
  const name = encodeURIComponent('{"$text":"solvang"}');
  yield await compare('GET /lockers?limit=50 against bare', 0.4, 4, ours('/v1/lockers?limit=50'), theirs(`/lockers?tenant=${tenant}`));
  yield await compare('newest history against bare', 0.45, 4, ours('/v1/history?limit=50'), newest);
  yield await compare(
    'page 10,000 of the history against bare by key',
    0.45,
    4,
    ours(deep),
    theirs(`/history?tenant=${tenant}&at=${encodeURIComponent(at)}&id=${id}`),
  );
  yield await compare('history by a name against bare’s newest page', 0.45, 4, ours(`/v1/history?limit=50&q=${name}`), newest);
}

/** Registering, all guards on, against bare on the same tables, and by size against by a locker's id. */
export async function* registering(host: Host): AsyncGenerator<Ratio> {
  const { origin, bare, busy } = await host.ask('where', null);
  const ids = busy.lockerIds.slice(-registered);
  const side = (at: string, path: string, bodies: readonly unknown[]) => async () => {
    await host.ask('free', null);
    const { token } = (await host.ask('where', null)).busy;
    const left = [...bodies];
    return burst(at, connections, left.length, (): Shot => ({ method: 'POST', path, token, body: left.pop() }));
  };
  const byId = ids.map((lockerId) => delivery({ lockerId }));
  const byIds = side(origin, '/v1/occupations', byId);
  const bySize = side(
    origin,
    '/v1/occupations',
    ids.map(() => delivery({ size: 'S' })),
  );
  const plain = side(bare, `/occupations?tenant=${busy.tenantId}`, byId);
  yield await compare('POST /occupations by id against bare', 0.3, 3, byIds, plain);
  yield await compare('POST /occupations by size against by id', 0.8, 3, bySize, byIds);
  const all = side(
    origin,
    '/v1/occupations',
    busy.lockerIds.slice(-2_000).map((lockerId) => delivery({ lockerId })),
  );
  for (let done = 0; done < USED; done += 2_000) await all();
  yield await compare('the same after 20,000 registrations', 0.8, 3, bySize, byIds);
}
