import { expect, test } from '@playwright/test';
import { ApiError, type Client } from '@hatchway/contract/client.ts';
import { startProvider } from '@hatchway/dev/vipps.ts';
import { makeCompany, type OwnCabinet } from '../company.ts';
import { startProcess } from '../process.ts';

const SALES = 20;
const PRICE = 12_900;
const BACK = 900;
/** Longer than a step's call and the job behind it take. */
const MOMENT_MS = 250;
/** All of it settles by itself within. */
const SETTLED_MS = 300_000;
const first = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000);
/** A run each, of some three minutes: those that follow the first seed. */
const seeds = Array.from({ length: Number(process.env.KILL_SEEDS ?? 1) }, (_, at) => first + at);

const STEPS = ['create', 'approve', 'claim', 'capture', 'refund'] as const;
/** How the provider is while the server dies, and for as long as it takes to start again. */
const WAYS = ['alive', 'away', 'alive', 'answer-lost'] as const;

/** The same moments again for the same seed, so that a run that failed can be run again. */
const momentOf = (seed: number, at: number): number => {
  let state = (seed * 31 + at) >>> 0;
  for (let round = 0; round < 3; round++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return (state / 2 ** 32) * MOMENT_MS;
};

type Theirs = {
  reference: string;
  token: string;
  state: string;
  authorized: number;
  captured: number;
  refunded: number;
  cancelled: number;
  events: { name: string; success: boolean; amount: { value: number } }[];
};
type Sale = { at: number; id: string; lockerId: string; doorTag: string; door: number; payment: string };

/** What was done already is no fault of whoever does it again. */
const unlessDone = async (act: Promise<unknown>): Promise<void> => {
  await act.catch((error: unknown) => {
    if (!(error instanceof ApiError && error.status < 500)) throw error;
  });
};

const killAtEachStep = async (seed: number): Promise<void> => {
  console.log(`KILL_SEED=${seed}`);
  const provider = await startProvider();
  const hatchway = await startProcess({ quick: true, vipps: provider.origin });
  const ask = async <T>(path: string, method = 'GET', body?: unknown): Promise<T> => {
    const sent = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`${provider.origin}/sandbox/vipps${path}`, { method, ...sent });
    return (answer.status === 204 ? null : await answer.json()) as T;
  };
  const theirs = async (reference: string) =>
    (await ask<{ payments: Theirs[] }>('/books')).payments.find((payment) => payment.reference === reference);
  try {
    const company = await makeCompany(hatchway.where);
    const { api } = company.admin;
    const keys = await ask<Record<'msn' | 'clientId' | 'clientSecret' | 'subscriptionKey', string>>('/merchants', 'POST', { name: 'Ours' });
    const settings = { merchantSerialNumber: keys.msn, clientId: keys.clientId, testMode: true };
    const secrets = { clientSecret: keys.clientSecret, subscriptionKey: keys.subscriptionKey };
    const { _id } = await api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body: { settings, secrets } });
    await api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'vipps', _id }, body: {} });
    const cabinet = await company.cabinet({ doors: SALES, hasSensors: false });
    const sales: Sale[] = [];
    for (let at = 0; at < SALES; at++) sales.push(await goods(api, cabinet, at));

    const read = ({ payment }: Sale) => api('GET /payments/{id}', { params: { id: payment } });
    const until = (sale: Sale, ...states: string[]) =>
      expect
        .poll(async () => [...states, 'cancelled'].includes((await read(sale)).state), { timeout: SETTLED_MS, intervals: [100] })
        .toBe(true);
    const steps: Record<(typeof STEPS)[number], (sale: Sale) => Promise<void>> = {
      create: async (sale) => {
        const body = { occupationId: sale.id, provider: 'vipps' as const, payer: { name: 'Kari', tlf: '+4791234567' } };
        sale.payment = (await api('POST /payments', { body, idempotencyKey: `sale-${seed}-${sale.at}` }))._id;
      },
      approve: async (sale) => {
        const { reference } = await read(sale);
        await expect.poll(async () => (await theirs(reference)) !== undefined, { timeout: SETTLED_MS, intervals: [100] }).toBe(true);
        await ask(`/payments/${(await theirs(reference))?.token}`, 'POST', { act: 'approve' });
        await until(sale, 'reserved', 'captured', 'refunded');
      },
      claim: async (sale) => {
        await unlessDone(api('PUT /occupations/assign', { body: { action: 'claim', id: sale.id, paymentId: sale.payment } }));
        const body = { doorTag: sale.doorTag, occupationId: sale.id };
        await unlessDone(api('POST /lockers/{id}/open', { params: { id: sale.lockerId }, body }));
      },
      capture: async (sale) => {
        await cabinet.virtual.act({ do: 'close', door: sale.door }).catch(() => undefined);
        await unlessDone(api('PUT /occupations', { body: { id: sale.id, action: 'finnish' } }));
        await until(sale, 'captured', 'refunded');
      },
      refund: async (sale) => {
        const payment = await read(sale);
        if (payment.state !== 'captured' || payment.pending.length > 0) return;
        await unlessDone(api('PUT /payments/refund', { body: { _id: sale.payment, amount: BACK, version: payment.version } }));
      },
    };

    for (const sale of sales) {
      const cut = sale.at % STEPS.length;
      const way = WAYS[Math.floor(sale.at / STEPS.length) % WAYS.length] ?? 'alive';
      for (const step of STEPS.slice(0, cut)) await steps[step](sale);
      if (way === 'away') await ask('/faults', 'POST', { kind: 'outage', times: null });
      if (way === 'answer-lost') await ask('/faults', 'POST', { kind: 'answer-lost', times: 1 });
      const step = STEPS[cut] ?? 'create';
      const working = step === 'create' ? steps.create(sale) : Promise.race([steps[step](sale), wait(MOMENT_MS * 2)]);
      const over = working.catch(() => undefined);
      await wait(momentOf(seed, sale.at));
      await hatchway.kill();
      await over;
      await hatchway.again();
      await ask('/faults', 'DELETE');
    }

    // Nobody kills it any more: whoever was cut off goes on, and what was lost on the way settles by itself.
    await heard(api, cabinet);
    for (const step of STEPS) await Promise.all(sales.map((sale) => steps[step](sale)));
    await expect
      .poll(async () => (await Promise.all(sales.map(read))).filter(({ pending }) => pending.length > 0), { timeout: SETTLED_MS })
      .toEqual([]);

    let captured = 0;
    for (const sale of sales) {
      const told = `sale ${sale.at}, cut at ${STEPS[sale.at % STEPS.length]}, seed ${seed}`;
      const payment = await read(sale);
      const books = await theirs(payment.reference);
      expect([payment.captured, payment.refunded], told).toEqual([books?.captured ?? 0, books?.refunded ?? 0]);
      const did = (name: string) => books?.events.filter((event) => event.success && event.name === name) ?? [];
      for (const name of ['CREATED', 'CAPTURED', 'REFUNDED']) expect(did(name).length, `${told}: ${name}`).toBeLessThanOrEqual(1);
      // Each to the øre: what its payer approved is taken whole, or nothing of it is.
      expect([0, PRICE], told).toContain(payment.captured);
      expect([0, BACK], told).toContain(payment.refunded);
      if (payment.state === 'cancelled') expect((books?.authorized ?? 0) - (books?.cancelled ?? 0), told).toBeLessThanOrEqual(0);
      else expect(payment.state, told).toBe('refunded');
      const opened = await api('GET /history', { query: { q: { occupationId: sale.id, type: 'locker_opened' }, limit: 1 } });
      if (payment.captured > 0) expect(opened.length, `${told}: captured, and its door was never seen open`).toBe(1);
      captured += Number(payment.captured > 0);
    }
    expect(captured, 'most sales came to their end').toBeGreaterThan(SALES / 2);
    const rows = await api('GET /payments/reconcile');
    expect(rows.filter(({ todo }) => todo !== null)).toEqual([]);
  } finally {
    await hatchway.stop();
    await provider.stop();
  }
};

for (const [at, seed] of seeds.entries()) {
  const which = at === 0 ? '' : ` (seed ${at + 1})`;
  test(`a server that is killed at any step of a sale loses no money, takes none twice and none for nothing${which}`, async () => {
    test.setTimeout(1_800_000);
    await killAtEachStep(seed);
  });
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const goods = async (api: Client, { lockers }: OwnCabinet, at: number): Promise<Sale> => {
  const locker = lockers[at];
  if (!locker) throw new Error('no locker');
  const price = { amount: PRICE, currency: 'NOK' };
  const body = { type: 'sale' as const, lockerId: locker.id, assetText: `Drill bit ${at}`, quantity: 1, price };
  const { id } = await api('POST /occupations', { body });
  for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
  return { at, id, lockerId: locker.id, doorTag: locker.doorTag, door: locker.compartment, payment: '' };
};

/** The cabinet is back and has said how its doors stand. */
const heard = (api: Client, { id }: OwnCabinet) =>
  expect
    .poll(async () => (await api('GET /cabinets/{id}', { params: { id } })).connection, { timeout: 60_000, intervals: [100] })
    .toBe('online');
