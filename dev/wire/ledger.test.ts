import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { HOLD_FOR, MINUTE } from '@hatchway/domain/deadlines.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { endHold } from '@hatchway/server/modules/payments/commands.ts';
import { settlePayment } from '@hatchway/server/modules/payments/settle-commands.ts';
import type { TestLocker } from '@hatchway/server/test-cabinet.ts';
import type { TestPerson } from '@hatchway/server/test-company.ts';
import { hashToken } from '@hatchway/server/tokens.ts';
import { unique } from '@hatchway/server/test-server.ts';
import { payingCompany, type PayingCompany } from './paying-company.ts';

/** Goods in a shop, and everybody who can do something about them: buyers, payers, the provider, the door, the clock, staff. */
let paying: PayingCompany;
let vipps: PayingCompany['vipps'];
let server: PayingCompany['server'];
let company: PayingCompany['company'];
let admin: TestPerson;
let wall: PayingCompany['wall'];
const SHOP = `shop-${unique()}`;
const PRICE = 4_900;
const PUT_IN = 4;
beforeAll(async () => {
  paying = await payingCompany({ doors: 20 });
  ({ vipps, server, company, admin, wall } = paying);
  await paying.connect();
  await admin.api('PUT /storefront', { body: { name: SHOP, open: true } });
});
afterAll(() => paying?.end());

const anyone = () => server.as(null);
const goods = async (): Promise<{ id: string; locker: TestLocker }> => {
  const locker = await wall.free();
  const price = { amount: PRICE, currency: 'NOK' };
  const body = { type: 'sale' as const, lockerId: locker.id, assetText: 'Drill bit', price, quantity: PUT_IN };
  const { id } = await admin.api('POST /occupations', { body });
  for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
  return { id, locker };
};

type Purchase = { key: { purchase: string }; payment: string; quantity: number };
const rowsOf = (occupationId: string) =>
  query<{
    id: string;
    reference: string;
    state: string;
    amount: number;
    captured: number;
    refunded: number;
    quantity: number;
    open: number;
  }>(
    server.database.ownerUrl,
    `select id, reference, state, amount::int, captured::int, refunded::int, quantity,
      (select count(*)::int from payment_operations o where o.payment_id = payments.id and o.state in ('wanted', 'sent', 'unknown')) as open
    from payments where occupation_id = $1 order by created_at`,
    [occupationId],
  );
const stockOf = async (id: string) => {
  const [row] = await query<{ quantity: number; held: number }>(
    server.database.ownerUrl,
    'select quantity::int, held::int from occupations where id = $1',
    [id],
  );
  return row ?? { quantity: NaN, held: NaN };
};
const theirs = (reference: string) => vipps.ledger.payments().find(({ order }) => order.reference === reference);
/** Whoever is refused is refused; nobody meets a fault of ours. */
const tried = async <T>(act: () => Promise<T>): Promise<T | null> =>
  act().catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  });

const at = fc.nat(2);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('buy' as const), quantity: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('payer' as const), at, says: fc.constantFrom('approve' as const, 'approve' as const, 'refuse' as const, 'expire' as const) }) }, // prettier-ignore
  { weight: 12, arbitrary: fc.record({ do: fc.constantFrom('pay' as const, 'pay' as const, 'fetch' as const, 'open' as const), at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('look' as const, 'open' as const, 'done' as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('put-back' as const, 'leave' as const, 'clock' as const), at }) },
  { weight: 2, arbitrary: fc.constant({ do: 'close' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fault' as const), at, kind: fc.constantFrom('answer-lost' as const, 'error' as const, 'cut' as const) }) }, // prettier-ignore
  { weight: 1, arbitrary: fc.record({ do: fc.constant('staff' as const), at, move: fc.constantFrom('capture' as const, 'cancel' as const, 'refund' as const), amount: fc.integer({ min: 1, max: 3 * PRICE }) }) }, // prettier-ignore
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

it('whoever does what in whatever order: both books agree, nothing is captured for nothing, and the pieces add up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 12 }), async (rounds) => {
      await query(server.database.ownerUrl, 'delete from rate_limits', []);
      const { id, locker } = await goods();
      const made: Purchase[] = [];
      const byStaff = new Set<string>();
      const ends = async (payment: string) =>
        endHold({ ...server.deps, now: () => new Date(Date.now() + HOLD_FOR + MINUTE) }, company.id, payment);
      const carryOut = async (one: Step): Promise<unknown> => {
        if (one.do === 'close') return wall.close(locker.compartment);
        if (one.do === 'buy') {
          const body = { quantity: one.quantity, amount: PRICE * one.quantity, currency: 'NOK', email: 'kari@example.test' };
          const bought = await tried(() => anyone()('POST /shop/{name}/goods/{id}/buy', { params: { name: SHOP, id }, body }));
          if (bought === null) return undefined;
          const hash = hashToken(server.deps, bought.purchase);
          const [row] = await query<{ id: string }>(server.database.ownerUrl, 'select id from payments where key_hash = $1', [hash]);
          return row && made.push({ key: { purchase: bought.purchase }, payment: row.id, quantity: one.quantity });
        }
        const who = made[made.length - 1 - (one.at % Math.max(1, made.length))];
        if (!who) return undefined;
        const { key, payment } = who;
        const reference = (await rowsOf(id)).find((row) => row.id === payment)?.reference ?? '';
        const their = theirs(reference);
        const door = { key, doorTag: locker.doorTag };
        switch (one.do) {
          case 'payer':
            return their && vipps.ledger.act(their, one.says);
          case 'pay':
            if (their) vipps.ledger.act(their, 'approve');
            return settlePayment(server.deps, company.id, payment);
          case 'fetch':
            await tried(() => anyone()('POST /pickup/open', { body: door }));
            await wall.close(locker.compartment);
            return tried(() => anyone()('POST /pickup/done', { body: { key } }));
          case 'look':
            return settlePayment(server.deps, company.id, payment);
          case 'clock':
            return ends(payment);
          case 'open':
            return tried(() => anyone()('POST /pickup/open', { body: door }));
          case 'done':
            return tried(() => anyone()('POST /pickup/done', { body: { key } }));
          case 'put-back':
            return tried(() => anyone()('POST /pickup/put-back', { body: { key } }));
          case 'leave':
            return tried(() => anyone()('POST /pickup/give-up', { body: { key } }));
          case 'fault':
            return vipps.faults.set({ kind: one.kind, times: 1, reference, ms: 10 });
          case 'staff': {
            const body = { _id: payment, ...(one.move === 'cancel' ? {} : { amount: one.amount }) };
            const moved = await tried(() => admin.api(`PUT /payments/${one.move}`, { body }));
            return moved && byStaff.add(payment);
          }
        }
      };
      for (const round of rounds) {
        await Promise.all(round.map(carryOut));
        const { quantity, held } = await stockOf(id);
        expect(0 <= held && held <= quantity && quantity <= PUT_IN).toBe(true);
        for (const row of await rowsOf(id)) expect(row.captured <= row.amount && row.refunded <= row.captured).toBe(true);
      }

      // The faults end, the door is shut, and time passes.
      vipps.faults.clear();
      await wall.close(locker.compartment);
      // Whoever approved what nobody had heard of yet has ten minutes from then.
      await expect
        .poll(
          async () => {
            for (const { key } of made) await tried(() => anyone()('POST /pickup/done', { body: { key } }));
            for (const { id: payment } of await rowsOf(id)) {
              await settlePayment(server.deps, company.id, payment);
              await ends(payment);
            }
            return (await rowsOf(id)).filter(({ open, state }) => open > 0 || state === 'initiated' || state === 'reserved');
          },
          { timeout: 60_000 },
        )
        .toEqual([]);

      let taken = 0;
      const rows = await rowsOf(id);
      for (const { key, payment, quantity } of made) {
        const row = rows.find((one) => one.id === payment);
        const how = (await tried(() => anyone()('POST /pickup/look', { body: { key } })))?.ended?.how;
        if (how === 'taken') taken += quantity;
        // Nobody is charged for what they did not take, unless staff said so.
        const due = how === 'taken' ? row?.amount : 0;
        expect(byStaff.has(payment) ? due : row?.captured).toBe(due);
      }
      for (const row of rows) {
        const their = theirs(row.reference);
        expect([row.captured, row.refunded]).toEqual([their?.captured ?? 0, their?.refunded ?? 0]);
        expect(row.captured).toBeLessThanOrEqual(their?.authorized ?? 0);
        expect(row.refunded).toBeLessThanOrEqual(row.captured);
      }
      const { quantity, held } = await stockOf(id);
      expect([held, quantity + taken]).toEqual([0, PUT_IN]);
    }),
    // A shorter story of the same fault takes minutes to find.
    { numRuns: 6, endOnFailure: true },
  );
});
