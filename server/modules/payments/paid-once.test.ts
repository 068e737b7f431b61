import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Payment } from '@hatchway/contract/payments.ts';
import { HOLD_FOR, MINUTE } from '@hatchway/domain/deadlines.ts';
import { query } from '../../db/test-database.ts';
import { sweep } from '../../jobs/sweep.ts';
import { listen } from '../../live/test-listener.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { refusal, testCompany, type TestCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';
import { likeTheFirst } from '../occupations/test-copy.ts';
import { emptied } from '../occupations/test-doors.ts';
import { problemOf } from '../occupations/test-refusal.ts';

/** A provider that takes every request, and whose payers never say anything. */
const nok = (value: number) => ({ currency: 'NOK', value });
const aggregate = { authorizedAmount: nok(0), capturedAmount: nok(0), refundedAmount: nok(0), cancelledAmount: nok(0) };
const answerTo = (path: string): object =>
  path === '/accesstoken/get' ? { access_token: 'token', expires_in: '3600' } : { state: 'CREATED', aggregate, redirectUrl: null };

let wire: Server;
let server: TestServer;
let ours: TestCompany;
let admin: TestPerson;
let wall: TestCabinet;
let late = 0;
beforeAll(async () => {
  wire = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answerTo(request.url ?? '')));
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  const { port } = wire.address() as AddressInfo;
  const config = { vippsUrl: `http://127.0.0.1:${port}`, sandboxPorts: [port] };
  server = await testServer({ now: () => new Date(Date.now() + late), config });
  ours = await testCompany(server);
  admin = await ours.person(['admin']);
  wall = await testCabinet(server, admin.api, 1);
});
// Each test begins with a door that nobody uses.
afterEach(() => emptied(server, wall.lockers));
afterAll(async () => {
  wall?.end();
  await server.stop();
  wire.close();
});

const PRICE = { amount: 8_900, currency: 'NOK' };
const act = (id: string, action: 'fill' | 'publish' | 'finnish' | 'return') => admin.api('PUT /occupations', { body: { id, action } });
type Type = 'delivery' | 'storage' | 'lending';
/** Inside, and to be paid for. */
const skis = (type: Type) =>
  likeTheFirst(
    () => server,
    async ({ id: lockerId }) => {
      const made = await admin.api('POST /occupations', { body: { type, lockerId, assetText: 'Skis', price: PRICE } });
      await act(made.id, 'fill');
      if (type !== 'storage') await act(made.id, 'publish');
      return made;
    },
  );
const like = { delivery: skis('delivery'), storage: skis('storage'), lending: skis('lending') };
const priced = async (type: Type) => {
  const [locker] = wall.lockers;
  if (!locker) throw new Error('no door');
  const { id } = await like[type](locker);
  const claim = () => admin.api('PUT /occupations/assign', { body: { action: 'claim', id } });
  const open = () =>
    admin.api('POST /lockers/{id}/open', { params: { id: locker.id }, body: { doorTag: locker.doorTag, occupationId: id } });
  const visit = async () => {
    await claim();
    await open();
    await wall.close(locker.compartment);
  };
  const stage = async () => (await admin.api('GET /occupations/{id}', { params: { id } })).stageName;
  return { id, claim, open, visit, stage };
};
const begin = (occupationId: string) => admin.api('POST /payments', { body: { occupationId } });
const pay = (occupationId: string) => admin.api('POST /payments', { body: { occupationId, received: true } });
const receive = (_id: string) => admin.api('PUT /payments/update', { body: { _id, received: true } });
const cancel = (_id: string) => admin.api('PUT /payments/cancel', { body: { _id } });
const capture = (_id: string) => admin.api('PUT /payments/capture', { body: { _id } });
const refund = (_id: string, amount?: number) =>
  admin.api('PUT /payments/refund', { body: { _id, ...(amount === undefined ? {} : { amount }) } });
const states = async (occupationId: string) =>
  (await admin.api('GET /payments', { query: { q: { occupationId }, sort: 'createdAt' } })).map(({ state }) => state);
const outcome = (call: Promise<{ state: string }>) =>
  call.then(
    ({ state }) => state,
    (error: { problem?: { code: string } }) => error.problem?.code ?? 'failed',
  );
const TWICE = [409, 'paid-already'];

it.each(['delivery', 'storage', 'lending'] as const)('one %s is paid for at one of two counters', async (type) => {
  const { id } = await priced(type);
  const tries = await Promise.all([outcome(pay(id)), outcome(pay(id)), outcome(pay(id))]);
  expect(tries.toSorted()).toEqual(['paid-already', 'paid-already', 'reserved']);
  expect(await states(id)).toEqual(['reserved']);
  const { code, data } = await problemOf(pay(id));
  const [one] = await admin.api('GET /payments', { query: { q: { occupationId: id } } });
  expect([code, data]).toEqual(['paid-already', { paymentId: one?._id }]);
});

it('of two that were begun one alone is received; what nobody paid the clock cancels', async () => {
  const { id } = await priced('delivery');
  const [a, b] = [await begin(id), await begin(id)];
  const tries = await Promise.all([outcome(receive(a._id)), outcome(receive(b._id))]);
  expect(tries.filter((one) => one === 'reserved')).toHaveLength(1);
  expect((await states(id)).toSorted()).toEqual(['initiated', 'reserved']);
  late = HOLD_FOR + MINUTE;
  await sweep(server.deps, ours.id).finally(() => (late = 0));
  expect((await states(id)).toSorted()).toEqual(['cancelled', 'reserved']);
  // The money is there still, whatever the clock let go of.
  expect(await refusal(pay(id))).toEqual(TWICE);
});

it('is paid for anew once the money went back, or was never taken', async () => {
  const { id } = await priced('delivery');
  await cancel((await pay(id))._id);
  const { _id } = await pay(id);
  await capture(_id);
  await refund(_id);
  expect(await pay(id)).toMatchObject({ state: 'reserved' });
  expect(await states(id)).toEqual(['cancelled', 'refunded', 'reserved']);
});

it('is paid for by the next one who borrows it, not twice by the one', async () => {
  const { id, visit, claim, open, stage } = await priced('lending');
  await pay(id);
  await claim();
  await open();
  await act(id, 'finnish');
  expect(await states(id)).toEqual(['captured']);
  await act(id, 'return');
  await expect.poll(stage).not.toBe('VACANT');
  if ((await stage()) !== 'ACQUIRABLE') await act(id, 'publish');
  expect(await pay(id)).toMatchObject({ state: 'reserved' });
  expect(await refusal(pay(id))).toEqual(TWICE);
  await visit();
});

it('a storage is paid for once for all its visits, captured meanwhile or given back in part; not once all went back', async () => {
  const { id, visit, stage } = await priced('storage');
  const { _id } = await pay(id);
  await visit();
  await expect.poll(stage).toBe('ACQUIRABLE');
  expect(await refusal(pay(id))).toEqual(TWICE);
  await capture(_id);
  expect(await refusal(pay(id))).toEqual(TWICE);
  await refund(_id, 900);
  expect(await refusal(pay(id))).toEqual(TWICE);
  await refund(_id);
  expect(await pay(id)).toMatchObject({ state: 'reserved' });
});

it('the database holds it too, and lets stand what was taken twice before', async () => {
  const { id } = await priced('delivery');
  const { _id } = await pay(id);
  const twin = (sole: boolean) =>
    query(
      server.database.ownerUrl,
      `insert into payments (tenant_id, id, occupation_id, provider, reference, amount, state, sole, created_at, updated_at)
        select tenant_id, gen_random_uuid(), occupation_id, provider, gen_random_uuid()::text, amount, state, $2, created_at, updated_at
        from payments where id = $1`,
      [_id, sole],
    );
  await expect(twin(true)).rejects.toThrow('payments_paid_once');
  await twin(false);
  expect(await states(id)).toEqual(['reserved', 'reserved']);
});

it('whoever follows a payment is told when its provider has answered, under the same version', async () => {
  const setup = {
    settings: { merchantSerialNumber: '123456', clientId: 'client' },
    secrets: { clientSecret: 's3cret', subscriptionKey: 'k3y' },
  };
  await admin.api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body: setup });
  const { id } = await priced('delivery');
  const listener = await listen(server.url, admin.token);
  await listener.ask({ topic: 'subscribe', event: 'payments' });
  const made = await admin.api('POST /payments', { body: { occupationId: id, provider: 'vipps', payer: { tlf: '+4791234567' } } });
  expect(made).toMatchObject({ state: 'initiated', pending: [{ kind: 'create' }] });
  const heard = () => listener.events.at(-1)?.data as Payment | undefined;
  await expect.poll(() => heard()?.pending).toEqual([]);
  expect(heard()).toMatchObject({ _id: made._id, state: 'initiated', version: made.version });
  expect(heard()?.updatedAt).not.toBe(made.updatedAt);
  listener.close();
});
