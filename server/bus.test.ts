import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { AWAY, GAP, natsBus, processBus, type Bus } from './bus.ts';
import { newLog } from './log.ts';
import { startTestLine, startTestNats } from './test-nats.ts';

const natsUrl = process.env['NATS_URL'];
const one = processBus();
/** Two ends of one bus: of one process, or of two nodes where a NATS server is there to try it on. */
const kinds: { name: string; ends: () => Promise<[Bus, Bus]> }[] = [
  { name: 'in the process', ends: async () => [one, one] },
  ...(natsUrl
    ? [
        {
          name: 'over NATS',
          ends: (): Promise<[Bus, Bus]> =>
            Promise.all([natsBus(natsUrl, pino({ level: 'silent' })), natsBus(natsUrl, pino({ level: 'silent' }))]),
        },
      ]
    : []),
];

const open = new Set<Bus>();
afterEach(async () => {
  for (const bus of open) await bus.close();
  open.clear();
});

describe.each(kinds)('the bus $name', ({ ends }) => {
  const both = async () => {
    const [here, there] = await ends();
    open.add(here).add(there);
    return { here, there, subject: `s-${randomUUID()}` };
  };

  it('brings a message to every ear of its subject, the speaker’s own too', async () => {
    const { here, there, subject } = await both();
    const heard: unknown[] = [];
    here.subscribe(subject, (payload) => heard.push(['here', payload]));
    there.subscribe(subject, (payload) => heard.push(['there', payload]));
    there.subscribe(`${subject}-other`, () => heard.push('wrong'));
    here.publish(subject, { id: 'a', list: [1, null] });
    await expect.poll(() => heard.length).toBe(2);
    expect(heard).toEqual(
      expect.arrayContaining([
        ['here', { id: 'a', list: [1, null] }],
        ['there', { id: 'a', list: [1, null] }],
      ]),
    );
  });

  it('keeps the order of what one end says', async () => {
    const { here, there, subject } = await both();
    const heard: unknown[] = [];
    there.subscribe(subject, (payload) => heard.push(payload));
    for (let n = 0; n < 200; n++) here.publish(subject, n);
    await expect.poll(() => heard.length).toBe(200);
    expect(heard).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  it('is silent after an ear was taken away', async () => {
    const { here, there, subject } = await both();
    const heard: unknown[] = [];
    const stop = there.subscribe(subject, () => heard.push('gone'));
    there.subscribe(subject, () => heard.push('stays'));
    stop();
    here.publish(subject, null);
    await expect.poll(() => heard).toEqual(['stays']);
  });
});

describe('a NATS that is away', () => {
  const heardOf = (bus: Bus) => {
    const heard: string[] = [];
    for (const subject of [AWAY, GAP]) bus.subscribe(subject, () => heard.push(subject));
    return heard;
  };

  it('when a node starts keeps it from nothing but hearing the others, until it is there', async () => {
    const [nats, said] = [await startTestNats(), [] as string[]];
    const line = await startTestLine(nats);
    line.cut();
    const bus = await natsBus(line.url, newLog('warn', { write: (text) => said.push((JSON.parse(text) as { msg: string }).msg) }));
    open.add(bus);
    const heard = heardOf(bus);
    expect([bus.away, await bus.flush()]).toEqual([true, false]);
    line.mend();
    await expect.poll(() => [bus.away, heard]).toEqual([false, [GAP]]);
    line.cut();
    await expect.poll(() => [bus.away, heard]).toEqual([true, [GAP, AWAY]]);
    line.mend();
    await expect.poll(() => [bus.away, heard]).toEqual([false, [GAP, AWAY, GAP]]);
    const [away, back] = ['the bus between the nodes is away', 'the bus between the nodes is back'];
    expect(said).toEqual([away, back, away, back]);
    await bus.close();
    await line.close();
    await nats.close();
  });
});
