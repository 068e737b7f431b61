import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOLD_FOR, MINUTE } from '@hatchway/domain/deadlines.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { bodyOf } from '@hatchway/server/modules/messages/texts.ts';
import { toldOf } from '@hatchway/server/modules/messages/told.ts';
import { endHold } from '@hatchway/server/modules/payments/commands.ts';
import { refusal, type TestPerson } from '@hatchway/server/test-company.ts';
import { payingCompany, type PayingCompany } from './paying-company.ts';

/** Whoever something waits for pays it on the end-user site, by the sandbox's provider over HTTP. */
let paying: PayingCompany;
let vipps: PayingCompany['vipps'];
let server: PayingCompany['server'];
let company: PayingCompany['company'];
let admin: TestPerson;
let wall: PayingCompany['wall'];
beforeAll(async () => {
  paying = await payingCompany({ doors: 9 });
  ({ vipps, server, company, admin, wall } = paying);
  await paying.connect();
});
afterAll(() => paying?.end());

const KINDS = ['delivery', 'lending', 'consumable', 'storage'] as const;
type Kind = (typeof KINDS)[number];
const SUM = 9_900;

/** Something that costs, which waits for its receiver; and the key of their link. */
const waiting = async (type: Kind = 'delivery') => {
  const locker = await wall.free();
  const receiver = { name: 'Kari Kunde', tlf: '+4791234567' };
  const stock = type === 'consumable' ? { quantity: 3 } : {};
  const price = { amount: SUM, currency: 'NOK' };
  const { id } = await admin.api('POST /occupations', {
    body: { type, lockerId: locker.id, assetText: 'Parcel', receiver, price, ...stock },
  });
  const offer = type === 'consumable' ? 'publish' : 'send';
  for (const action of ['fill', offer] as const) await admin.api('PUT /occupations', { body: { id, action } });
  const [row] = await query<{ token_sealed: Buffer }>(server.database.ownerUrl, 'select token_sealed from occupations where id = $1', [id]);
  const token = server.deps.seal.open(row?.token_sealed ?? Buffer.alloc(0)) ?? '';
  return { id, locker, key: { token } };
};
type Waiting = Awaited<ReturnType<typeof waiting>>;

const anyone = () => server.as(null);
const look = ({ key }: Pick<Waiting, 'key'>) => anyone()('POST /pickup/look', { body: { key } });
const pay = ({ key }: Pick<Waiting, 'key'>) => anyone()('POST /pickup/pay', { body: { key } });
const open = ({ key, locker }: Waiting) => anyone()('POST /pickup/open', { body: { key, doorTag: locker.doorTag } });
const jammed = (one: Waiting) => {
  wall.mode = 'jam';
  return open(one).finally(() => (wall.mode = 'obey'));
};
/** Says that all is out, as soon as the door was heard to close. */
const done = async ({ key }: Waiting) => {
  await expect
    .poll(
      () =>
        anyone()('POST /pickup/done', { body: { key } }).then(
          () => 'done',
          () => 'not yet',
        ),
      { timeout: 20_000 },
    )
    .toBe('done');
};
const newest = (occupationId: string) => paying.newest(occupationId);
const theirs = (id: string) => paying.theirs(id);
const settle = (id: string) => paying.settle(id);
const paid = async (one: Waiting) => {
  await pay(one);
  const { _id } = await newest(one.id);
  vipps.ledger.act(await theirs(_id), 'approve');
  await settle(_id);
  return _id;
};
/** Both ledgers, of one payment. */
const both = async (id: string) => {
  const { state, captured } = await admin.api('GET /payments/{id}', { params: { id } });
  const their = await theirs(id);
  return { state, captured, theirs: their.captured, left: their.authorized - their.captured - their.cancelled };
};
const RESERVED = { state: 'reserved', captured: 0, theirs: 0, left: SUM };
const CAPTURED = { state: 'captured', captured: SUM, theirs: SUM, left: 0 };
const CANCELLED = { state: 'cancelled', captured: 0, theirs: 0, left: 0 };

const opened = async (one: Waiting) => {
  expect((await open(one)).outcome).toBe('opened');
  await wall.close(one.locker.compartment);
  await expect.poll(async () => (await look(one))?.door.state, { timeout: 20_000 }).toBe('closed');
};

describe('what is paid where its door is opened', () => {
  it.each(KINDS)(
    'a priced %s is given back where its door stays shut, paid anew, and captured once it was seen to open and close',
    async (type) => {
      const one = await waiting(type);
      expect(await look(one)).toMatchObject({
        hold: 'payment-needed',
        price: { amount: SUM },
        may: expect.arrayContaining(['pay']) as unknown,
      });
      expect(await refusal(open(one))).toEqual([402, 'payment-needed']);
      const first = await paid(one);
      expect(await look(one)).toMatchObject({ hold: null, payment: { state: 'reserved' } });
      expect((await jammed(one)).outcome).toBe('jammed');
      await expect.poll(() => both(first), { timeout: 20_000 }).toEqual(CANCELLED);
      // Read before it is asked for anew.
      expect(await look(one)).toMatchObject({ hold: 'payment-needed', payment: { state: 'cancelled', approved: true, stayedShut: true } });
      expect(await pay(one)).toMatchObject({ payment: { state: 'initiated', stayedShut: false } });
      const anew = await paid(one);
      expect((await look(one))?.may).not.toContain('pay');
      // Whoever stores something comes and goes, and is charged as they give the locker back.
      for (let visit = type === 'storage' ? 0 : 1; visit < 2; visit++) {
        await opened(one);
        expect(await both(anew)).toEqual(RESERVED);
      }
      await done(one);
      await expect.poll(() => both(anew), { timeout: 20_000 }).toEqual(CAPTURED);
      expect(await both(first)).toEqual(CANCELLED);
      expect(await admin.api('GET /payments', { query: { q: { occupationId: one.id } } })).toHaveLength(2);
    },
  );

  it('costs nothing whose payer refuses, lets the time run out, or does not come to the door in ten minutes; each begins again', async () => {
    const one = await waiting();
    for (const what of ['refuse', 'expire'] as const) {
      await pay(one);
      const { _id } = await newest(one.id);
      vipps.ledger.act(await theirs(_id), what);
      await settle(_id);
      expect(await both(_id)).toEqual(CANCELLED);
      expect(await look(one)).toMatchObject({
        hold: 'payment-needed',
        payment: { state: 'cancelled', approved: false, approveUrl: null },
        may: expect.arrayContaining(['pay']) as unknown,
      });
    }
    const payment = await paid(one);
    await endHold({ ...server.deps, now: () => new Date(Date.now() + HOLD_FOR + MINUTE) }, company.id, payment);
    await settle(payment);
    expect(await both(payment)).toEqual(CANCELLED);
    expect(await look(one)).toMatchObject({ hold: 'payment-needed', payment: { state: 'cancelled', approved: true, stayedShut: false } });
    expect(await admin.api('GET /occupations/{id}', { params: { id: one.id } })).toMatchObject({ held: 0 });
    expect((await pay(one)).payment).toMatchObject({ state: 'initiated' });
  });
});

describe('an end user', () => {
  it('is told what is due before they walk there, and is led back from where they approve it', async () => {
    const one = await waiting();
    const ready = () =>
      server.deps.db.tenant(company.id, async (tx) => {
        const told = await toldOf(tx, server.deps, company.id, { occupationId: one.id, kind: 'ready', name: 'Kari', locale: 'en' });
        return bodyOf('sms', 'ready', told, 'en').text;
      });
    expect(await ready()).toContain('To pay NOK 99.00.');
    const begun = await pay(one);
    expect(begun).toMatchObject({ hold: 'payment-needed', payment: { state: 'initiated', amount: SUM, away: false } });
    expect(begun.payment?.approveUrl).toContain('http://127.0.0.1/pay?token=');
    // Pressed again, on another tab perhaps, it is the same payment.
    expect((await pay(one)).payment?.approveUrl).toBe(begun.payment?.approveUrl);
    const { _id } = await newest(one.id);
    expect((await theirs(_id)).order).toMatchObject({ userFlow: 'WEB_REDIRECT', returnUrl: `${server.url}/p/${one.key.token}` });
    await paid(one);
    expect(await ready()).not.toContain('To pay');
  });

  it('of a stock knows nothing of what staff ask another customer to pay, and is let in on nobody’s money but their own', async () => {
    const one = await waiting('consumable');
    const body = { occupationId: one.id, quantity: 2, provider: 'vipps' as const, payer: { name: 'Per', tlf: '+4798765432' } };
    const { _id: asked } = await admin.api('POST /payments', { body });
    expect(await look(one)).toMatchObject({ hold: 'payment-needed', payment: null });
    await settle(asked);
    vipps.ledger.act(await theirs(asked), 'approve');
    await settle(asked);
    expect(await refusal(open(one))).toEqual([402, 'payment-needed']);
    const own = await paid(one);
    expect(own).not.toBe(asked);
    await opened(one);
    await done(one);
    await expect.poll(() => both(own), { timeout: 20_000 }).toEqual(CAPTURED);
    expect(await both(asked)).toMatchObject({ state: 'reserved', theirs: 0 });
    expect(await admin.api('GET /occupations/{id}', { params: { id: one.id } })).toMatchObject({ quantity: 2, held: 2 });
    // The next piece is paid for anew.
    expect(await look(one)).toMatchObject({ hold: 'payment-needed', may: expect.arrayContaining(['pay']) as unknown });
  });

  it('of a stock who approves on their own phone what staff asked them for is let in on it, and asked for nothing more', async () => {
    const one = await waiting('consumable');
    const body = { occupationId: one.id, provider: 'vipps' as const, payer: { name: 'Kari', tlf: '912 34 567' } };
    const { _id: asked } = await admin.api('POST /payments', { body });
    await settle(asked);
    const waits = await look(one);
    expect(waits).toMatchObject({ hold: 'payment-needed', payment: { state: 'initiated' } });
    expect(waits?.may).not.toContain('pay');
    vipps.ledger.act(await theirs(asked), 'approve');
    await settle(asked);
    expect(await look(one)).toMatchObject({ hold: null, payment: { state: 'reserved' } });
    await opened(one);
    await done(one);
    await expect.poll(() => both(asked), { timeout: 20_000 }).toEqual(CAPTURED);
    expect(await admin.api('GET /payments', { query: { q: { occupationId: one.id } } })).toHaveLength(1);
  });

  it('who has paid for a piece of a stock is let in on it, though staff ask them for another one meanwhile', async () => {
    const one = await waiting('consumable');
    const own = await paid(one);
    const body = { occupationId: one.id, provider: 'vipps' as const, payer: { tlf: '+4791234567' } };
    const { _id: asked } = await admin.api('POST /payments', { body });
    await settle(asked);
    expect(await look(one)).toMatchObject({ hold: null, payment: { state: 'reserved' } });
    expect((await open(one)).outcome).toBe('opened');
    expect(await admin.api('GET /payments/{id}', { params: { id: own } })).toMatchObject({ claimed: true });
  });
});
