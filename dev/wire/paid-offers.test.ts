import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOLD_FOR, MINUTE } from '@hatchway/domain/deadlines.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { endHold } from '@hatchway/server/modules/payments/commands.ts';
import { refusal, testCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { unique } from '@hatchway/server/test-server.ts';
import { payingCompany, type PayingCompany } from './paying-company.ts';

/** Whoever signs in at a cabinet pays for what is offered there in nobody's name, by the sandbox's provider over HTTP, and takes it. */
let paying: PayingCompany;
let vipps: PayingCompany['vipps'];
let server: PayingCompany['server'];
let company: PayingCompany['company'];
let admin: TestPerson;
let crew: TestPerson;
let mate: TestPerson;
let outsider: TestPerson;
let wall: PayingCompany['wall'];
let number: string;
let groupId: string;
const join = ({ accountId }: TestPerson) =>
  admin.api('POST /groups/{id}/members/{userId}', { params: { id: groupId, userId: accountId }, body: {} });
const expel = ({ accountId }: TestPerson) =>
  admin.api('DELETE /groups/{id}/members/{userId}', { params: { id: groupId, userId: accountId } });
beforeAll(async () => {
  paying = await payingCompany({ doors: 12 });
  ({ vipps, server, company, admin, wall } = paying);
  crew = await company.person([], 'Cara Crew');
  mate = await company.person([], 'Mats Mate');
  outsider = await company.person([], 'Otto Outside');
  number = String(wall.number);
  groupId = (await admin.api('POST /groups', { body: { name: 'Crew' } })).id;
  for (const person of [crew, mate]) await join(person);
  await admin.api('POST /policies', {
    body: { name: 'Crew', ref: unique(), services: ['lending', 'consumable'], groupIds: [groupId], loanHours: 4 },
  });
});
afterAll(() => paying?.end());

const KINDS = ['lending', 'consumable'] as const;
type Kind = (typeof KINDS)[number];
const SUM = 9_900;
const PRICE = { amount: SUM, currency: 'NOK' };
const act = (id: string, action: 'fill' | 'publish') => admin.api('PUT /occupations', { body: { id, action } });
const offered = async (type: Kind = 'lending', quantity = 3) => {
  const locker = await wall.free();
  const stock = type === 'consumable' ? { quantity } : {};
  const { id } = await admin.api('POST /occupations', { body: { type, lockerId: locker.id, assetText: 'Drill', price: PRICE, ...stock } });
  await act(id, 'fill');
  await act(id, 'publish');
  return { id, locker };
};
type Thing = Awaited<ReturnType<typeof offered>>;
const list = ({ api }: TestPerson) => api('GET /pickup/cabinets/{number}/offers', { params: { number } });
const seen = async (person: TestPerson, { id }: Thing) => (await list(person)).offers.find(({ occupationId }) => occupationId === id);
const pay = ({ api }: TestPerson, { id }: Thing, more: object = {}) => api('POST /pickup/take/pay', { body: { id, ...PRICE, ...more } });
const read = ({ id }: Thing) => admin.api('GET /occupations/{id}', { params: { id } });

const anyone = () => server.as(null);
const look = (purchase: string) => anyone()('POST /pickup/look', { body: { key: { purchase } } });
const open = (purchase: string, { locker: { doorTag } }: Thing) => anyone()('POST /pickup/open', { body: { key: { purchase }, doorTag } });
const done = async (purchase: string) => {
  const said = () =>
    anyone()('POST /pickup/done', { body: { key: { purchase } } }).then(
      (pickup) => pickup,
      () => null,
    );
  let answer = await said();
  await expect.poll(async () => (answer ??= await said()), { timeout: 20_000 }).not.toBeNull();
  return answer;
};
const newest = ({ id }: Thing) => paying.newest(id);
const theirs = (id: string) => paying.theirs(id);
const settle = (id: string) => paying.settle(id);
const decide = async (id: string, what: 'approve' | 'refuse' | 'expire') => {
  vipps.ledger.act(await theirs(id), what);
  // An answer that was on its way may have been asked for before.
  const heard = async () => {
    await settle(id);
    return (await admin.api('GET /payments/{id}', { params: { id } })).state;
  };
  await expect.poll(heard, { timeout: 20_000 }).not.toBe('initiated');
};
const paid = async (person: TestPerson, thing: Thing, more: object = {}) => {
  const { purchase } = await pay(person, thing, more);
  const { _id } = await newest(thing);
  await decide(_id, 'approve');
  return { purchase, payment: _id };
};
const tenMinutesLater = async (payment: string) => {
  await endHold({ ...server.deps, now: () => new Date(Date.now() + HOLD_FOR + MINUTE) }, company.id, payment);
  await settle(payment);
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
const settled = async (payment: string, as: object) => {
  await expect.poll(() => both(payment), { timeout: 20_000 }).toEqual(as);
};

it('says in words where nobody can pay, before a provider is connected', async () => {
  const drill = await offered();
  expect(await seen(crew, drill)).toMatchObject({ price: PRICE, mine: null, hold: 'not-payable' });
  expect(await refusal(pay(crew, drill))).toEqual([409, 'not-connected']);
  expect((await anyone()('GET /pickup/cabinets/{number}', { params: { number } })).offers).toEqual(['lending']);
  await paying.connect();
  expect(await seen(crew, drill)).toMatchObject({ price: PRICE, hold: null });
});

describe('a loan that costs', () => {
  it('is paid by who signed in, opened, theirs in their own name, and brought back by the key that they paid under', async () => {
    const drill = await offered();
    const { purchase, pickup } = await pay(crew, drill);
    expect(pickup).toMatchObject({
      hold: 'payment-needed',
      purpose: 'borrow',
      payment: { state: 'initiated', amount: SUM },
      purchase: { shop: null },
    });
    const { _id, payer } = await newest(drill);
    expect(payer).toMatchObject({ name: 'Cara Crew', email: crew.email });
    const [row] = await query<{ account: string }>(
      server.database.ownerUrl,
      `select payer->>'accountId' as account from payments where id = $1`,
      [_id],
    );
    expect(row?.account).toBe(crew.accountId);
    expect((await theirs(_id)).order).toMatchObject({ userFlow: 'WEB_REDIRECT', returnUrl: `${server.url}/c/${number}/${purchase}` });
    // Who lost the page finds it at the cabinet; pressed again it is the same payment.
    expect(await seen(crew, drill)).toMatchObject({ mine: 'paying' });
    expect((await pay(crew, drill)).purchase).toBe(purchase);
    expect(await refusal(open(purchase, drill))).toEqual([402, 'payment-needed']);

    await decide(_id, 'approve');
    expect(await look(purchase)).toMatchObject({ hold: null, payment: { state: 'reserved' } });
    expect(await seen(mate, drill)).toMatchObject({ mine: null, hold: 'being-paid' });
    expect((await open(purchase, drill)).outcome).toBe('opened');
    expect(await read(drill)).toMatchObject({ stageName: 'CLAIMING', receiver: { name: 'Cara Crew' }, claimedBy: { id: crew.accountId } });
    expect(await both(_id)).toEqual(RESERVED);
    await wall.close(drill.locker.compartment);
    expect(await done(purchase)).toMatchObject({ stageName: 'VACANT', purpose: 'bring-back', ended: null });
    await settled(_id, CAPTURED);
    expect(await seen(crew, drill)).toMatchObject({ mine: 'borrowed', price: null });
    const loans = await query(server.database.ownerUrl, 'select borrower_name, borrower_email from loans where occupation_id = $1', [
      drill.id,
    ]);
    expect(loans).toEqual([{ borrower_name: 'Cara Crew', borrower_email: crew.email }]);

    expect((await open(purchase, drill)).outcome).toBe('opened');
    await wall.close(drill.locker.compartment);
    expect(await done(purchase)).toMatchObject({ ended: { how: 'put-back' } });
    expect(await refusal(look(purchase))).toEqual([410, 'gone']);
    // The next one pays anew.
    expect(await seen(mate, drill)).toMatchObject({ price: PRICE, hold: null });
  });

  it('of another one is nothing that an older key opens, brings back or tells of', async () => {
    const drill = await offered();
    const { purchase: begun } = await pay(mate, drill);
    const { purchase, payment } = await paid(crew, drill);
    await open(purchase, drill);
    await wall.close(drill.locker.compartment);
    await done(purchase);
    await settled(payment, CAPTURED);
    expect(await look(begun)).toMatchObject({ hold: 'in-use', until: null, purpose: 'borrow' });
    expect((await look(begun))?.may).not.toContain('open');
    expect(await refusal(open(begun, drill))).toEqual([409, 'in-use']);
    for (const way of ['done', 'put-back'] as const)
      expect(await refusal(anyone()(`POST /pickup/${way}`, { body: { key: { purchase: begun } } }))).toEqual([409, 'in-use']);
    expect(await read(drill)).toMatchObject({ stageName: 'VACANT', receiver: { name: 'Cara Crew' } });
    expect(await refusal(pay(mate, drill, {}).then(() => open(begun, drill)))).toEqual([409, 'in-use']);
  });
});

describe('what is used up and costs', () => {
  it('is paid by the piece, and charged once it was taken', async () => {
    const gloves = await offered('consumable');
    expect(await seen(crew, gloves)).toMatchObject({ price: PRICE, most: 3 });
    const { purchase, payment } = await paid(crew, gloves, { quantity: 2, amount: 2 * SUM });
    expect(await read(gloves)).toMatchObject({ held: 2 });
    expect(await seen(mate, gloves)).toMatchObject({ hold: null, most: null });
    expect((await open(purchase, gloves)).outcome).toBe('opened');
    expect(await refusal(pay(mate, gloves))).toEqual([409, 'in-use']);
    await wall.close(gloves.locker.compartment);
    expect(await done(purchase)).toMatchObject({ ended: { how: 'taken' } });
    await settled(payment, { ...CAPTURED, captured: 2 * SUM, theirs: 2 * SUM });
    expect(await read(gloves)).toMatchObject({ stageName: 'ACQUIRABLE', quantity: 1, held: 0, receiver: null });
    // A receipt goes to the account's address, and nobody is sent a second way to the door that they stand at.
    const told = await query<{ kind: string }>(server.database.ownerUrl, 'select kind from messages where cause like $1', [`%:${payment}`]);
    expect(told).toEqual([{ kind: 'receipt' }]);
  });

  it('goes to who paid first, however many have begun; the other is given back and reads why', async () => {
    const last = await offered('consumable', 1);
    const { purchase: late } = await pay(crew, last);
    const first = await newest(last);
    expect(await seen(mate, last)).toMatchObject({ hold: null });
    const { purchase } = await paid(mate, last);
    await decide(first._id, 'approve');
    await settled(first._id, CANCELLED);
    expect(await look(late)).toMatchObject({ ended: { how: 'cancelled' }, payment: { state: 'cancelled', tooLate: true } });
    expect(await seen(crew, last)).toMatchObject({ hold: 'being-paid' });
    expect(await refusal(pay(crew, last))).toEqual([409, 'sold-out']);
    expect((await open(purchase, last)).outcome).toBe('opened');
  });

  it('that was approved late is had all the same where it is there still', async () => {
    const gloves = await offered('consumable', 1);
    const { purchase } = await pay(crew, gloves);
    const { _id } = await newest(gloves);
    await settle(_id);
    await decide(_id, 'approve');
    expect(await look(purchase)).toMatchObject({ hold: null });
  });
});

describe('what is paid for', () => {
  it.each(KINDS)('a paid %s is given back where its door stays shut, and is offered again once staff have opened it', async (type) => {
    const thing = await offered(type);
    const { purchase, payment } = await paid(crew, thing);
    wall.mode = 'jam';
    expect((await open(purchase, thing).finally(() => (wall.mode = 'obey'))).outcome).toBe('jammed');
    await settled(payment, CANCELLED);
    expect(await look(purchase)).toMatchObject({ ended: { how: 'cancelled' }, payment: { stayedShut: true } });
    expect(await read(thing)).toMatchObject({ stageName: 'ACQUIRABLE', receiver: null, held: 0 });
    expect(await seen(mate, thing)).toMatchObject({ hold: 'door-failed' });
    expect(await refusal(pay(mate, thing))).toEqual([409, 'locker-in-doubt']);
  });

  it('is given back where nobody came to the door in ten minutes', async () => {
    const thing = await offered('consumable');
    const { purchase, payment } = await paid(crew, thing);
    await tenMinutesLater(payment);
    await settled(payment, CANCELLED);
    expect(await look(purchase)).toMatchObject({ ended: { how: 'cancelled' }, payment: { approved: true, stayedShut: false } });
    expect(await read(thing)).toMatchObject({ held: 0 });
    expect(await seen(mate, thing)).toMatchObject({ hold: null });
  });

  it('costs nothing who refuses, lets the time run out, or goes away; and each begins anew', async () => {
    const thing = await offered();
    for (const what of ['refuse', 'expire'] as const) {
      const { purchase } = await pay(crew, thing);
      const { _id } = await newest(thing);
      await decide(_id, what);
      await settled(_id, CANCELLED);
      expect(await look(purchase)).toMatchObject({ ended: { how: 'cancelled' }, payment: { approved: false } });
      expect(await seen(crew, thing)).toMatchObject({ mine: null, hold: null });
    }
    const { purchase } = await pay(crew, thing);
    await anyone()('POST /pickup/give-up', { body: { key: { purchase } } });
    const { _id } = await newest(thing);
    await settle(_id);
    await expect.poll(() => both(_id), { timeout: 20_000 }).toMatchObject({ state: 'cancelled', captured: 0, theirs: 0 });
    expect((await pay(crew, thing)).purchase).not.toBe(purchase);
  });

  it('opens for nobody whose right was withdrawn since they paid; their money goes back', async () => {
    const thing = await offered();
    const { purchase, payment } = await paid(crew, thing);
    await expel(crew);
    expect(await look(purchase)).toMatchObject({ hold: 'not-in-group' });
    expect(await refusal(open(purchase, thing))).toEqual([403, 'not-in-group']);
    expect(await refusal(pay(crew, await offered()))).toEqual([403, 'not-in-group']);
    await join(crew);
    expect(await look(purchase)).toMatchObject({ hold: null });
    const leaver = await company.person([], 'Lea Leaver');
    await join(leaver);
    const other = await offered();
    const theirsOnly = await paid(leaver, other);
    await query(server.database.ownerUrl, 'delete from memberships where tenant_id = $1 and account_id = $2', [
      company.id,
      leaver.accountId,
    ]);
    expect(await refusal(open(theirsOnly.purchase, other))).toEqual([403, 'not-in-group']);
    await tenMinutesLater(theirsOnly.payment);
    await settled(theirsOnly.payment, CANCELLED);
    await tenMinutesLater(payment);
  });

  it('is nobody else’s to pay for or to know of', async () => {
    const thing = await offered();
    const buyer = await company.person([], 'Bea Buyer');
    await join(buyer);
    const stranger = await (await testCompany(server)).person(['admin']);
    expect(await refusal(pay(stranger, thing))).toEqual([404, 'not-found']);
    expect(await refusal(pay(outsider, thing))).toEqual([403, 'not-in-group']);
    expect(await seen(outsider, thing)).toBeUndefined();
    expect(await refusal(buyer.api('POST /pickup/take', { body: { id: thing.id } }))).toEqual([402, 'payment-needed']);
    expect(await refusal(pay(buyer, thing, { amount: 1 }))).toEqual([409, 'stale']);
    expect(await refusal(pay(buyer, thing, { tlf: '12' }))).toEqual([422, 'rule']);
    const nine = { quantity: 9, amount: 9 * SUM };
    expect(await refusal(pay(buyer, thing, nine))).toEqual([422, 'quantity']);
    expect(await refusal(pay(buyer, await offered('consumable'), nine))).toEqual([409, 'sold-out']);
    // Who has no number is told of at the one that they typed, which gives them no right.
    expect((await list(mate)).tlf).toBeNull();
    // Each account pays for itself, under a key of its own.
    const [one, two] = [await pay(buyer, thing), await pay(mate, thing, { tlf: '91234567' })];
    expect(two.purchase).not.toBe(one.purchase);
    expect(await seen(mate, thing)).toMatchObject({ mine: 'paying' });
    expect((await newest(thing)).payer).toMatchObject({ name: 'Mats Mate', tlf: '+4791234567' });
    expect(await refusal(pay(outsider, thing, { tlf: '91234567' }))).toEqual([403, 'not-in-group']);
  });
});
