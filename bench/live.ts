import { gather } from './fan-out.ts';
import type { Host } from './host.ts';
import { answerTo, type Shot } from './http-load.ts';
import { comparison, ms, quantile, type Ratio, ratioOf } from './numbers.ts';

const turns = 5;
const slices = 6;

/** What was done, by which its word is known, and the same at the bare server with the words that were heard. */
type Change = { act: () => Promise<unknown>; word: string; bare: (heard: string) => Shot };

async function heard(host: Host, clients: number, name: string, limit: number, change: (turn: number) => Change): Promise<Ratio[]> {
  const { origin, bare } = await host.ask('where', null);
  const ws = (url: string) => url.replace('http', 'ws');
  const greet = JSON.stringify({ topic: 'subscribe', id: '1', event: 'lockers' });
  const crowd = await gather(`${ws(origin)}/live`, clients, { protocols: await host.ask('watchers', null), greet });
  const plain = await gather(ws(bare), clients);
  const found: Record<'p50' | 'p99', [number, number][]> = { p50: [], p99: [] };
  for (let turn = -1; turn < turns; turn++) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let slice = 0; slice < slices; slice++) {
      const { act, word, bare: shot } = change(slice);
      const fits = (text: string) => text.includes(word);
      const first = await crowd.measure(act, fits);
      const other = await plain.measure(() => answerTo(bare, shot(first.heard)), fits);
      ours.push(...first.taken);
      theirs.push(...other.taken);
    }
    if (turn < 0) continue; // the first words of a crowd
    for (const [q, at] of [['p50', 0.5], ['p99', 0.99]] as const) found[q].push([quantile(ours, at), quantile(theirs, at)]); // prettier-ignore
  }
  crowd.close();
  plain.close();
  return (['p50', 'p99'] as const).map((q) =>
    ratioOf(`${name} → ${clients} clients, ${q}, against bare`, 'stay below', limit, comparison(found[q]), ms),
  );
}

/** From a request, or from a hand at a door, to everybody who looks on; bare writes the same row, or nothing, and says the same bytes. */
export async function* live(host: Host): AsyncGenerator<Ratio> {
  const { origin, small } = await host.ask('where', null);
  const lockerId = small.lockerIds[1] ?? '';
  const service = (turn: number): Change => {
    const reason = turn % 2 === 0 ? 'Broken hinge' : null;
    const outOfService = reason === null ? null : { since: new Date().toISOString(), reason };
    const path = `/v1/lockers/${lockerId}/service`;
    return {
      act: async () => {
        const { token } = (await host.ask('where', null)).small;
        return answerTo(origin, {
          method: 'PUT',
          path,
          token,
          body: reason === null ? { outOfService: false } : { outOfService: true, reason },
        });
      },
      word: reason === null ? '"outOfService":null' : '"outOfService":{',
      bare: (text) => ({
        method: 'PUT',
        path: `/service?tenant=${small.tenantId}&id=${lockerId}`,
        token: '',
        body: { outOfService, text },
      }),
    };
  };
  const door = (turn: number): Change => {
    const open = turn % 2 === 0;
    return {
      act: () => host.ask('door', { open }),
      word: open ? '"door":"opened"' : '"door":"closed"',
      bare: (text) => ({ method: 'POST', path: '/say', token: '', body: { text } }),
    };
  };
  yield* await heard(host, 500, 'one change', 1.4, service);
  yield* await heard(host, 1_000, 'door sensed', 2, door);
}
