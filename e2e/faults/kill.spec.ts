import { expect, test } from '@playwright/test';
import { type Client } from '@hatchway/contract/client.ts';
import { makeCompany, messagesTo, type OwnCabinet } from '../company.ts';
import { startProcess } from '../process.ts';
import { phoneOf } from '../services.ts';

const ROUNDS = 30;
/** Parcels under way at once, each at its own door. */
const HANDS = 2;
/** Longer than a call takes, shorter than two. */
const MOMENT_MS = 120;
const seed = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);

/** The same moments again for the same seed, so that a run that failed can be run again. */
function* moments(from: number): Generator<number, never> {
  for (let state = from; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** What was acknowledged before the server died: the stages that are possible after it, and no others. */
type Parcel = { at: number; id: string; doorTag: string; lockerId: string; may: readonly number[]; sent: boolean };
const AFTER = {
  register: [0, 1],
  open: [1, 2],
  fill: [2, 3, 4, 5],
  send: [3, 4, 5, 6],
  claim: [3, 4, 5, 6],
  out: [6, 98],
  finnish: [98],
} as const;
const addressOf = (at: number) => `ingrid-${at}@e2e.test`;

/** Round by round: staff let somebody in, the receiver comes by the link of the message, staff take it back out before its time. */
const wayOf = (at: number) => (['let in', 'link', 'back out'] as const)[Math.floor(at / HANDS) % 3];

/** The whole journey, doors and hands too. Each line counts once its answer is here. */
async function journey(
  { origin, api }: { origin: string; api: Client },
  { lockers, virtual }: OwnCabinet,
  at: number,
  parcels: Parcel[],
  acknowledged: (steps: number) => void = () => {},
): Promise<void> {
  const lot = lockers[at % lockers.length];
  if (!lot) throw new Error('no locker');
  const door = lot.compartment;
  const receiver = { name: 'Ingrid Solberg', email: addressOf(at) };
  const made = await api('POST /occupations', { body: { type: 'delivery', assetText: `Parcel ${at}`, receiver, lockerId: lot.id } });
  const parcel: Parcel = { at, id: made.id, doorTag: lot.doorTag, lockerId: lot.id, may: AFTER.register, sent: false };
  parcels.push(parcel);
  let steps = 0;
  const now = (may: Parcel['may'], sent = parcel.sent) => {
    Object.assign(parcel, { may, sent });
    acknowledged(++steps);
  };
  now(AFTER.register);
  const open = () => api('POST /lockers/{id}/open', { params: { id: lot.id }, body: { doorTag: lot.doorTag, occupationId: made.id } });
  await open();
  now(AFTER.open);
  await virtual.act({ do: 'put', door, what: `Parcel ${at}` });
  await virtual.act({ do: 'close', door });
  parcel.may = [...AFTER.open, ...AFTER.fill];
  await api('PUT /occupations', { body: { id: made.id, action: 'fill' } });
  now(AFTER.fill);
  await api('PUT /occupations', { body: { id: made.id, action: 'send' } });
  now(AFTER.send, true);
  const takeOut = async () => {
    await virtual.act({ do: 'take', door });
    await virtual.act({ do: 'close', door });
  };
  if (wayOf(at) === 'back out') {
    await api('POST /lockers/{id}/open', {
      params: { id: lot.id },
      body: { doorTag: lot.doorTag, occupationId: made.id, takeOut: 'end', reason: 'sent back' },
    });
    await takeOut();
    // no sensor saw it go: whoever took it out says so
    await api('POST /occupations/{id}/retrieve', { params: { id: made.id }, body: { reason: 'sent back' } });
  } else if (wayOf(at) === 'link') {
    const phone = await phoneOf(origin, addressOf(at));
    now(AFTER.send);
    await phone.open(lot.doorTag);
    now(AFTER.out);
    await takeOut();
    await phone.done();
  } else {
    await api('PUT /occupations/assign', { body: { action: 'claim', id: made.id } });
    now(AFTER.claim);
    await open();
    now(AFTER.out);
    await takeOut();
    await api('PUT /occupations', { body: { id: made.id, action: 'finnish' } });
  }
  now(AFTER.finnish);
  // who stands at the open door takes it out, whatever becomes of the server: see `handsAtDoors`
}

/** The cabinet is back and has said how these doors stand: a journey that begins now gets beyond its first door. */
const back = (api: Client, { id, lockers }: OwnCabinet, numbers: number[]) =>
  expect
    .poll(
      async () => {
        const wall = await api('GET /cabinets/{id}/lockers', { params: { id } });
        return numbers.every((at) => wall.find((one) => one.id === lockers[at]?.id)?.door === 'closed');
      },
      { timeout: 60_000, intervals: [50] },
    )
    .toBe(true);

/** What really lies behind each door, or each open one: the steel forgets nothing, whatever the record says. */
async function steel(origin: string, { virtual }: OwnCabinet, only?: 'open'): Promise<Map<number, string>> {
  const view = (await (await fetch(`${origin}/sandbox/cabinets/${virtual.id}`)).json()) as {
    doors: { no: number; content: string | null; open: boolean }[];
  };
  const doors = view.doors.filter(({ open }) => only === undefined || open);
  return new Map(doors.flatMap((door) => (door.content === null ? [] : [[door.no, door.content] as const])));
}

/** Whoever asked for the door to take it back out stands before it, and takes it where it is open, whatever became of the server. */
async function handsAtDoors(origin: string, cabinet: OwnCabinet, parcels: readonly Parcel[]): Promise<void> {
  const open = await steel(origin, cabinet, 'open');
  for (const { at, may } of parcels) {
    const door = cabinet.lockers[at]?.compartment ?? 0;
    const asked = wayOf(at) === 'back out' && may === AFTER.send;
    if (!asked || open.get(door) !== `Parcel ${at}`) continue;
    await cabinet.virtual.act({ do: 'take', door });
    await cabinet.virtual.act({ do: 'close', door });
  }
}

test('killed at a random moment and started again, thirty times in a row', async () => {
  test.setTimeout(900_000);
  console.log(`KILL_SEED=${seed}`);
  const when = moments(seed);
  const hatchway = await startProcess();
  try {
    const company = await makeCompany(hatchway.where);
    // no sensors: what lies inside is known from the record alone
    const cabinet = await company.cabinet({ doors: ROUNDS * HANDS, hasSensors: false });
    const { api } = company.admin;
    const parcels: Parcel[] = [];
    const cutAt = new Map<readonly number[], number>();
    const outBy = new Map<ReturnType<typeof wayOf>, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const mine = Array.from({ length: HANDS }, (_, hand) => round * HANDS + hand);
      await back(api, cabinet, mine);
      // so many steps are to be acknowledged, then a moment more: cut off anywhere, however busy the machine is
      const steps = Math.floor(when.next().value * (Object.keys(AFTER).length + 1));
      const moment = when.next().value * MOMENT_MS;
      const reached = Promise.withResolvers<void>();
      const heard = (count: number) => void (count === steps && reached.resolve());
      const working = mine.map((at) =>
        journey({ origin: hatchway.where.origin, api }, cabinet, at, parcels, heard).then(reached.resolve, () => reached.resolve()),
      );
      if (steps > 0) await reached.promise;
      await new Promise((resolve) => setTimeout(resolve, moment));
      await hatchway.kill();
      await Promise.all(working);
      await hatchway.again();
      await handsAtDoors(hatchway.where.origin, cabinet, parcels.slice(-HANDS));
      for (const { at, may } of parcels.slice(-HANDS)) {
        cutAt.set(may, (cutAt.get(may) ?? 0) + 1);
        if (Math.min(...may) >= AFTER.out[0]) outBy.set(wayOf(at), (outBy.get(wayOf(at)) ?? 0) + 1);
      }

      const now = await api('GET /occupations', { query: { limit: 200 } });
      for (const { id, doorTag, may } of parcels) {
        const found = now.find((one) => one.id === id);
        // an answer that was cut off may have been carried out: the journey may be one step further than what was acknowledged
        const further =
          Object.values(AFTER).find((stages) => stages.some((stage) => !may.includes(stage) && stage > Math.max(...may))) ?? [];
        expect([...may, ...further], `round ${round}: ${doorTag} is in ${found?.stageName ?? 'nothing'}`).toContain(found?.stage);
        expect(found?.stage, `round ${round}: ${doorTag} fell behind what was acknowledged`).toBeGreaterThanOrEqual(Math.min(...may));
      }
      const running = now.filter((one) => one.stage < 98);
      expect(new Set(running.map((one) => one.lockerId)).size, `round ${round}: two occupations in one locker`).toBe(running.length);
      const lockers = await api('GET /cabinets/{id}/lockers', { params: { id: cabinet.id } });
      for (const one of running)
        expect(lockers.find((locker) => locker.id === one.lockerId)?.occupationId, `round ${round}: ${one.doorTag} is wrongly free`).toBe(
          one.id,
        );
      const inside = await steel(hatchway.where.origin, cabinet);
      expect(new Set(inside.values()).size, 'nothing lies in two places').toBe(inside.size);
      for (const [door, what] of inside) {
        const locker = lockers.find((one) => one.compartment === door);
        const free = locker?.occupationId === null && !locker.inDoubt;
        expect(free, `round ${round}: ${what} lies in ${locker?.doorTag}, which is given away as free`).toBe(false);
        const owner = parcels.find((one) => `Parcel ${one.at}` === what);
        if (locker?.occupationId !== null)
          expect(locker?.occupationId, `round ${round}: ${what} is in another one’s locker`).toBe(owner?.id);
      }
    }

    console.log(
      'cut after',
      Object.entries(AFTER)
        .map(([step, may]) => `${step} ${cutAt.get(may) ?? 0}`)
        .join(', '),
      `; of them out: ${[...outBy].map(([way, count]) => `${way} ${count}`).join(', ')}`,
    );
    expect(cutAt.size, 'the journeys were cut off in different places').toBeGreaterThanOrEqual(4);
    const told = new Set<string>();
    for (const { id, at, sent } of parcels) {
      const of = () => api('GET /messages', { query: { q: { occupationId: id }, limit: 50 } });
      await expect
        .poll(async () => (await of()).filter((one) => one.state === 'queued' || one.state === 'sent'), { timeout: 60_000 })
        .toEqual([]);
      const messages = await of();
      const calls = messages.filter(({ cause }) => !cause.startsWith('taken-out:'));
      expect(calls.length, `${at}: one press, one message`).toBeLessThanOrEqual(1);
      expect(messages.length - calls.length, `${at}: taken out once, told once`).toBeLessThanOrEqual(wayOf(at) === 'back out' ? 1 : 0);
      if (sent) expect(calls, `${at}: the send was acknowledged`).toHaveLength(1);
      const arrived = await messagesTo(hatchway.where.origin, addressOf(at), { least: 0 });
      expect(new Set(arrived.map((one) => one.messageId)).size, `${at} got one message twice`).toBe(arrived.length);
      // under the names they had from the beginning, however often they were tried
      expect(
        messages.map((one) => one.messageId),
        `${at}: what came is what was written down`,
      ).toEqual(expect.arrayContaining(arrived.map((one) => one.messageId)));
      for (const { messageId, cause, state, error } of messages) {
        const came = arrived.filter((one) => one.messageId === messageId);
        for (const name of [messageId, cause]) {
          expect(told.has(name), `${at}: ${name} is one message’s alone`).toBe(false);
          told.add(name);
        }
        if (state === 'accepted' || state === 'delivered') expect(came, `${at}: accepted and never came`).toHaveLength(1);
        else if (state === 'failed') expect({ came, error }, `${at}: failed, and came`).toEqual({ came: [], error: 'no longer needed' });
        else expect(state, `${at}: what was cut off is not known, and nothing else`).toBe('unknown');
      }
    }
  } finally {
    await hatchway.stop();
  }
});
