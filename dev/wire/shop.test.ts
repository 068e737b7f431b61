import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '@hatchway/contract/client.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { endHold } from '@hatchway/server/modules/payments/commands.ts';
import { refusal, testCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { unique, UNANSWERED } from '@hatchway/server/test-server.ts';
import { payingCompany, type PayingCompany } from './paying-company.ts';

/** A shop that strangers buy in, with the sandbox's provider behind it. */
let paying: PayingCompany;
let vipps: PayingCompany['vipps'];
let server: PayingCompany['server'];
let company: PayingCompany['company'];
let admin: TestPerson;
let wall: PayingCompany['wall'];
const SHOP = `shop-${unique()}`;
beforeAll(async () => {
  paying = await payingCompany({ doors: 16 });
  ({ vipps, server, company, admin, wall } = paying);
  await admin.api('PUT /storefront', { body: { name: SHOP, open: true } });
});
afterAll(() => paying?.end());

const anyone = () => server.as(null);
const visit = (name = SHOP) => anyone()('GET /shop/{name}', { params: { name }, query: {} });
const goodsOf = async () => (await visit())?.goods ?? [];
const PRICE = { amount: 4_900, currency: 'NOK' };
const goods = async (quantity = 2, more: object = {}) => {
  const locker = await wall.free();
  const body = { type: 'sale' as const, lockerId: locker.id, assetText: `Bit ${unique()}`, price: PRICE, quantity, ...more };
  const { id } = await admin.api('POST /occupations', { body });
  for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
  return { id, locker };
};
const buy = (id: string, more: object = {}, name = SHOP) =>
  anyone()('POST /shop/{name}/goods/{id}/buy', {
    params: { name, id },
    body: { amount: PRICE.amount, currency: PRICE.currency, email: 'kari@example.test', ...more },
  });
const paymentOf = async (occupationId: string) =>
  (await admin.api('GET /payments', { query: { q: { occupationId }, sort: '-createdAt' } }))[0]?._id ?? '';
const theirs = (id: string) => paying.theirs(id);
const settle = (id: string) => paying.settle(id);
const approve = async (id: string) => {
  vipps.ledger.act(await theirs(id), 'approve');
  await settle(id);
};
const look = (purchase: string) => anyone()('POST /pickup/look', { body: { key: { purchase } } });
const open = (purchase: string, { doorTag }: { doorTag: string }) =>
  anyone()('POST /pickup/open', { body: { key: { purchase }, doorTag } });
/** Shuts the door, and says that all is out as soon as that was heard. */
const taken = async (purchase: string, { compartment }: { compartment: number }) => {
  await wall.close(compartment);
  const said = () =>
    anyone()('POST /pickup/done', { body: { key: { purchase } } }).then(
      ({ ended }) => ended?.how,
      () => null,
    );
  await expect.poll(said, { timeout: 20_000 }).toBe('taken');
};
const stateOf = async (id: string) => (await admin.api('GET /payments/{id}', { params: { id } })).state;

describe('a shop', () => {
  it('says that nobody can pay there before a provider is connected, and is found by nobody before it has a name', async () => {
    expect(await visit()).toMatchObject({ state: 'not-payable' });
    expect(await refusal(visit('nobodys-shop'))).toEqual([404, 'not-found']);
    const { id } = await goods();
    expect(await refusal(buy(id))).toEqual([409, 'not-connected']);
    await paying.connect();
    expect(await visit()).toMatchObject({ state: 'open', company: { hasLogo: false } });
  });

  it('shows what is for sale, where it lies and how many are left, and nothing else', async () => {
    const { id, locker } = await goods(3);
    const hidden = await wall.free();
    const unpublished = await admin.api('POST /occupations', {
      body: { type: 'sale', lockerId: hidden.id, assetText: 'Secret', price: PRICE, quantity: 1 },
    });
    const seen = await visit();
    expect(seen?.goods.find((one) => one.id === id)).toMatchObject({ left: 3, hold: null, price: PRICE, doorTag: locker.doorTag });
    expect(seen?.goods.some((one) => one.id === unpublished.id)).toBe(false);
    expect(seen?.cabinets[0]?.number).toBe(String(wall.number));
    expect(await anyone()('GET /shop/{name}', { params: { name: SHOP }, query: { rev: seen?.rev ?? '' } })).toBeUndefined();
  });

  it('sells to a stranger: paid, opened, taken, and charged because the door was seen to open and close; to nobody who has not paid', async () => {
    const { id, locker } = await goods(2);
    const { purchase, pickup } = await buy(id);
    expect(pickup).toMatchObject({ hold: 'payment-needed', payment: { state: 'initiated', amount: 4_900 } });
    expect(pickup.payment?.approveUrl).toContain('/pay?token=');
    // Nothing is set aside for who has not paid.
    expect((await goodsOf()).find((one) => one.id === id)).toMatchObject({ left: 2, buyers: 1 });
    expect(await refusal(open(purchase, locker))).toEqual([402, 'payment-needed']);
    const payment = await paymentOf(id);
    expect((await theirs(payment)).order).toMatchObject({ returnUrl: `${server.url}/b/${purchase}` });
    await approve(payment);
    expect(await look(purchase)).toMatchObject({ hold: null, payment: { state: 'reserved' }, quantity: 1 });
    expect((await goodsOf()).find((one) => one.id === id)).toMatchObject({ left: 1 });
    expect((await open(purchase, locker)).outcome).toBe('opened');
    // The door stands open for one customer: of another's purchase that says nothing.
    const beside = await buy(id);
    expect(beside.pickup).toMatchObject({ hold: 'payment-needed', lastOpen: null, door: { state: 'unknown' } });
    const late = await paymentOf(id);
    await approve(late);
    expect(await look(beside.purchase)).toMatchObject({ hold: 'in-use', lastOpen: null });
    await admin.api('PUT /payments/cancel', { body: { _id: late } });
    await settle(late);
    expect(await look(beside.purchase)).toMatchObject({ ended: { how: 'cancelled' }, payment: { state: 'cancelled', approved: true } });
    await taken(purchase, locker);
    await expect.poll(() => stateOf(payment), { timeout: 20_000 }).toBe('captured');
    expect(await theirs(payment)).toMatchObject({ captured: 4_900 });
    expect((await goodsOf()).find((one) => one.id === id)).toMatchObject({ left: 1 });
    // The next one buys the last piece behind the same door, and it opens for nobody who has paid nothing, not even when all is taken.
    const stranger = await buy(id);
    const next = await buy(id);
    await approve(await paymentOf(id));
    expect((await open(next.purchase, locker)).outcome).toBe('opened');
    await taken(next.purchase, locker);
    expect((await look(next.purchase))?.may).toContain('open');
    const seen = await look(stranger.purchase);
    expect([seen?.may.includes('open'), seen?.openAgainUntil]).toEqual([false, null]);
    expect((await refusal(open(stranger.purchase, locker)))[0]).toBeGreaterThanOrEqual(400);
    const report = anyone()('POST /pickup/report', { body: { key: { purchase: stranger.purchase }, kind: 'left-behind' } });
    expect((await refusal(report))[1]).toBe('payment-needed');
    expect((await look(purchase))?.ended).toMatchObject({ how: 'taken' });
    const sales = await admin.api('GET /storefront/sales');
    expect(sales.today).toEqual([{ count: expect.any(Number) as number, amount: expect.any(Number) as number, currency: 'NOK' }]);
  });

  it('gives the last piece to who paid first, and takes nothing from the other', async () => {
    const { id } = await goods(1);
    const first = await buy(id);
    const one = await paymentOf(id);
    const second = await buy(id);
    const two = await paymentOf(id);
    await approve(two);
    await approve(one);
    await expect.poll(() => stateOf(one), { timeout: 20_000 }).toBe('cancelled');
    expect(await theirs(one)).toMatchObject({ captured: 0, cancelled: 4_900 });
    expect(await look(second.purchase)).toMatchObject({ hold: null });
    expect(await look(first.purchase)).toMatchObject({ ended: { how: 'cancelled' }, payment: { approved: true, tooLate: true } });
    expect((await goodsOf()).find((good) => good.id === id)).toMatchObject({ hold: 'being-bought' });
  });

  it('keeps the money of a buyer whose door did not answer, who tries again; unfetched, it comes to a person', async () => {
    const { id, locker } = await goods(2);
    const { purchase } = await buy(id);
    const payment = await paymentOf(id);
    await approve(payment);
    wall.mode = 'silent';
    expect((await server.paced(UNANSWERED, () => open(purchase, locker))).outcome).toBe('no-answer');
    wall.mode = 'obey';
    const again = () => admin.api('GET /payments/{id}', { params: { id: payment } });
    expect(await again()).toMatchObject({ state: 'reserved', pending: [], wantsEnd: false });
    expect(await look(purchase)).toMatchObject({ hold: null, ended: null });
    // Nobody else buys what may be gone.
    expect((await goodsOf()).some((one) => one.id === id)).toBe(false);
    await query(server.database.ownerUrl, `update payments set held_until = now() - interval '1 minute' where id = $1`, [payment]);
    await endHold(server.deps, company.id, payment);
    // The door may have opened: to give the money back would say that it did not.
    expect(await again()).toMatchObject({ state: 'reserved', wantsEnd: true, lastError: 'door-unknown' });
    expect((await theirs(payment)).cancelled).toBe(0);
  });

  it('takes nothing for a door that jams, says so, and sells no more of what lies behind it before staff have opened it', async () => {
    const { id, locker } = await goods(2);
    const { purchase } = await buy(id);
    const payment = await paymentOf(id);
    await approve(payment);
    wall.mode = 'jam';
    const opened = await open(purchase, locker);
    wall.mode = 'obey';
    expect(opened).toMatchObject({
      outcome: 'jammed',
      pickup: { ended: { how: 'cancelled' }, payment: { state: 'cancelled', approved: true, stayedShut: true } },
    });
    await expect.poll(() => stateOf(payment), { timeout: 20_000 }).toBe('cancelled');
    expect(await theirs(payment)).toMatchObject({ captured: 0 });
    expect((await goodsOf()).some((one) => one.id === id)).toBe(false);
    expect(await refusal(buy(id))).toEqual([409, 'locker-in-doubt']);
    const body = { doorTag: locker.doorTag, occupationId: id };
    await admin.api('POST /lockers/{id}/open', { params: { id: locker.id }, body });
    await wall.close(locker.compartment);
    expect((await goodsOf()).find((one) => one.id === id)).toMatchObject({ left: 2, hold: null });
  });

  it('asks nobody on their phone any more for a purchase that its buyer gave up, or of a shop that was closed meanwhile', async () => {
    const { id } = await goods(3);
    const begun = async () => {
      const { purchase } = await buy(id);
      return { purchase, payment: await paymentOf(id) };
    };
    const [left, shut, kept] = [await begun(), await begun(), await begun()];
    expect(await anyone()('POST /pickup/give-up', { body: { key: { purchase: left.purchase } } })).toMatchObject({
      ended: { how: 'cancelled' },
      payment: { state: 'cancelled' },
    });
    await expect.poll(async () => (await theirs(left.payment)).state, { timeout: 20_000 }).toBe('TERMINATED');
    await approve(kept.payment);
    expect(await admin.api('PUT /storefront', { body: { open: false } })).toMatchObject({ state: 'closed' });
    expect(await admin.api('PUT /storefront', { body: { open: true } })).toMatchObject({ state: 'open' });
    await expect.poll(async () => (await theirs(shut.payment)).state, { timeout: 20_000 }).toBe('TERMINATED');
    // What is paid for stays, whoever says that they go away.
    expect(await anyone()('POST /pickup/give-up', { body: { key: { purchase: kept.purchase } } })).toMatchObject({
      hold: null,
      payment: { state: 'reserved' },
    });
    expect(await stateOf(kept.payment)).toBe('reserved');
  });

  it('tells a buyer whose purchase staff captured, or gave back, what is true of it, also one who lost the page', async () => {
    const { id } = await goods(2);
    const tlf = '+4797531864';
    const { purchase, code } = await buy(id, { tlf });
    const find = () => anyone()('POST /shop/{name}/find', { params: { name: SHOP }, body: { tlf, code } });
    const payment = await paymentOf(id);
    await approve(payment);
    await admin.api('PUT /payments/capture', { body: { _id: payment } });
    expect(await look(purchase)).toMatchObject({ hold: 'captured', may: ['report'] });
    await settle(payment);
    expect(await look(purchase)).toMatchObject({ hold: 'captured', payment: { state: 'captured' } });
    expect(await find()).toEqual({ purchase });
    await admin.api('PUT /payments/refund', { body: { _id: payment } });
    await settle(payment);
    await expect.poll(() => look(purchase)).toMatchObject({ hold: 'refunded', payment: { state: 'refunded' } });
    expect(await find()).toEqual({ purchase });
  });

  it('stays theirs to open whose door has opened, also once staff have charged it', async () => {
    const { id, locker } = await goods(1);
    const { purchase } = await buy(id);
    const payment = await paymentOf(id);
    await approve(payment);
    await open(purchase, locker);
    await admin.api('PUT /payments/capture', { body: { _id: payment } });
    await settle(payment);
    expect(await look(purchase)).toMatchObject({ hold: null, payment: { state: 'captured' } });
    expect((await open(purchase, locker)).outcome).toBe('opened');
  });

  it('asks for a number or an address, and tells what was bought by whichever it has', async () => {
    const { id } = await goods(2);
    const [field] = await buy(id, { email: undefined }).then(
      () => [],
      (error: unknown) => (error instanceof ApiError ? (error.problem?.errors ?? []) : []),
    );
    expect(field?.pointer).toBe('/tlf');
    const { purchase } = await buy(id, { email: 'buyer@example.test' });
    const payment = await paymentOf(id);
    await approve(payment);
    const told = await query<{ kind: string; channel: string }>(
      server.database.ownerUrl,
      `select kind, channel from messages where cause like $1`,
      [`%:${payment}`],
    );
    expect(told).toEqual([{ kind: 'purchase', channel: 'mail' }]);
    expect(await look(purchase)).toMatchObject({ purchase: { code: null } });
  });

  it('bears the name, the colour and the logo of its company, as each page does that a customer sees', async () => {
    const params = { tenant: company.id };
    const change = async (settings: { color: string | null }, image?: Blob) => {
      const { version } = await admin.api('GET /companies/{tenant}', { params });
      return admin.api('PUT /companies/{tenant}', { params, body: { version, settings }, ...(image ? { image } : {}) });
    };
    const { id } = await goods(1);
    const { pickup } = await buy(id);
    const logos = () =>
      Promise.all(
        [`shop/${SHOP}`, `pickup/cabinets/${wall.number}`].map(async (at) => (await fetch(`${server.url}/v1/${at}/logo`)).status),
      );
    expect(pickup.company).toMatchObject({ hasLogo: false, color: null });
    expect(await logos()).toEqual([404, 404]);
    const [rev, png] = [(await visit())?.rev, sharp({ create: { width: 300, height: 90, channels: 3, background: '#ffd400' } }).png()];
    await change({ color: '#ffd400' }, new Blob([new Uint8Array(await png.toBuffer())]));
    const shown = { name: pickup.company.name, hasLogo: true, color: '#ffd400' };
    expect(await anyone()('GET /shop/{name}', { params: { name: SHOP }, query: { rev } })).toMatchObject({ company: shown });
    expect(await anyone()('GET /pickup/cabinets/{number}', { params: { number: String(wall.number) } })).toMatchObject({ company: shown });
    expect(await logos()).toEqual([200, 200]);
    expect(await refusal(change({ color: 'red;} body{' }))).toEqual([400, 'malformed']);
    await query(server.database.ownerUrl, 'update companies set suspended_at = now() where id = $1', [company.id]);
    expect(await logos()).toEqual([404, 404]);
    await query(server.database.ownerUrl, 'update companies set suspended_at = null where id = $1', [company.id]);
  });

  it('is shown to its staff as a customer meets it now', async () => {
    const stateNow = async () => [(await admin.api('GET /storefront')).state, (await visit())?.state];
    // Some other day of the week, all of it.
    const day = ((new Date(Date.now() + 3 * 86_400_000).getUTCDay() + 6) % 7) + 1;
    await admin.api('PUT /storefront', { body: { hours: [{ day, from: '00:00', to: '23:59' }] } });
    expect(await stateNow()).toEqual(['outside-hours', 'outside-hours']);
    await admin.api('PUT /storefront', { body: { hours: [] } });
    expect(await stateNow()).toEqual(['open', 'open']);
  });

  it('is not blocked by however many purchases that nobody pays', async () => {
    const { id } = await goods(1);
    await buy(id);
    await query(
      server.database.ownerUrl,
      `insert into payments (tenant_id, id, occupation_id, provider, reference, amount, currency, state, quantity, sole, key_hash, events, created_at, updated_at)
       select tenant_id, gen_random_uuid(), occupation_id, provider, reference || '-' || n, amount, currency, state, quantity, sole,
         sha256((reference || n)::bytea), events, created_at, updated_at
       from payments, generate_series(1, 40) n where occupation_id = $1`,
      [id],
    );
    expect((await goodsOf()).find((good) => good.id === id)).toMatchObject({ left: 1, hold: null });
    const { purchase } = await buy(id);
    await approve(await paymentOf(id));
    expect(await look(purchase)).toMatchObject({ hold: null, payment: { state: 'reserved' } });
  });

  it('refuses another sum than it costs, another number of pieces than there are, and a number that is none', async () => {
    const { id } = await goods(2);
    for (const [more, expected] of [
      [{ amount: 4_800 }, [409, 'stale']],
      [{ currency: 'EUR' }, [409, 'stale']],
      [{ amount: 0 }, [400, 'malformed']],
      [{ amount: -4_900 }, [400, 'malformed']],
      [{ quantity: 9, amount: 44_100 }, [409, 'sold-out']],
      [{ quantity: 1.5 }, [400, 'malformed']],
      [{ tlf: '12' }, [422, 'rule']],
    ] as const)
      expect([more, await refusal(buy(id, more))]).toEqual([more, expected]);
  });

  it('sells nothing of another company nor under its names, nothing that bears a name, and nothing while it is closed', async () => {
    const { id } = await goods();
    const other = await testCompany(server);
    const { api } = await other.person(['admin']);
    const name = `other-${unique()}`;
    await api('PUT /storefront', { body: { name, open: true } });
    expect(await refusal(api('PUT /storefront', { body: { name: SHOP } }))).toEqual([409, 'name-taken']);
    expect(await refusal(buy(id, {}, name))).toEqual([409, 'not-connected']);
    // A shop keeps every name that it ever had.
    const second = `second-${unique()}`;
    expect(await api('PUT /storefront', { body: { name: second } })).toMatchObject({ name: second });
    expect(await refusal(admin.api('PUT /storefront', { body: { name } }))).toEqual([409, 'name-taken']);
    expect(await visit(name)).toMatchObject({ state: 'not-payable' });
    expect(await api('PUT /storefront', { body: { name } })).toMatchObject({ name });
    const locker = await wall.free();
    const receiver = { name: 'Kari', tlf: '+4791234567' };
    const theirsOnly = await admin.api('POST /occupations', { body: { type: 'delivery', lockerId: locker.id, receiver, price: PRICE } });
    expect(await refusal(buy(theirsOnly.id))).toEqual([404, 'not-found']);
    await admin.api('PUT /storefront', { body: { open: false } });
    expect(await visit()).toMatchObject({ state: 'closed', goods: [] });
    expect(await refusal(buy(id))).toEqual([409, 'occupation-transition']);
    await admin.api('PUT /storefront', { body: { open: true } });
    const counter = await company.person(['delivery_manager']);
    expect(await refusal(counter.api('PUT /storefront', { body: { open: false } }))).toEqual([403, 'forbidden']);
  });

  it('takes no money for what lies behind a door that is out of service, or of a cabinet that is not reached', async () => {
    const { id, locker } = await goods();
    const serve = (outOfService: boolean) =>
      admin.api('PUT /lockers/{id}/service', {
        params: { id: locker.id },
        body: outOfService ? { outOfService, reason: 'Painting' } : { outOfService },
      });
    await serve(true);
    expect(await refusal(buy(id))).toEqual([409, 'out-of-service']);
    await serve(false);
    await wall.cut();
    await expect.poll(async () => (await goodsOf()).find((one) => one.id === id)?.hold).toBe('cabinet-offline');
    expect(await refusal(buy(id))).toEqual([503, 'cabinet-offline']);
    await wall.plug();
  });

  it('finds a purchase again by number and code, and by no others', async () => {
    const { id } = await goods();
    const { purchase, code } = await buy(id, { tlf: '912 34 567' });
    const find = (tlf: string, typed: string) => anyone()('POST /shop/{name}/find', { params: { name: SHOP }, body: { tlf, code: typed } });
    expect(await find('+47 91234567', code)).toEqual({ purchase });
    // Told once it is paid, and no sooner: anybody can type anybody's number.
    const told = () => query<{ kind: string }>(server.database.ownerUrl, `select kind from messages where cause like $1`, [`%:${payment}`]);
    const payment = await paymentOf(id);
    expect(await told()).toEqual([]);
    await approve(payment);
    expect(await told()).toEqual([{ kind: 'purchase' }]);
    expect(await refusal(find('+47 91234568', code))).toEqual([422, 'wrong-code']);
    for (let n = 0; n < 8; n++) await find('91234567', '000000').catch(() => null);
    expect((await refusal(find('91234567', '000000')))[1]).toBe('too-many-codes');
  });
});
