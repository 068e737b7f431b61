import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deviceTopics, type ControllerRef } from '@hatchway/contract/devices.ts';
import { createFacts, type Facts } from './facts.ts';
import type { Fact } from './fact.ts';
import { PACE } from '../pace.ts';
import { newController, nowIso, silentLog, speaker, startHarness, until, type Harness } from './test-harness.ts';

/** What a broker hands over, in any order we like, without a broker. */
function hearing(options: Partial<Parameters<typeof createFacts>[0]> = {}) {
  const facts: Fact[] = [];
  const asked: ControllerRef[] = [];
  const ref = newController();
  const part: Facts = createFacts({
    onFact: async (fact) => {
      facts.push(fact);
    },
    ask: (who) => asked.push(who),
    log: silentLog,
    retryMs: [1, 1],
    ...options,
  });
  const hear = (topic: string, body: object, retained = false) => part.hear(topic, Buffer.from(JSON.stringify(body)), retained);
  return {
    ref,
    part,
    facts,
    asked,
    birth: (session: string, retained = false, ts = nowIso()) =>
      hear(deviceTopics.birth(ref), { session, fw: '1', model: 'm', protocol: 1, compartments: [{ no: 1 }], ts }, retained),
    lwt: (session: string, online: boolean, retained = false) => hear(deviceTopics.lwt(ref), { online, session, ts: nowIso() }, retained),
    state: (session: string, seq: number, door: string, retained = false, ts = nowIso()) =>
      hear(deviceTopics.state(ref, 1), { door, lock: 'locked', occupancy: 'empty', seq, session, ts }, retained),
    event: (session: string, seq: number, type: string, retained = false) =>
      hear(deviceTopics.event(ref), { seq, session, type, compartment: 1, ts: nowIso() }, retained),
    async said() {
      await part.drain();
      return facts.map((fact) =>
        fact.kind === 'connection'
          ? fact.online
            ? 'online'
            : 'offline'
          : fact.kind === 'door'
            ? fact.door
            : fact.kind === 'event'
              ? fact.type
              : 'birth',
      );
    },
  };
}

describe('sessions', () => {
  test('a late will of the session before is dropped, and the controller is asked again', async () => {
    const h = hearing();
    h.birth('a');
    h.lwt('a', true);
    h.birth('b');
    h.lwt('b', true);
    h.lwt('a', false);
    expect(await h.said()).toEqual(['birth', 'online', 'birth', 'online']);
    expect(h.part.dropped['late-will']).toBe(1);
    expect(h.asked).toEqual([h.ref]);
  });

  test('after a start: a late will that the broker kept in place of the lwt says nothing, in either order', async () => {
    for (const first of ['birth', 'lwt'] as const) {
      const h = hearing();
      if (first === 'birth') h.birth('b', true);
      h.lwt('a', false, true);
      if (first === 'lwt') h.birth('b', true);
      h.state('b', 3, 'open', true);
      expect(h.asked).toEqual([h.ref]);
      h.lwt('b', true);
      expect(await h.said()).toEqual(['birth', 'online', 'opened']);
    }
  });

  test('what the broker kept comes in any order, and counts with its own time', async () => {
    const h = hearing();
    const ts = nowIso(-3_600_000);
    h.state('a', 7, 'open', true, ts);
    h.lwt('a', true, true);
    h.birth('a', true, nowIso(-7_200_000));
    expect(await h.said()).toEqual(['birth', 'online', 'opened']);
    expect(h.facts[2]).toMatchObject({ kind: 'door', retained: true, at: ts, seq: 7 });
  });

  test('a kept state of an earlier session, and one of a cabinet that is away, are no knowledge', async () => {
    const h = hearing();
    h.birth('b', true);
    h.lwt('b', true, true);
    h.state('a', 9, 'open', true);
    expect(await h.said()).toEqual(['birth', 'online']);
    const away = hearing();
    away.state('a', 9, 'open', true);
    away.birth('a', true);
    away.lwt('a', false, true);
    expect(await away.said()).toEqual(['birth', 'offline']);
  });

  test('connection is said once per change', async () => {
    const h = hearing();
    h.birth('a');
    for (const online of [true, true, false, false]) h.lwt('a', online);
    h.lwt('a', true);
    expect(await h.said()).toEqual(['birth', 'online', 'offline']);
  });

  test('controllers that nobody heard of after a start are said to be offline', async () => {
    const h = hearing();
    const silent = newController();
    h.birth('a', true);
    h.lwt('a', true, true);
    h.part.settle([h.ref, silent]);
    await h.part.drain();
    const said = h.facts.filter((fact) => fact.kind === 'connection').map((fact) => [fact.controllerId, fact.online] as const);
    expect(said).toHaveLength(2);
    expect(new Map(said)).toEqual(
      new Map([
        [h.ref.controllerId, true],
        [silent.controllerId, false],
      ]),
    );
  });
});

describe('messages', () => {
  test('doubled and overtaken states are dropped', async () => {
    const h = hearing();
    h.birth('a');
    h.lwt('a', true);
    h.state('a', 1, 'open');
    h.state('a', 1, 'open');
    h.state('a', 2, 'closed');
    h.state('a', 1, 'open');
    expect(await h.said()).toEqual(['birth', 'online', 'opened', 'closed']);
    expect(h.part.dropped.doubled).toBe(2);
  });

  test('an event counts once, also when it was waiting since an earlier session; a retained one never', async () => {
    const h = hearing();
    h.birth('b');
    h.event('a', 5, 'forced');
    h.event('a', 5, 'forced');
    h.event('b', 1, 'tamper', true);
    expect(await h.said()).toEqual(['birth', 'forced']);
    expect(h.part.dropped['retained-event']).toBe(1);
  });

  test('garbage is counted and hurts nobody', async () => {
    const h = hearing();
    const topic = deviceTopics.state(h.ref, 1);
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"door":"ajar","seq":1}',
      '{"door":"open","seq":-1,"session":"a","ts":"yesterday"}',
      '\u0000',
    ]) {
      h.part.hear(topic, Buffer.from(text), false);
    }
    h.part.hear('pml/v1/only/three', Buffer.from('{}'), false);
    h.birth('a');
    expect(await h.said()).toEqual(['birth']);
    expect(h.part.dropped.garbage).toBe(6);
  });

  test('tenant and controller are those of the topic, whatever the payload claims', async () => {
    const h = hearing();
    const body = { tenantId: 'evil', controllerId: 'evil', session: 'a', fw: '1', model: 'm', protocol: 1, compartments: [], ts: nowIso() };
    h.part.hear(deviceTopics.birth(h.ref), Buffer.from(JSON.stringify(body)), false);
    await h.part.drain();
    expect(h.facts[0]).toMatchObject(h.ref);
  });

  test('a clock that is wrong does not date what happens now', async () => {
    const h = hearing();
    const began = nowIso();
    h.birth('a');
    h.lwt('a', true);
    h.state('a', 1, 'open', false, nowIso(86_400_000));
    h.state('a', 2, 'closed', false, nowIso(-86_400_000));
    await h.part.drain();
    const ended = nowIso();
    for (const { at } of h.facts) expect([began, at, ended].toSorted()).toEqual([began, at, ended]);
  });
});

describe('handler', () => {
  test('facts of one controller wait for each other; a failure is tried again in place', async () => {
    let failures = 2;
    const done: string[] = [];
    const h = hearing({
      onFact: async (fact) => {
        await new Promise((resolve) => setTimeout(resolve, fact.kind === 'birth' ? 20 : 1));
        if (fact.kind === 'connection' && failures-- > 0) throw new Error('database away');
        done.push(fact.kind);
      },
    });
    h.birth('a');
    h.lwt('a', true);
    h.state('a', 1, 'open');
    await h.part.drain();
    expect(done).toEqual(['birth', 'connection', 'door']);
  });

  test('a fact that cannot be stored is not forgotten: the controller says everything again', async () => {
    let broken = true;
    const done: string[] = [];
    const h = hearing({
      onFact: async (fact) => {
        if (broken) throw new Error('database away');
        done.push(fact.kind);
      },
    });
    h.birth('a');
    await until(() => h.asked.length === 1);
    broken = false;
    h.birth('a');
    h.lwt('a', true);
    h.state('a', 4, 'open');
    await h.part.drain();
    expect(done).toEqual(['birth', 'connection', 'door']);
    expect(h.part.dropped.handler).toBeGreaterThan(0);
  });

  test('an event is said by nobody again: it waits until it can be stored, and keeps nothing else from being tried', async () => {
    let broken = true;
    const tried: string[] = [];
    const done: string[] = [];
    const h = hearing({
      onFact: async (fact) => {
        tried.push(fact.kind);
        if (broken) throw new Error('database away');
        done.push(fact.kind);
      },
    });
    h.birth('a');
    h.event('a', 1, 'forced');
    await until(() => tried.filter((kind) => kind === 'event').length > 3);
    h.birth('b');
    await until(() => tried.filter((kind) => kind === 'birth').length > 3);
    broken = false;
    await until(() => done.includes('event'));
    await h.part.drain();
    expect(done.filter((kind) => kind === 'event')).toHaveLength(1);
  });

  test('a stop waits for one round of tries, not for one of each event that waits', async () => {
    let tries = 0;
    const h = hearing({
      onFact: async () => {
        tries += 1;
        throw new Error('database away');
      },
    });
    h.birth('a');
    for (let seq = 1; seq <= 50; seq += 1) h.event('a', seq, 'forced');
    await until(() => tries > 10);
    const before = tries;
    await h.part.drain();
    expect(tries - before).toBeLessThanOrEqual(3);
    expect(h.part.dropped.handler).toBe(51);
  });
});

describe('through the broker', () => {
  test('what could not be stored is asked for until it can, also where the answer was lost like the first word', async () => {
    let broken = 2;
    const done: Fact[] = [];
    const own = await startHarness({
      retryMs: [],
      pace: { ...PACE, askMs: 0 },
      onFact: async (fact) => {
        if (fact.kind === 'birth' && broken-- > 0) throw new Error('database away');
        done.push(fact);
      },
    });
    const ref = newController();
    const client = await own.client(ref);
    const said = speaker(client, ref);
    const all = async () => {
      await said.birth();
      await said.lwt(true);
      await said.state('closed');
    };
    let last = Promise.resolve();
    client.on('message', (_topic, payload) => {
      const { cmdId } = JSON.parse(payload.toString()) as { cmdId: string };
      last = said.ack(cmdId, 'accepted').then(all);
    });
    await client.subscribeAsync(deviceTopics.cmd(ref), { qos: 1 });
    await all();
    await until(() => own.devices.facts.online(ref) === true && done.some((fact) => fact.kind === 'door'));
    await last;
    expect(done.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['birth', 'connection', 'door']));
    await own.close();
  });

  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness.close());

  test('a lost connection is said once, by its will; coming back is a new session', async () => {
    const ref = newController();
    const session = randomUUID();
    const client = await harness.client(ref, {
      will: {
        topic: deviceTopics.lwt(ref),
        payload: Buffer.from(JSON.stringify({ online: false, session, reason: 'lost', ts: nowIso() })),
        qos: 1,
        retain: true,
      },
    });
    const said = speaker(client, ref, session);
    await said.birth();
    await said.lwt(true);
    await said.state('closed');
    client.stream.destroy();
    await until(() => harness.of('connection', ref).length === 2);
    expect(harness.of('connection', ref).map((fact) => [fact.online, fact.reason])).toEqual([
      [true, null],
      [false, 'lost'],
    ]);
    const again = speaker(await harness.client(ref), ref);
    await again.birth();
    await again.lwt(true);
    await until(() => harness.of('connection', ref).length === 3);
    expect(harness.devices.facts.online(ref)).toBe(true);
  });
});
