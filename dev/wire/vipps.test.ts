import { ApiError } from '@hatchway/contract/client.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { later, MINUTE } from '@hatchway/domain/deadlines.ts';
import type { FaultKind } from '@hatchway/sandbox/vipps/faults.ts';
import { newMerchant, type Merchant } from '@hatchway/sandbox/vipps/merchant.ts';
import { query } from '@hatchway/server/db/test-database.ts';
import { count } from '@hatchway/server/http/rate-limit.ts';
import { sweep } from '@hatchway/server/jobs/sweep.ts';
import { endHold } from '@hatchway/server/modules/payments/commands.ts';
import { testCabinet } from '@hatchway/server/test-cabinet.ts';
import { refusal, testCompany, type TestPerson } from '@hatchway/server/test-company.ts';
import { run as companyTask } from '../tasks/company.ts';
import { payingCompany, setupOf, type PayingCompany } from './paying-company.ts';

/** A company that is paid by the sandbox's provider, over HTTP in both directions. */
let paying: PayingCompany;
let vipps: PayingCompany['vipps'];
let server: PayingCompany['server'];
let company: PayingCompany['company'];
let merchant: Merchant;
let admin: TestPerson;
let wall: PayingCompany['wall'];
let late = 0;
const now = () => Date.now() + late;
beforeAll(async () => {
  paying = await payingCompany({ doors: 24, now });
  ({ vipps, server, company, admin, wall } = paying);
  merchant = await paying.connect();
});
beforeEach(() => vipps.faults.clear());
afterAll(() => paying?.end());

const connect = (keys: Merchant, api = admin.api) => api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body: setupOf(keys) });
const test = (_id: string, api = admin.api) => api('POST /integrations/{kind}/{_id}/test', { params: { kind: 'vipps', _id }, body: {} });
/** Of one payment alone: those of other tests are looked at meanwhile. */
const fault = async (kind: FaultKind, id: string, times = 1) =>
  vipps.faults.set({ kind, times, reference: (await read(id)).reference, ms: 20_000 });

/** Goods in a locker, published, and a request for them on its payer's phone. */
const goods = async (quantity = 3) => {
  const locker = await wall.free();
  const body = { type: 'sale' as const, lockerId: locker.id, assetText: 'Drill bit', price: { amount: 12_900, currency: 'NOK' }, quantity };
  const { id } = await admin.api('POST /occupations', { body });
  for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
  return { id, locker };
};
const request = async (occupationId: string, quantity = 1) => {
  const body = { occupationId, quantity, provider: 'vipps' as const, payer: { name: 'Kari', tlf: '+4791234567' } };
  return (await admin.api('POST /payments', { body }))._id;
};
const read = (id: string) => admin.api('GET /payments/{id}', { params: { id } });
/** As if it were so much later; whoever signed in before that is signed in now. */
const at = async (ms: number, done: () => Promise<unknown>) => {
  late = ms;
  await done().finally(() => (late = 0));
};
const settle = (id: string) => paying.settle(id);
const theirs = (id: string) => paying.theirs(id);
const approve = async (id: string) => vipps.ledger.act(await theirs(id), 'approve');
const reserved = async (id: string, quantity = 1) => {
  const payment = await request(id, quantity);
  await settle(payment);
  await approve(payment);
  await settle(payment);
  return payment;
};
const move = (id: string, what: 'capture' | 'cancel' | 'refund', amount?: number) =>
  admin.api(`PUT /payments/${what}`, { body: { _id: id, ...(amount === undefined || what === 'cancel' ? {} : { amount }) } });
/** Both ledgers, of one payment. */
const both = async (id: string) => {
  const ours = await read(id);
  const { captured, refunded, cancelled, authorized } = await theirs(id);
  return { state: ours.state, ours: [ours.captured, ours.refunded], theirs: [captured, refunded], left: authorized - captured - cancelled };
};
const story = async (id: string) =>
  (await query<{ type: string; amount: number }>(server.database.ownerUrl, `select type, (data->>'amount')::int as amount from events where payment_id = $1 order by id`, [id])).map(({ type, amount }) => `${type} ${amount}`); // prettier-ignore

describe('a payment by the provider', () => {
  // shows R4.28, R4.29, R4.30, R4.32, R4.33
  it('is asked for on the phone, reserved, captured when it is said, and given back in parts', async () => {
    const { id } = await goods();
    const payment = await request(id, 2);
    expect(await read(payment)).toMatchObject({ state: 'initiated', amount: 25_800, pending: [{ kind: 'create', amount: 25_800 }] });
    await settle(payment);
    expect(await read(payment)).toMatchObject({ state: 'initiated', pending: [], lastError: null });
    expect((await theirs(payment)).order).toMatchObject({ userFlow: 'PUSH_MESSAGE', amount: { currency: 'NOK', value: 25_800 } });
    await approve(payment);
    await settle(payment);
    expect(await read(payment)).toMatchObject({ state: 'reserved' });
    await move(payment, 'capture');
    expect(await read(payment)).toMatchObject({ state: 'reserved', pending: [{ kind: 'capture' }] });
    expect(await refusal(move(payment, 'capture'))).toEqual([409, 'payment-transition']);
    expect(await refusal(move(payment, 'cancel'))).toEqual([409, 'payment-transition']);
    await settle(payment);
    expect(await both(payment)).toEqual({ state: 'captured', ours: [25_800, 0], theirs: [25_800, 0], left: 0 });
    await move(payment, 'refund', 5_800);
    expect(await refusal(move(payment, 'refund', 20_001))).toEqual([422, 'rule']);
    await settle(payment);
    await move(payment, 'refund');
    await settle(payment);
    expect(await both(payment)).toEqual({ state: 'refunded', ours: [25_800, 25_800], theirs: [25_800, 25_800], left: 0 });
    // The provider carries it out; whose word it was stands beside.
    const by = (await read(payment)).events.map((one) => [one.state, one.by]);
    const me = (await admin.api('GET /accounts/me')).account.name;
    expect(by).toEqual([
      ['initiated', me],
      ['reserved', 'Vipps MobilePay'],
      ['captured', me],
      ['refunded', me],
      ['refunded', me],
    ]);
    expect(await story(payment)).toEqual([
      'payment_initiated 25800',
      'payment_reserved 25800',
      'payment_captured 25800',
      'payment_refunded 5800',
      'payment_refunded 20000',
    ]);
  });

  it('is heard of by a signed webhook, without anybody asking', async () => {
    const { id } = await goods();
    const payment = await request(id);
    await settle(payment);
    const { reference } = await read(payment);
    await approve(payment);
    await expect.poll(async () => (await read(payment)).state, { timeout: 20_000 }).toBe('reserved');
    const [integration] = await admin.api('GET /integrations', { query: { q: { kind: 'vipps' } } });
    expect(integration).toMatchObject({ state: 'active', lastError: null, hasWebhook: true });
    expect(integration?.heardAt).not.toBeNull();
    const unsigned = await fetch(`${server.url}/hooks/vipps/${company.id}.${integration?._id ?? ''}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reference }),
    });
    expect(unsigned.status).toBe(404);
  });

  it('is done once where the answer is lost at each step', async () => {
    const { id } = await goods();
    const payment = await request(id);
    let passed = 0;
    const again = () => at((passed += 40_000), () => settle(payment));
    const broken = async () => {
      await fault('answer-lost', payment);
      await settle(payment);
      vipps.faults.clear();
      await again();
      await again();
    };
    await broken();
    await approve(payment);
    await again();
    await move(payment, 'capture');
    await broken();
    await move(payment, 'refund', 900);
    await broken();
    expect(await both(payment)).toEqual({ state: 'refunded', ours: [12_900, 900], theirs: [12_900, 900], left: 0 });
    const names = (await theirs(payment)).events.filter(({ success }) => success).map(({ name }) => name);
    expect(names).toEqual(['CREATED', 'AUTHORIZED', 'CAPTURED', 'REFUNDED']);
    expect((await read(payment)).lastError).toBeNull();
  });

  it('says why it cannot be asked now, and that a capture was refused', async () => {
    const payment = await reserved((await goods()).id);
    await move(payment, 'capture');
    await fault('outage', payment, 50);
    await settle(payment);
    const waiting = await read(payment);
    expect(waiting.lastError).toContain('503');
    expect(waiting).toMatchObject({ state: 'reserved', wantsEnd: false, pending: [{ kind: 'capture', amount: 12_900 }] });
    // The reservation runs out meanwhile: the provider gives it back.
    await at(181 * 24 * 60 * MINUTE, async () => vipps.ledger.sweep());
    vipps.faults.clear();
    await expect
      .poll(async () => {
        await settle(payment);
        return (await read(payment)).pending;
      })
      .toEqual([]);
    expect(await read(payment)).toMatchObject({ state: 'cancelled', captured: 0, pending: [] });
    expect((await read(payment)).lastError).toContain('Cannot capture');
    expect(await read(payment)).toMatchObject({ wantsEnd: true });
  });

  it('that is being given back lets nobody in, and what was done counts before it is heard', async () => {
    const { id, locker } = await goods();
    const payment = await reserved(id);
    await fault('outage', payment, 20);
    await move(payment, 'cancel');
    const assign = () => admin.api('PUT /occupations/assign', { body: { action: 'claim', id, paymentId: payment } });
    expect(await refusal(assign())).toEqual([402, 'payment-needed']);
    vipps.faults.clear();
    await expect.poll(async () => (await settle(payment), (await read(payment)).state)).toBe('cancelled');

    const other = await reserved(id);
    await move(other, 'capture');
    await settle(other);
    await move(other, 'refund', 1_000);
    // Carried out there, and the look that follows it does not come through.
    const refunded = theirs(other);
    await settle(other);
    await query(server.database.ownerUrl, 'update payments set refunded = 0 where id = $1', [other]);
    await query(server.database.ownerUrl, `update payment_operations set heard = false where payment_id = $1 and kind = 'refund'`, [other]);
    expect((await refunded).refunded).toBe(1_000);
    expect(await read(other)).toMatchObject({ pending: [{ kind: 'refund', amount: 1_000 }] });
    expect(await refusal(move(other, 'refund', 12_900))).toEqual([422, 'rule']);
    expect(locker.doorTag).not.toBe('');
  });

  it('for one thing that somebody else paid for meanwhile is given back at once, whoever asks how often', async () => {
    const locker = await wall.free();
    const price = { amount: 4_900, currency: 'NOK' };
    const receiver = { name: 'Kari', tlf: '+4791234567' };
    const { id } = await admin.api('POST /occupations', {
      body: { type: 'delivery', lockerId: locker.id, assetText: 'Parcel', price, receiver },
    });
    for (const action of ['fill', 'send'] as const) await admin.api('PUT /occupations', { body: { id, action } });
    const payment = await request(id);
    await settle(payment);
    await admin.api('POST /payments', { body: { occupationId: id, received: true } });
    await approve(payment);
    await expect.poll(async () => (await settle(payment), (await read(payment)).state), { timeout: 20_000 }).toBe('cancelled');
    expect((await theirs(payment)).cancelled).toBe(4_900);
    const { events } = await read(payment);
    expect(events.filter(({ state }) => state === 'reserved').length).toBe(1);
  });

  it('whose ten minutes are over is cancelled there too, and given back where it was reserved; its pieces are on sale again', async () => {
    const { id } = await goods();
    const payment = await request(id);
    await settle(payment);
    const paid = await reserved(id);
    const held = async () => (await admin.api('GET /occupations/{id}', { params: { id } })).held;
    expect(await held()).toBe(2);
    await at(11 * MINUTE, async () => {
      for (const one of [payment, paid]) await endHold(server.deps, company.id, one);
      for (const one of [payment, paid]) await settle(one);
    });
    expect(await held()).toBe(0);
    expect(await read(payment)).toMatchObject({ state: 'cancelled', pending: [] });
    expect((await theirs(payment)).state).not.toBe('AUTHORIZED');
    expect(await both(paid)).toEqual({ state: 'cancelled', ours: [0, 0], theirs: [0, 0], left: 0 });
  });

  it('that nobody could send for ten minutes is never sent', async () => {
    const { id } = await goods();
    const payment = await request(id);
    await fault('outage', payment, 20);
    await settle(payment);
    await at(11 * MINUTE, async () => {
      await endHold(server.deps, company.id, payment);
      vipps.faults.clear();
      await settle(payment);
    });
    expect(await read(payment)).toMatchObject({ state: 'cancelled', pending: [] });
    const { reference } = await read(payment);
    expect(vipps.ledger.payments().some(({ order }) => order.reference === reference)).toBe(false);
  });

  it('approved too late takes the goods where they are still there, and is given back where they are gone', async () => {
    const kept = await goods(1);
    const one = await request(kept.id);
    await settle(one);
    // Its hold ends here while its payer approves there: the cancel comes too late.
    await query(server.database.ownerUrl, 'update payments set held_until = $1 where id = $2', [
      later(new Date(now()).toISOString(), -1),
      one,
    ]);
    await approve(one);
    await endHold(server.deps, company.id, one);
    await settle(one);
    await settle(one);
    expect(await read(one)).toMatchObject({ state: 'reserved', pending: [] });
    expect(await admin.api('GET /occupations/{id}', { params: { id: kept.id } })).toMatchObject({ held: 1 });

    const gone = await goods(1);
    const other = await request(gone.id);
    await settle(other);
    await query(server.database.ownerUrl, 'update payments set held_until = $1 where id = $2', [
      later(new Date(now()).toISOString(), -1),
      other,
    ]);
    await approve(other);
    await endHold(server.deps, company.id, other);
    // Somebody else buys the last one meanwhile.
    await admin.api('POST /payments', { body: { occupationId: gone.id, received: true } });
    await settle(other);
    await settle(other);
    expect(await both(other)).toEqual({ state: 'cancelled', ours: [0, 0], theirs: [0, 0], left: 0 });
    const told = await query<{ kind: string }>(server.database.ownerUrl, `select kind from messages where cause = $1`, [
      `payment-not-taken:${other}`,
    ]);
    expect(told).toEqual([{ kind: 'payment-not-taken' }]);
  });

  it('is found again by the clock where no webhook told and the job was lost', async () => {
    const { id } = await goods();
    const payment = await request(id);
    await settle(payment);
    await fault('hook-none', payment, 9);
    await approve(payment);
    await query(server.database.ownerUrl, `delete from jobs.job where name = 'payment-provider'`);
    await at(2 * MINUTE, () => sweep(server.deps, company.id));
    await expect.poll(async () => (await read(payment)).state, { timeout: 20_000 }).toBe('reserved');
  });
});

describe('the keys', () => {
  it('that are wrong are named', async () => {
    const other = await testCompany(server);
    const { api } = await other.person(['admin']);
    for (const [name, value, fault] of [
      ['clientId', '00000000-0000-4000-8000-000000000000', 'wrong-client-id'],
      ['clientSecret', 'another', 'wrong-client-secret'],
      ['subscriptionKey', 'another', 'wrong-subscription-key'],
      ['msn', '9999999', 'wrong-merchant'],
    ] as const) {
      const { _id } = await connect({ ...merchant, [name]: value }, api);
      expect(await test(_id, api)).toMatchObject({ state: 'failing', lastError: fault, hasWebhook: false });
      await api('DELETE /integrations/{kind}/{_id}', { params: { kind: 'vipps', _id } });
    }
  });

  it('stay while payments are under way, and go with their webhook', async () => {
    const other = await testCompany(server);
    const { api } = await other.person(['admin']);
    const keys = newMerchant('Theirs');
    vipps.ledger.addMerchant(keys);
    const made = await connect(keys, api);
    await test(made._id, api);
    const registered = () => vipps.ledger.webhooks().filter(({ msn }) => msn === keys.msn).length;
    expect(registered()).toBe(1);
    const place = await testCabinet(server, api, 1);
    const locker = await place.free();
    const body = { type: 'sale' as const, lockerId: locker.id, assetText: 'Tea', price: { amount: 5_000, currency: 'NOK' }, quantity: 1 };
    const { id } = await api('POST /occupations', { body });
    for (const action of ['fill', 'publish'] as const) await api('PUT /occupations', { body: { id, action } });
    const pay = { occupationId: id, provider: 'vipps' as const, payer: { tlf: '+4791234567' } };
    const { _id } = await api('POST /payments', { body: pay });
    const away = () => api('DELETE /integrations/{kind}/{_id}', { params: { kind: 'vipps', _id: made._id } });
    expect(await refusal(away())).toEqual([409, 'in-use-elsewhere']);
    const moved = { ...setupOf({ ...keys, msn: '1234567' }), version: (await api('GET /integrations'))[0]?.version };
    expect(await refusal(api('PUT /integrations/{kind}/{_id}', { params: { kind: 'vipps', _id: made._id }, body: moved }))).toEqual([
      409,
      'in-use-elsewhere',
    ]);
    const params = { kind: 'vipps', _id: made._id };
    const give = (body: object) => api('PUT /integrations/{kind}/{_id}', { params, body: { ...setupOf(keys), ...body } });
    const kept = async () => (await api('GET /integrations', { query: { q: { kind: 'vipps' } } }))[0];
    const before = await kept();
    const why = async (asked: Promise<unknown>) => {
      const error = await asked.catch((thrown: unknown) => thrown);
      const { code, data } = (error instanceof ApiError ? error.problem : null) ?? {};
      return [code, data?.['error']];
    };
    const wrong = { clientSecret: 'another' };
    expect(await why(give({ secrets: wrong }))).toEqual(['keys-not-taken', 'wrong-client-secret']);
    expect(await kept()).toMatchObject({ version: before?.version, lastError: null });
    vipps.faults.set({ kind: 'outage', times: null, reference: null, ms: 0 });
    expect(await why(give({ secrets: wrong }))).toEqual(['keys-not-taken', expect.stringMatching(/^5\d\d/)]);
    vipps.faults.clear();
    // A look at the payment may have met the outage too, and says so.
    expect(await kept()).toMatchObject({ version: before?.version });
    // The same again is no other; a right one is known to work as it is kept.
    expect(await give({ secrets: {} })).toMatchObject({ state: 'unverified' });
    keys.clientSecret = 'drawn-anew';
    expect(await give({ secrets: { clientSecret: keys.clientSecret }, version: (await kept())?.version })).toMatchObject({
      state: 'active',
      lastError: null,
    });
    await api('PUT /payments/cancel', { body: { _id } });
    await expect.poll(async () => (await api('GET /payments/{id}', { params: { id: _id } })).state, { timeout: 20_000 }).toBe('cancelled');
    // With nothing under way they are kept as they are given, and told by the test.
    expect(await give({ secrets: wrong })).toMatchObject({ state: 'unverified' });
    await give({ secrets: { clientSecret: keys.clientSecret } });
    await away();
    await expect.poll(registered).toBe(0);
    place.end();
  });
});

describe('a reservation that nears its end', () => {
  const DAY = 24 * 60 * MINUTE;
  /** As if it had been approved so many days ago. */
  const age = (id: string, days: number) =>
    query(
      server.database.ownerUrl,
      `update payments set events = (select jsonb_agg(e || jsonb_build_object('at', $2::text)) from jsonb_array_elements(events) e) where id = $1`,
      [id, later(new Date(now()).toISOString(), -days * DAY)],
    );
  const mails = async (id: string) => {
    const rows = await query<{ body_sealed: Buffer }>(
      server.database.ownerUrl,
      `select body_sealed from messages where kind = 'capture-ends' and channel = 'mail' and cause like $1`,
      [`capture-ends:${id}:%`],
    );
    return rows.map(({ body_sealed }) => server.deps.seal.open(body_sealed) ?? '');
  };

  it('wants an end from then on, and its company’s admins are told once', async () => {
    const [young, old] = [await reserved((await goods()).id), await reserved((await goods()).id)];
    await age(young, 172.9);
    await age(old, 173);
    await sweep(server.deps, company.id);
    await sweep(server.deps, company.id);
    expect(await read(young)).toMatchObject({ state: 'reserved', wantsEnd: false, captureBy: expect.any(String) as unknown });
    expect(await read(old)).toMatchObject({ state: 'reserved', wantsEnd: true });
    expect(Date.parse((await read(old)).captureBy ?? '') - now()).toBeGreaterThan(6.9 * DAY);
    const listed = await admin.api('GET /payments', { query: { q: { state: 'reserved', wantsEnd: true } } });
    expect(listed.map(({ _id }) => _id)).toContain(old);
    expect(listed.map(({ _id }) => _id)).not.toContain(young);
    expect(await mails(young)).toEqual([]);
    const told = await mails(old);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`/portal/manage/payments?payment=${old}`);
    expect(told[0]).toContain('129.00');
    await move(old, 'capture');
    await settle(old);
    expect(await read(old)).toMatchObject({ state: 'captured', wantsEnd: false, captureBy: null });
  });
});

describe('the books of a day', () => {
  const compare = async (day?: string, api = admin.api) => (await api.page('GET /payments/reconcile', { query: { day } })).rows;
  const rowOf = async (id: string) => (await compare()).find(({ paymentId }) => paymentId === id);

  it('agree on what was heard, also of a payment that was captured in part, and tell what was not until it is', async () => {
    const payment = await reserved((await goods()).id);
    expect(await rowOf(payment)).toMatchObject({ todo: null, ours: { state: 'reserved' }, theirs: { state: 'reserved' } });
    // What is captured in part gives the rest back at once.
    await move(payment, 'capture', 2_900);
    await settle(payment);
    await settle(payment);
    expect(await both(payment)).toEqual({ state: 'captured', ours: [2_900, 0], theirs: [2_900, 0], left: 0 });
    // Somebody gives some of it back in the provider's own portal, and no webhook tells. A look of the server's own may hear it: then more.
    await fault('hook-none', payment, 99);
    const { reference, currency } = await read(payment);
    const order = await theirs(payment);
    let returned = 0;
    const row = await vi.waitFor(
      async () => {
        returned += 100;
        vipps.ledger.refund({ msn: order.msn, key: crypto.randomUUID(), reference, asked: 'by hand' }, { currency, value: 100 });
        const found = await rowOf(payment);
        expect(found).toMatchObject({ reference, todo: 'returned-there', theirs: { refunded: returned } });
        return found;
      },
      { timeout: 60_000 },
    );
    expect(row?.ours.refunded).toBeLessThan(returned);
    // What differed was asked for anew.
    await expect.poll(async () => (await rowOf(payment))?.todo).toBeNull();
    expect(await read(payment)).toMatchObject({ state: 'refunded', refunded: returned });
  });

  it('differ on what the provider was never asked for, or cannot be asked for now', async () => {
    const lost = await reserved((await goods()).id);
    const kept = await reserved((await goods()).id);
    await query(server.database.ownerUrl, `update payments set reference = 'hatchway-nobody' where id = $1`, [lost]);
    expect(await rowOf(lost)).toMatchObject({ todo: 'unknown-there', theirs: null });
    await query(server.database.ownerUrl, 'delete from payments where id = $1', [lost]);
    await fault('outage', kept, 50);
    expect(await rowOf(kept)).toMatchObject({ todo: 'unread', theirs: null, error: expect.stringContaining('503') as unknown });
    vipps.faults.clear();
    expect(await rowOf(kept)).toMatchObject({ todo: null, error: null });
  });

  it('are those of a day by the company’s own clock, whoever asks', async () => {
    const payment = await reserved((await goods()).id);
    // 23:30 in Oslo on the first, and the half hour after midnight on the next day: two days there, one in UTC.
    const begun = '2026-03-01T22:30:00.000Z';
    const moved = '2026-03-01T23:30:00.000Z';
    await query(
      server.database.ownerUrl,
      `update payments set created_at = $1, updated_at = $2, events = jsonb_build_array(events->0 || $4::jsonb, events->1 || $5::jsonb) where id = $3`,
      [begun, moved, payment, JSON.stringify({ at: begun }), JSON.stringify({ at: moved })],
    );
    const on = async (day: string) => (await compare(day)).map(({ paymentId }) => paymentId);
    expect(await on('2026-02-28')).toEqual([]);
    expect(await on('2026-03-01')).toEqual([payment]);
    expect(await on('2026-03-02')).toEqual([payment]);
    expect(await on('2026-03-03')).toEqual([]);
    expect(await compare()).not.toContainEqual(expect.objectContaining({ paymentId: payment }));
    const { rows } = await server.operator.page('GET /operator/companies/{id}/reconcile', {
      params: { id: company.id },
      query: { day: '2026-03-02' },
    });
    expect(rows).toMatchObject([{ paymentId: payment, todo: null }]);
    const nowhere = server.operator('GET /operator/companies/{id}/reconcile', { params: { id: crypto.randomUUID() } });
    expect(await refusal(nowhere)).toEqual([404, 'not-found']);
  });

  it('come page by page, are for who may read payments, and need a provider', async () => {
    const one = await reserved((await goods()).id);
    const at = '2026-04-01T10:00:00.000Z';
    await query(
      server.database.ownerUrl,
      `insert into payments (tenant_id, id, provider, reference, amount, currency, state, quantity, events, created_at, updated_at)
       select tenant_id, gen_random_uuid(), provider, 'hatchway-page-' || n, amount, currency, 'cancelled', 1, '[]', $2, $2
       from payments, generate_series(1, 101) n where id = $1`,
      [one, at],
    );
    const first = await admin.api.page('GET /payments/reconcile', { query: { day: '2026-04-01' } });
    const second = await admin.api.page('GET /payments/reconcile', { query: { day: '2026-04-01', cursor: first.next ?? '' } });
    expect([first.rows.length, second.rows.length, second.next]).toEqual([100, 1, null]);
    expect(new Set([...first.rows, ...second.rows].map(({ paymentId }) => paymentId)).size).toBe(101);
    // One that is away is not asked for all of them.
    vipps.faults.set({ kind: 'outage', times: 50, reference: null, ms: 0 });
    await compare('2026-04-01');
    expect(vipps.faults.list()[0]?.times).toBeGreaterThan(40);
    vipps.faults.clear();
    const other = await company.person(['delivery_manager']);
    expect(await refusal(compare(undefined, other.api))).toEqual([403, 'forbidden']);
    const without = await (await testCompany(server)).person(['admin']);
    expect(await refusal(compare(undefined, without.api))).toEqual([409, 'not-connected']);
  });

  it('are printed by npm run company, which ends with 1 where they differ', async () => {
    vi.stubEnv('OPERATOR_KEY', server.deps.config.operatorKey ?? '');
    const said: unknown[] = [];
    const spies = (['log', 'table', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((what: unknown) => void said.push(what)),
    );
    const books = (day: string) => companyTask(['reconcile', '--url', server.url, '--id', company.id, '--day', day]);
    const payment = await reserved((await goods()).id);
    const { reference } = await read(payment);
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' }).format(now());
    expect(await books('2026-02-01')).toBe(0);
    expect(said.splice(0)).toEqual([JSON.stringify({ compared: 0, differ: 0 }, null, 2)]);
    await query(server.database.ownerUrl, 'update payments set reference = $1 where id = $2', [`${reference}-not`, payment]);
    expect(await books(day)).toBe(1);
    expect(said[0]).toContainEqual(
      expect.objectContaining({ reference: `${reference}-not`, here: 'reserved 0.00 - 0.00', there: '', 'to do': 'unknown-there' }),
    );
    expect(said.some((line) => String(line).startsWith('unknown-there: Vipps does not know it.'))).toBe(true);
    await query(server.database.ownerUrl, 'update payments set reference = $1 where id = $2', [reference, payment]);
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
  });

  it('are not asked for without end', async () => {
    const other = await testCompany(server);
    const { api } = await other.person(['admin']);
    expect(await refusal(compare(undefined, api))).toEqual([409, 'not-connected']);
    // As if the company had asked for all of its pages in ten minutes, in these and in the next.
    const windows = [0, 10 * MINUTE].map((ms) => new Date(now() + ms).toISOString());
    await server.deps.db.open(async (tx) => {
      for (const at of windows)
        for (let page = 0; page < 60; page++) await count(tx, { bucket: `reconcile:${other.id}`, most: 60, seconds: 600 }, at);
    });
    expect(await refusal(compare(undefined, api))).toEqual([429, 'too-many-requests']);
  });
});
