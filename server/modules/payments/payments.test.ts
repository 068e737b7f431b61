import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '@hatchway/contract/client.ts';
import { HOLD_FOR, MINUTE } from '@hatchway/domain/deadlines.ts';
import { query } from '../../db/test-database.ts';
import { newId } from '../../ids.ts';
import { listen } from '../../live/test-listener.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, unique, type TestServer } from '../../test-server.ts';
import { systemScope } from '../../scope.ts';
import { copied, patternOf, type Pattern } from '../occupations/test-copy.ts';
import { emptied, testDoors, type TestDoors } from '../occupations/test-doors.ts';
import { problemOf } from '../occupations/test-refusal.ts';
import { archive, forgetVisitors } from '../occupations/archive.ts';
import { lookNow } from '../occupations/clock.ts';
import { sweep } from '../../jobs/sweep.ts';
import { endHold } from './commands.ts';

let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let seller: TestPerson;
let manager: TestPerson;
let counter: TestPerson;
let wall: TestDoors;
/** Whose one door moves; nobody uses it as a test begins. */
let steel: TestCabinet;
let late = 0;
beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + late) });
  ours = await testCompany(server);
  admin = await ours.person(['admin'], 'Ada Admin');
  seller = await ours.person(['sale_manager'], 'Sam Seller');
  manager = await ours.person(['manager']);
  counter = await ours.person(['delivery_manager']);
  wall = await testDoors(admin.api, 56);
  steel = await testCabinet(server, admin.api, 1);
});
afterEach(() => emptied(server, steel.lockers));
afterAll(async () => {
  steel?.end();
  await server.stop();
});

const PRICE = { amount: 8_900, currency: 'NOK' };
type Act = 'fill' | 'publish' | 'finnish' | 'return' | 'empty' | 'extract';
const act = (id: string, action: Act) => seller.api('PUT /occupations', { body: { id, action } });
const theDoor = () => {
  const [door] = steel.lockers;
  if (!door) throw new Error('no door');
  return door;
};
/** The first goods that were put on sale as all of them are. */
let coffee: Pattern | null = null;
/** Goods on sale in a locker of their own. */
const onSale = async (quantity = 3, more: object = {}, at: TestDoors | TestCabinet = wall) => {
  const locker = at === steel ? theDoor() : await at.free();
  if (coffee) return { id: (await copied(server, coffee, locker, { quantity, ...more })).id, locker };
  const body = { type: 'sale' as const, lockerId: locker.id, assetText: 'Coffee', price: PRICE, quantity, ...more };
  const { id } = await seller.api('POST /occupations', { body });
  await act(id, 'fill');
  await act(id, 'publish');
  if (Object.keys(more).length === 0) coffee = await patternOf(server, id);
  return { id, locker };
};
const pay = (occupationId: string, more: object = {}, who = seller) => who.api('POST /payments', { body: { occupationId, ...more } });
const paid = (occupationId: string, quantity = 1) => pay(occupationId, { received: true, quantity });
const claim = (id: string) => seller.api('PUT /occupations/assign', { body: { action: 'claim', id } });
const open = ({ id, locker }: { id: string; locker: { id: string; doorTag: string } }) =>
  seller.api('POST /lockers/{id}/open', { params: { id: locker.id }, body: { doorTag: locker.doorTag, occupationId: id } });
const refund = (_id: string, amount?: number, who = seller) =>
  who.api('PUT /payments/refund', { body: { _id, ...(amount === undefined ? {} : { amount }) } });
const cancel = (_id: string) => seller.api('PUT /payments/cancel', { body: { _id } });
const capture = (_id: string, amount?: number) =>
  seller.api('PUT /payments/capture', { body: { _id, ...(amount === undefined ? {} : { amount }) } });
const read = (id: string, who = seller) => who.api('GET /payments/{id}', { params: { id } });
const goods = (id: string) => seller.api('GET /occupations/{id}', { params: { id } });
/** As if it were so much later. */
const at = async (ms: number, done: () => Promise<unknown>) => {
  late = ms;
  await done().finally(() => (late = 0));
};
const captured = async (quantity = 1) => {
  const { id } = await onSale(quantity);
  const { _id } = await paid(id, quantity);
  return capture(_id);
};
const storyOf = async (paymentId: string) =>
  (await query<{ type: string; data: { amount: number } }>(server.database.ownerUrl, 'select type, data from events where payment_id = $1 order by id', [paymentId]))
    .map(({ type, data }) => `${type} ${data.amount}`); // prettier-ignore

describe('a payment by hand', () => {
  it('is not begun for what may be gone, and one that was begun before goes on', async () => {
    const { id, locker } = await onSale();
    const before = await pay(id);
    await admin.api('PUT /lockers/{id}/content', { params: { id: locker.id }, body: { content: 'empty' } });
    expect(await refusal(pay(id))).toEqual([409, 'locker-in-doubt']);
    expect(await refusal(paid(id))).toEqual([409, 'locker-in-doubt']);
    expect(await refusal(claim(id))).toEqual([409, 'locker-in-doubt']);
    expect(await seller.api('PUT /payments/update', { body: { _id: before._id, received: true } })).toMatchObject({ state: 'reserved' });
    await admin.api('PUT /lockers/{id}/content', { params: { id: locker.id }, body: { content: 'occupied' } });
    expect(await paid(id)).toMatchObject({ state: 'reserved' });
  });
  // shows R3.11, R4.28, R4.29, R4.30, R4.32, R4.33, R4.34, R7.43, R7.44, R7.45, R7.46
  it('is started, received and captured by the word of staff, each told in its history', async () => {
    const { id } = await onSale();
    const before = await pay((await onSale()).id, { quantity: 1 });
    const started = await pay(id, { quantity: 2, payer: { name: 'Kari Kunde', tlf: '91234567' } });
    expect(started).toMatchObject({
      state: 'initiated',
      provider: 'manual',
      amount: 17_800,
      currency: 'NOK',
      quantity: 2,
      occupationId: id,
      content: 'Coffee',
      payer: { name: 'Kari Kunde', tlf: '+4791234567', email: null },
    });
    expect(await refusal(pay(id, { payer: { tlf: '12' } }))).toEqual([422, 'rule']);
    expect(started._id).not.toBe(before._id);
    expect(await seller.api('GET /payments/{id}', { params: { id: started._id } })).toMatchObject({ _id: started._id, quantity: 2 });
    expect(await goods(id)).toMatchObject({ held: 2, paymentIds: [started._id] });
    const body = { _id: started._id, received: true, details: { terminal: 'Bank', receipt: 17 } } as const;
    expect(await seller.api('PUT /payments/update', { body })).toMatchObject({
      state: 'reserved',
      details: { terminal: 'Bank', receipt: 17 },
    });
    expect(await capture(started._id)).toMatchObject({ state: 'captured', captured: 17_800, refunded: 0 });
    const seen = await seller.api('GET /payments/{id}', { params: { id: started._id } });
    expect(await refund(started._id, 5_000)).toMatchObject({ state: 'refunded', captured: 17_800, refunded: 5_000, heldUntil: null });
    // its answer was lost, and it is pressed again: by the version that was seen, nothing more is given back
    const again = { _id: started._id, amount: 5_000, version: seen.version };
    expect(await refusal(seller.api('PUT /payments/refund', { body: again }))).toEqual([409, 'stale']);
    expect(await refund(started._id)).toMatchObject({ state: 'refunded', refunded: 17_800 });
    expect(await storyOf(started._id)).toEqual([
      'payment_initiated 17800',
      'payment_reserved 17800',
      'payment_captured 17800',
      'payment_refunded 5000',
      'payment_refunded 12800',
    ]);
    const { events } = await read(started._id);
    expect(events.map(({ state, amount, by }) => [state, amount, by])).toEqual([
      ['initiated', 17_800, 'Sam Seller'],
      ['reserved', 17_800, 'Sam Seller'],
      ['captured', 17_800, 'Sam Seller'],
      ['refunded', 5_000, 'Sam Seller'],
      ['refunded', 12_800, 'Sam Seller'],
    ]);
  });

  it('costs what the thing costs, in its currency, and nothing else', async () => {
    const { id } = await onSale();
    expect(await refusal(pay(id, { amount: 1 }))).toEqual([422, 'rule']);
    expect(await refusal(pay(id, { amount: 8_900, quantity: 2 }))).toEqual([422, 'rule']);
    expect(await refusal(pay(id, { currency: 'EUR' }))).toEqual([422, 'rule']);
    expect(await pay(id, { amount: 17_800, currency: 'NOK', quantity: 2 })).toMatchObject({ amount: 17_800 });
    const parcel = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: (await wall.free()).id } });
    expect(await refusal(pay(parcel.id, {}, admin))).toEqual([422, 'price']);
  });

  it('costs who pays from now on the new price; who began to pay before pays what it cost then', async () => {
    const { id } = await onSale();
    const before = await paid(id);
    const { version } = await goods(id);
    const amend = (price: object, who = seller, seen = version) =>
      who.api('PUT /occupations/{id}', { params: { id }, body: { version: seen, price: { amount: 9_900, currency: 'NOK', ...price } } });
    // who does not sell does not see the goods
    expect(await refusal(amend({}, counter))).toEqual([404, 'not-found']);
    for (const amount of [0, -1, 0.5, 1_000_000_001]) expect((await refusal(amend({ amount })))[0]).toBe(400);
    expect(await refusal(amend({ currency: 'øre' }))).toEqual([422, 'price']);
    const tries = await Promise.all([amend({}), amend({ amount: 9_500 })].map((one) => one.then(() => 'done', () => 'refused'))); // prettier-ignore
    expect(tries.toSorted()).toEqual(['done', 'refused']);
    const { price, version: now } = await goods(id);
    await amend({ amount: 12_000 }, seller, now);
    expect(price?.amount).not.toBe(PRICE.amount);
    expect(await read(before._id)).toMatchObject({ amount: 8_900, state: 'reserved' });
    expect(await refusal(pay(id, { amount: 8_900 }))).toEqual([422, 'rule']);
    expect(await pay(id)).toMatchObject({ amount: 12_000 });
    expect(await capture(before._id)).toMatchObject({ captured: 8_900 });
  });

  it('is by hand alone while no provider is connected', async () => {
    const { id } = await onSale();
    expect(await refusal(pay(id, { provider: 'vipps' }))).toEqual([409, 'not-connected']);
    expect(await goods(id)).toMatchObject({ held: 0, paymentIds: [] });
  });

  it('goes by a provider whose keys were seen to work, as those who see payments are told', async () => {
    const of = (who: TestPerson) => who.api('GET /payments/providers');
    const other = await testCompany(server);
    const theirs = await other.person(['admin']);
    const settings = { merchantSerialNumber: '123456', clientId: 'client' };
    const body = { settings, secrets: { clientSecret: 's3cret', subscriptionKey: 'k3y' } };
    expect(await of(theirs)).toEqual(['manual']);
    await theirs.api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body });
    expect(await of(theirs)).toEqual(['manual']);
    await query(server.database.ownerUrl, `update integrations set state = 'active' where tenant_id = $1`, [other.id]);
    expect(await of(theirs)).toEqual(['manual', 'vipps']);
    expect(await of(seller)).toEqual(['manual']);
    expect(await refusal(of(counter))).toEqual([403, 'forbidden']);
  });

  it('moves only as its state allows, and by no more than there is', async () => {
    const { id } = await onSale();
    const { _id } = await pay(id);
    expect(await refusal(capture(_id))).toEqual([409, 'payment-transition']);
    expect(await refusal(refund(_id))).toEqual([409, 'payment-transition']);
    await seller.api('PUT /payments/update', { body: { _id, received: true } });
    expect(await refusal(seller.api('PUT /payments/update', { body: { _id, received: true } }))).toEqual([409, 'payment-transition']);
    expect(await refusal(capture(_id, 8_901))).toEqual([422, 'rule']);
    expect(await capture(_id, 5_000)).toMatchObject({ state: 'captured', captured: 5_000 });
    expect(await refusal(cancel(_id))).toEqual([409, 'payment-transition']);
    expect(await refusal(refund(_id, 5_001))).toEqual([422, 'rule']);
    await refund(_id);
    expect(await refusal(refund(_id))).toEqual([409, 'payment-transition']);
    const none = newId();
    for (const call of [capture, refund, cancel, read]) expect(await refusal(call(none))).toEqual([404, 'not-found']);
  });

  // shows R4.34, R7.45
  it('keeps what people note of it, unless somebody else did meanwhile', async () => {
    const { id } = await onSale();
    const { _id, version } = await pay(id, { payer: { name: 'Kari' } });
    const update = (body: object) => seller.api('PUT /payments/update', { body: { _id, ...body } });
    expect(await update({ version, details: { note: 'Cash' }, payer: { email: 'kari@example.test' } })).toMatchObject({
      details: { note: 'Cash' },
      payer: { name: 'Kari', email: 'kari@example.test' },
      state: 'initiated',
      version: version + 1,
    });
    expect(await refusal(update({ version, details: {} }))).toEqual([409, 'stale']);
    expect(await refusal(update({ details: { long: 'x'.repeat(20_001) } }))).toEqual([422, 'rule']);
    expect((await read(_id)).details).toEqual({ note: 'Cash' });
  });
});

describe('what a payment holds', () => {
  // shows R4.33, R7.47
  it('is sold to nobody else, and on sale again when it is cancelled', async () => {
    const { id } = await onSale(2);
    const first = await pay(id, { quantity: 2 });
    expect(await refusal(pay(id))).toEqual([409, 'sold-out']);
    expect(await cancel(first._id)).toMatchObject({ state: 'cancelled', heldUntil: null });
    expect(await goods(id)).toMatchObject({ held: 0 });
    expect(await refusal(cancel(first._id))).toEqual([409, 'payment-transition']);
    expect(await goods(id)).toMatchObject({ held: 0 });
    await pay(id);
    expect(await goods(id)).toMatchObject({ held: 1, quantity: 2 });
  });

  it('is sold to nobody else either while its money is captured by hand, until its ten minutes are over', async () => {
    const { id } = await onSale(1);
    const { _id } = await paid(id);
    expect(await capture(_id)).toMatchObject({ state: 'captured', heldUntil: expect.any(String) });
    expect(await goods(id)).toMatchObject({ held: 1, quantity: 1 });
    expect(await refusal(paid(id))).toEqual([409, 'sold-out']);
    await at(HOLD_FOR + MINUTE, () => sweep(server.deps, ours.id));
    expect(await read(_id)).toMatchObject({ state: 'captured', heldUntil: null });
    expect(await goods(id)).toMatchObject({ held: 0, quantity: 1 });
    // ended before that, it holds nothing of what is put in later
    const again = await onSale(1);
    const other = await paid(again.id);
    await capture(other._id);
    await act(again.id, 'extract');
    expect(await read(other._id)).toMatchObject({ state: 'captured', heldUntil: null });
  });

  it('is one hand’s where two reach for the last piece', async () => {
    const { id } = await onSale(1);
    const tries = await Promise.all([pay(id), pay(id), pay(id)].map((one) => one.then(() => 'paid', () => 'refused'))); // prettier-ignore
    expect(tries.toSorted()).toEqual(['paid', 'refused', 'refused']);
    expect(await goods(id)).toMatchObject({ held: 1, quantity: 1 });
  });

  it('is promised to nobody before it is on offer, and no more than there is', async () => {
    const body = { type: 'sale' as const, lockerId: (await wall.free()).id, assetText: 'Tea', price: PRICE, quantity: 1 };
    const { id } = await seller.api('POST /occupations', { body });
    expect(await refusal(pay(id))).toEqual([409, 'occupation-transition']);
    await act(id, 'fill');
    await act(id, 'publish');
    expect(await refusal(pay(id, { quantity: 2 }))).toEqual([409, 'sold-out']);
  });

  // shows R4.31
  it('is let go after ten minutes, not before, by the clock of the payment or of the sweep; unpaid, it is cancelled', async () => {
    const { id } = await onSale(2);
    const [one, two] = [await pay(id), await pay(id)];
    expect(await goods(id)).toMatchObject({ held: 2 });
    await at(HOLD_FOR - MINUTE, () => endHold(server.deps, ours.id, one._id));
    expect(await read(one._id)).toMatchObject({ state: 'initiated' });
    await at(HOLD_FOR + MINUTE, async () => {
      await endHold(server.deps, ours.id, one._id);
      await endHold(server.deps, ours.id, one._id);
      await sweep(server.deps, ours.id);
    });
    for (const { _id } of [one, two]) expect(await read(_id)).toMatchObject({ state: 'cancelled', heldUntil: null, wantsEnd: false });
    expect(await goods(id)).toMatchObject({ held: 0, quantity: 2 });
    expect(await storyOf(one._id)).toEqual(['payment_initiated 8900', 'payment_cancelled 8900']);
    await endHold(server.deps, ours.id, newId());
  });

  it('is let go by the clock, but money that staff noted stays as they noted it, and is listed as wanting an end', async () => {
    const { id } = await onSale(2);
    const [one, two] = [await paid(id), await paid(id)];
    const wanting = async () =>
      (await manager.api('GET /payments', { query: { q: { occupationId: id, wantsEnd: true } } })).map((row) => row._id);
    const allWanting = async () => (await manager.api('GET /payments', { query: { q: { wantsEnd: true }, limit: 500 } })).length;
    expect(await wanting()).toEqual([]);
    await at(HOLD_FOR + MINUTE, async () => {
      await endHold(server.deps, ours.id, one._id);
      await endHold(server.deps, ours.id, one._id);
      await sweep(server.deps, ours.id);
      await sweep(server.deps, ours.id);
    });
    for (const { _id, version } of [one, two])
      expect(await read(_id)).toMatchObject({ state: 'reserved', heldUntil: null, wantsEnd: true, version: version + 1 });
    expect(await goods(id)).toMatchObject({ held: 0, quantity: 2 });
    expect(await storyOf(one._id)).toEqual(['payment_initiated 8900', 'payment_reserved 8900']);
    expect(await wanting()).toEqual([two._id, one._id]);
    expect(await manager.api('GET /stats/sales')).toMatchObject({ wanting: await allWanting() });
    expect(await allWanting()).toBeGreaterThanOrEqual(2);
    // a person ends it: the one customer got the money back, the other one's is kept
    expect(await cancel(one._id)).toMatchObject({ state: 'cancelled', wantsEnd: false });
    expect(await capture(two._id)).toMatchObject({ state: 'captured', wantsEnd: false });
    expect(await wanting()).toEqual([]);
    expect(await goods(id)).toMatchObject({ held: 0, quantity: 2 });
  });

  it('comes back to who comes late, while there are pieces; when they are gone it says so', async () => {
    const sale = await onSale(2);
    const by = (paymentId: string) => seller.api('PUT /occupations/assign', { body: { action: 'claim', id: sale.id, paymentId } });
    const late1 = await paid(sale.id);
    const late2 = await paid(sale.id, 1);
    await at(HOLD_FOR + MINUTE, () => sweep(server.deps, ours.id));
    const other = await paid(sale.id);
    expect(await by(late1._id)).toMatchObject({ held: 2, stageName: 'CLAIMING' });
    expect(await act(sale.id, 'finnish')).toMatchObject({ quantity: 1, held: 1 });
    expect(await read(late1._id)).toMatchObject({ state: 'captured', wantsEnd: false });
    expect(await refusal(by(late2._id))).toEqual([409, 'sold-out']);
    expect(await read(late2._id)).toMatchObject({ state: 'reserved', wantsEnd: true });
    expect(await refusal(claim(sale.id))).toEqual([422, 'whose-payment']);
    expect(await by(other._id)).toMatchObject({ held: 1 });
    expect(await act(sale.id, 'finnish')).toMatchObject({ stageName: 'TERMINATED' });
    expect(await read(other._id)).toMatchObject({ state: 'captured' });
    expect(await read(late2._id)).toMatchObject({ state: 'reserved', wantsEnd: true });
    expect(await refusal(by(late2._id))).toEqual([409, 'occupation-transition']);
    expect(await cancel(late2._id)).toMatchObject({ state: 'cancelled' });
  });

  it.each(['extract', 'empty', 'delete'] as const)('is gone with the goods (%s); money in hand stays as it was noted', async (how) => {
    const { id } = await onSale(3);
    const [noted, unpaid] = [await paid(id), await pay(id)];
    if (how === 'delete') await admin.api('DELETE /occupations/{id}', { params: { id }, body: {} });
    else await act(id, how);
    expect(await goods(id)).toMatchObject({ held: 0 });
    expect(await read(unpaid._id)).toMatchObject({ state: 'cancelled' });
    expect(await read(noted._id)).toMatchObject({ state: 'reserved', heldUntil: null, wantsEnd: true });
    // the clock finds nothing to let go any more, and a person's word ends it
    await at(HOLD_FOR + MINUTE, () => endHold(server.deps, ours.id, noted._id));
    expect(await read(noted._id)).toMatchObject({ state: 'reserved' });
    expect(await capture(noted._id)).toMatchObject({ state: 'captured' });
    expect(await refund(noted._id)).toMatchObject({ state: 'refunded', refunded: 8_900 });
    expect(await goods(id)).toMatchObject({ held: 0 });
  });

  it('is the claim’s as long as a claim stands on it, whatever the clock says', async () => {
    const sale = await onSale(2, {}, steel);
    const { _id } = await paid(sale.id);
    await claim(sale.id);
    await open(sale);
    await at(HOLD_FOR + MINUTE, () => endHold(server.deps, ours.id, _id));
    expect(await read(_id)).toMatchObject({ state: 'reserved', claimed: true, heldUntil: null });
    expect(await refusal(cancel(_id))).toEqual([409, 'payment-transition']);
    await act(sale.id, 'finnish');
    expect(await read(_id)).toMatchObject({ state: 'captured', captured: 8_900, claimed: false });
    expect(await goods(sale.id)).toMatchObject({ quantity: 1, held: 0 });
  });
});

describe('a priced claim', () => {
  // shows R4.16
  it('needs a reserved payment, takes what it paid for, and is sold when it ends', async () => {
    const sale = await onSale(5);
    expect(await refusal(claim(sale.id))).toEqual([402, 'payment-needed']);
    const { _id } = await pay(sale.id, { quantity: 3 });
    expect(await refusal(claim(sale.id))).toEqual([402, 'payment-needed']);
    await seller.api('PUT /payments/update', { body: { _id, received: true } });
    expect(await claim(sale.id)).toMatchObject({ held: 3, stageName: 'CLAIMING' });
    expect(await act(sale.id, 'finnish')).toMatchObject({ quantity: 2, held: 0, stageName: 'ACQUIRABLE' });
    const rows = await query<{ type: string }>(server.database.ownerUrl, 'select type from events where occupation_id = $1', [sale.id]);
    expect(rows.map((row) => row.type)).toEqual(expect.arrayContaining(['occupation_sold', 'payment_captured']));
    expect(await refusal(claim(sale.id))).toEqual([402, 'payment-needed']);
  });

  it('stands on the payment that is named, where several customers paid', async () => {
    const sale = await onSale(5);
    const [first, second] = [await paid(sale.id, 1), await paid(sale.id, 2)];
    const by = (paymentId: string) => seller.api('PUT /occupations/assign', { body: { action: 'claim', id: sale.id, paymentId } });
    const elsewhere = await paid((await onSale(1)).id);
    expect(await refusal(by(elsewhere._id))).toEqual([422, 'unknown-reference']);
    // Nobody's goods are picked for them.
    expect(await refusal(claim(sale.id))).toEqual([422, 'whose-payment']);
    const unpaid = await pay(sale.id);
    expect(await refusal(by(unpaid._id))).toEqual([402, 'payment-needed']);
    await by(second._id);
    await act(sale.id, 'finnish');
    expect(await read(second._id)).toMatchObject({ state: 'captured', captured: 17_800 });
    expect(await read(first._id)).toMatchObject({ state: 'reserved' });
    expect(await goods(sale.id)).toMatchObject({ quantity: 3, held: 2 });
  });

  it('that is put back lets a reserved payment go, and gives a captured one back', async () => {
    const sale = await onSale(2, {}, steel);
    const first = await paid(sale.id);
    await claim(sale.id);
    await open(sale);
    await act(sale.id, 'return');
    expect(await read(first._id)).toMatchObject({ state: 'cancelled', captured: 0 });
    const second = await paid(sale.id);
    await claim(sale.id);
    await open(sale);
    await capture(second._id);
    await act(sale.id, 'return');
    expect(await read(second._id)).toMatchObject({ state: 'refunded', captured: 8_900, refunded: 8_900 });
    expect(await goods(sale.id)).toMatchObject({ quantity: 2, held: 0 });
  });

  it('whose door never opened leaves the money where staff said that it is, to hand out on, capture or cancel', async () => {
    const sale = await onSale(1, {}, steel);
    const { _id } = await paid(sale.id);
    await claim(sale.id);
    const { version } = await read(_id);
    await at(3 * MINUTE, () => lookNow(server.deps, ours.id, sale.id, 'claim-failed'));
    expect(await goods(sale.id)).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 1, held: 0 });
    expect(await read(_id)).toMatchObject({ state: 'reserved', claimed: false, wantsEnd: true, heldUntil: null, version: version + 1 });
    expect(await storyOf(_id)).toEqual(['payment_initiated 8900', 'payment_reserved 8900']);
    // Its customer is let in on it again, and whatever the door does, only a person's word ends it otherwise.
    await claim(sale.id);
    steel.mode = 'jam';
    expect(await refusal(open(sale).finally(() => (steel.mode = 'obey')))).toEqual([409, 'door-refused']);
    expect(await goods(sale.id)).toMatchObject({ stageName: 'ACQUIRABLE', held: 0 });
    expect(await read(_id)).toMatchObject({ state: 'reserved', wantsEnd: true });
    expect(await cancel(_id)).toMatchObject({ state: 'cancelled', wantsEnd: false });
    // Captured meanwhile by staff, who have the money: no clock says that it went back.
    const { _id: theirs } = await paid(sale.id);
    await claim(sale.id);
    await capture(theirs);
    await at(3 * MINUTE, () => lookNow(server.deps, ours.id, sale.id, 'claim-failed'));
    expect(await goods(sale.id)).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 1, held: 0 });
    expect(await read(theirs)).toMatchObject({ state: 'captured', captured: 8_900, refunded: 0, claimed: false });
  });

  it.each([
    ['empty', 'door seen open', 'captured'],
    ['delete', 'door not seen open', 'reserved'],
    ['empty', 'captured by hand', 'captured'],
  ] as const)('cut off by staff (%s, %s) is %s; others’ that nobody paid are cancelled', async (how, what, state) => {
    const sale = await onSale(2, {}, what === 'door seen open' ? steel : wall);
    const { _id } = await paid(sale.id);
    const other = await pay(sale.id);
    await claim(sale.id);
    if (what === 'door seen open') await open(sale);
    if (what === 'captured by hand') await capture(_id);
    if (how === 'empty') await act(sale.id, 'empty');
    else await admin.api('DELETE /occupations/{id}', { params: { id: sale.id }, body: { reason: 'Closing time' } });
    expect(await read(_id)).toMatchObject({ state, refunded: 0, wantsEnd: state === 'reserved' });
    expect(await read(other._id)).toMatchObject({ state: 'cancelled' });
    expect(await goods(sale.id)).toMatchObject({ held: 0 });
  });
});

describe('what nobody may ask', () => {
  const ODD = [0, -1, 0.5, 1e15, '8900'] as const;
  it(`an amount or a number of pieces like ${ODD.map((odd) => JSON.stringify(odd)).join(', ')}`, async () => {
    const { id } = await onSale(1);
    for (const odd of ODD)
      for (const more of [{ amount: odd }, { quantity: odd }]) expect([odd, (await refusal(pay(id, more)))[0]]).toEqual([odd, 400]);
    const { _id } = await paid(id);
    for (const odd of ODD)
      for (const call of ['PUT /payments/refund', 'PUT /payments/capture'] as const)
        expect([odd, (await refusal(seller.api(call, { body: { _id, amount: odd as number } })))[0]]).toEqual([odd, 400]);
    expect(await read(_id)).toMatchObject({ state: 'reserved', captured: 0, refunded: 0 });
  });

  it('the dearest goods there are come to a sum that is exact', async () => {
    const { id } = await onSale(100_000, { price: { amount: 1_000_000_000, currency: 'NOK' } });
    expect(await refusal(pay(id, { quantity: 100_001 }))).toEqual([400, 'malformed']);
    const { _id } = await paid(id, 100_000);
    expect(await capture(_id)).toMatchObject({ captured: 100_000_000_000_000 });
    expect(await refusal(refund(_id, 100_000_000_000_001))).toEqual([400, 'malformed']);
    expect(await refund(_id, 99_999_999_999_999)).toMatchObject({ refunded: 99_999_999_999_999 });
    expect(await refund(_id)).toMatchObject({ refunded: 100_000_000_000_000 });
  });

  it('money back twice: given back during the claim it is not given back once more when the goods are', async () => {
    const sale = await onSale(1, {}, steel);
    const { _id } = await paid(sale.id);
    await claim(sale.id);
    await open(sale);
    await capture(_id);
    await refund(_id, 8_000);
    await act(sale.id, 'return');
    expect(await read(_id)).toMatchObject({ state: 'refunded', captured: 8_900, refunded: 8_900 });
    expect(await storyOf(_id)).toEqual([
      'payment_initiated 8900',
      'payment_reserved 8900',
      'payment_captured 8900',
      'payment_refunded 8000',
      'payment_refunded 900',
    ]);
    expect(await refusal(refund(_id))).toEqual([409, 'payment-transition']);
  });
});

describe('a storage that costs something', () => {
  /** Stored and paid for, and its owner was there once. */
  const visited = async () => {
    const locker = theDoor();
    const body = { type: 'storage' as const, lockerId: locker.id, assetText: 'Skis', price: PRICE };
    const { id } = await admin.api('POST /occupations', { body });
    await admin.api('PUT /occupations', { body: { id, action: 'fill' } });
    const { _id } = await pay(id, { received: true }, admin);
    const letIn = () => admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
    const press = () =>
      admin.api('POST /lockers/{id}/open', { params: { id: locker.id }, body: { doorTag: locker.doorTag, occupationId: id } });
    const stage = async () => (await admin.api('GET /occupations/{id}', { params: { id } })).stageName;
    await letIn();
    await press();
    await steel.close(locker.compartment);
    await expect.poll(stage).toBe('ACQUIRABLE');
    return { id, _id, letIn, press, stage };
  };

  it('keeps its payment where the door jams at a later visit, and is captured where staff end that one', async () => {
    const { id, _id, letIn, press, stage } = await visited();
    const why = async () => (await problemOf(cancel(_id))).detail;
    // Between its visits nobody is at the door, and the payment is the storage's all the same.
    expect(await read(_id, admin)).toMatchObject({ state: 'reserved', claimed: true, wantsEnd: false });
    expect(await why()).toBe('A storage stands on it until it ends');
    // It is paid for, and not once more by mistake.
    expect(await refusal(pay(id, { received: true }, admin))).toEqual([409, 'paid-already']);
    await letIn();
    expect(await why()).toBe('Its customer is being let in');
    steel.mode = 'jam';
    expect(await refusal(press().finally(() => (steel.mode = 'obey')))).toEqual([409, 'door-refused']);
    await expect.poll(stage).toBe('ACQUIRABLE');
    expect(await read(_id, admin)).toMatchObject({ state: 'reserved', wantsEnd: false });
    expect(await admin.api('GET /occupations/{id}', { params: { id } })).toMatchObject({ paymentIds: [_id] });
    // Nor does staff's capture shut its owner out.
    await capture(_id);
    expect(await letIn()).toMatchObject({ stageName: 'CLAIMING' });
    await admin.api('DELETE /occupations/{id}', { params: { id }, body: {} });
    expect(await read(_id, admin)).toMatchObject({ state: 'captured', captured: 8_900 });
  });
});

describe('two at once', () => {
  it('claim and refund, claim and the clock: pieces and money add up whoever is first', async () => {
    const sale = await onSale(1, {}, steel);
    const { _id } = await paid(sale.id);
    const clock = () => endHold({ ...server.deps, now: () => new Date(Date.now() + HOLD_FOR) }, ours.id, _id);
    await Promise.all([claim(sale.id), clock()]);
    expect(await goods(sale.id)).toMatchObject({ stageName: 'CLAIMING', held: 1, quantity: 1 });
    expect(await read(_id)).toMatchObject({ state: 'reserved', claimed: true, wantsEnd: false, heldUntil: null });
    await open(sale);
    await capture(_id);
    await Promise.allSettled([act(sale.id, 'finnish'), refund(_id)]);
    expect(await goods(sale.id)).toMatchObject({ stageName: 'TERMINATED', held: 0 });
    expect(await read(_id)).toMatchObject({ state: 'refunded', captured: 8_900, refunded: 8_900 });
  });

  it('give back no more than was captured', async () => {
    const { _id } = await captured();
    const tries = await Promise.all([refund(_id, 6_000), refund(_id, 6_000)].map((one) => one.then(() => 'done', () => 'refused'))); // prettier-ignore
    expect(tries.toSorted()).toEqual(['done', 'refused']);
    expect(await read(_id)).toMatchObject({ refunded: 6_000, captured: 8_900 });
  });

  it('end it one way alone', async () => {
    const { id } = await onSale(1);
    const { _id } = await paid(id);
    const tries = await Promise.all([cancel(_id), capture(_id)].map((one) => one.then((row) => row.state, () => 'refused'))); // prettier-ignore
    expect(tries).toContain('refused');
    const { state } = await read(_id);
    expect(tries).toContain(state);
    expect(await goods(id)).toMatchObject({ held: state === 'captured' ? 1 : 0, quantity: 1 });
  });

  it('claim and cancel: either the goods are paid for or nobody is let in', async () => {
    const sale = await onSale(1);
    const { _id } = await paid(sale.id);
    const [claimed, cancelled] = await Promise.all([claim(sale.id), cancel(_id)].map((one) => one.then(() => true, () => false))); // prettier-ignore
    expect(claimed).toBe(!cancelled);
    expect(await read(_id)).toMatchObject({ state: cancelled ? 'cancelled' : 'reserved' });
    expect(await goods(sale.id)).toMatchObject({ held: cancelled ? 0 : 1 });
  });

  it('whatever is asked in whatever order, the sums hold and the pieces add up', async () => {
    const { id } = await onSale(4);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pay' as const), quantity: fc.integer({ min: 1, max: 3 }), received: fc.boolean() }),
      fc.record({
        kind: fc.constantFrom('receive' as const, 'cancel' as const, 'capture' as const, 'refund' as const, 'clock' as const),
        at: fc.nat(9),
        amount: fc.option(fc.integer({ min: 1, max: 30_000 }), { nil: undefined }),
      }),
    );
    const made: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
        for (const round of rounds) {
          await Promise.allSettled(
            round.map(async (one) => {
              if (one.kind === 'pay') return made.push((await pay(id, { quantity: one.quantity, received: one.received }))._id);
              const _id = made[made.length - 1 - (one.at % Math.max(1, made.length))] ?? newId();
              if (one.kind === 'receive') return seller.api('PUT /payments/update', { body: { _id, received: true } });
              if (one.kind === 'cancel') return cancel(_id);
              if (one.kind === 'clock') return endHold({ ...server.deps, now: () => new Date(Date.now() + HOLD_FOR) }, ours.id, _id);
              return one.kind === 'capture' ? capture(_id, one.amount) : refund(_id, one.amount);
            }),
          );
          const rows = await query<{
            amount: number;
            captured: number;
            refunded: number;
            state: string;
            quantity: number;
            holds: boolean;
            told: string[];
          }>(
            server.database.ownerUrl,
            `select amount::int, captured::int, refunded::int, state, quantity, held_until is not null as holds,
              (select coalesce(array_agg(e.type || ' by ' || e.actor_kind order by e.id), '{}') from events e where e.payment_id = payments.id) as told
            from payments where occupation_id = $1`,
            [id],
          );
          for (const row of rows) {
            expect(row.refunded).toBeGreaterThanOrEqual(0);
            expect(row.refunded).toBeLessThanOrEqual(row.captured);
            expect(row.captured).toBeLessThanOrEqual(row.amount);
            expect(row.captured > 0).toBe(row.state === 'captured' || row.state === 'refunded');
          }
          expect((await goods(id)).held).toBe(rows.filter((row) => row.holds).reduce((sum, row) => sum + row.quantity, 0));
          for (const row of rows) {
            expect(row.holds && (row.state === 'cancelled' || row.state === 'refunded')).toBe(false);
            // what a person noted, no clock ends
            const told = (word: string): boolean => row.told.includes(word);
            expect(told('payment_reserved by person') && told('payment_cancelled by system')).toBe(false);
          }
        }
      }),
      { numRuns: 6 },
    );
  });
});

describe('the list', () => {
  // shows R7.42
  it('is by state, occupation and words, and newest first', async () => {
    const { id } = await onSale(4);
    const name = `Kunde${unique()}`;
    const [a, b] = [await pay(id, { payer: { name } }), await paid(id)];
    const list = (q: Record<string, unknown>, more: object = {}) => manager.api('GET /payments', { query: { q, ...more } });
    const ids = async (call: Promise<{ _id: string }[]>) => (await call).map((row) => row._id);
    expect(await ids(list({ occupationId: id }))).toEqual([b._id, a._id]);
    expect(await ids(list({ occupationId: id, state: 'reserved' }))).toEqual([b._id]);
    expect(await ids(list({ $text: name.slice(0, 8).toLowerCase() }))).toEqual([a._id]);
    expect(await ids(list({ $text: b.reference.slice(2) }))).toEqual([b._id]);
    expect(await ids(list({ occupationId: id }, { sort: 'createdAt' }))).toEqual([a._id, b._id]);
  });
});

describe('who may', () => {
  it('those who sell and those above them; a manager reads alone', async () => {
    const { _id } = await captured();
    for (const who of [admin, seller, manager]) expect(await read(_id, who)).toMatchObject({ _id });
    expect(await refusal(read(_id, counter))).toEqual([403, 'forbidden']);
    expect(await refusal(counter.api('GET /payments'))).toEqual([403, 'forbidden']);
    expect(await refusal(refund(_id, undefined, manager))).toEqual([403, 'forbidden']);
    expect(await refusal(refund(_id, undefined, counter))).toEqual([403, 'forbidden']);
    expect(await read(_id)).toMatchObject({ refunded: 0 });
  });

  it('somebody with a scope takes money for what they sell, on their own lockers alone', async () => {
    const { id, locker } = await onSale(2);
    const elsewhere = await onSale(1);
    const scoped = await ours.scoped(['sale'], [locker.id]);
    expect(await pay(id, { received: true }, scoped)).toMatchObject({ state: 'reserved' });
    expect(await refusal(pay(elsewhere.id, {}, scoped))).toEqual([422, 'unknown-reference']);
    expect(await refusal(scoped.api('GET /payments'))).toEqual([403, 'forbidden']);
  });

  it('live: readers are sent the row, nobody else hears of it', async () => {
    const listener = await listen(server.url, manager.token);
    const deaf = await listen(server.url, counter.token);
    expect(await listener.ask({ topic: 'subscribe', event: 'payments' })).toBeNull();
    await deaf.ask({ topic: 'subscribe', event: 'payments' });
    const { id } = await onSale(1);
    const made = await pay(id);
    await expect.poll(() => listener.events.at(-1)).toMatchObject({ subscription: 'payments', method: 'POST', data: made });
    await cancel(made._id);
    await expect.poll(() => listener.events.at(-1)).toMatchObject({ method: 'PUT', data: { _id: made._id, state: 'cancelled' } });
    expect(deaf.events).toEqual([]);
    listener.close();
    deaf.close();
  });
});

it('a payment’s payer and details are erased with its occupation’s persons, once nobody has to decide about its money any more', async () => {
  const { id } = await onSale(1);
  const { _id } = await pay(id, { payer: { name: 'Kari Kunde' }, received: true } satisfies Partial<CallInput<'POST /payments'>['body']>);
  await seller.api('PUT /payments/update', { body: { _id, details: { name: 'Kari Kunde' } } });
  await admin.api('DELETE /occupations/{id}', { params: { id }, body: {} });
  const after = (days: number) => systemScope(ours.id, new Date(Date.now() + days * 24 * 3600_000).toISOString());
  await archive(server.deps, after(200), id);
  expect(await read(_id)).toMatchObject({ state: 'reserved', wantsEnd: true, payer: { name: 'Kari Kunde' } });
  await cancel(_id);
  await forgetVisitors(server.deps, after(400), after(310).now);
  expect(await read(_id)).toMatchObject({ payer: { name: null }, details: {}, amount: 8_900 });
});
