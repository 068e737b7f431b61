import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFault } from '../faults.ts';
import { FAULTS } from './faults.ts';
import { nok, testVipps } from './test-client.ts';

let own: Awaited<ReturnType<typeof testVipps>>;
beforeEach(async () => {
  own = await testVipps();
});
afterEach(() => own.stop());

const fault = (kind: string, more: Record<string, unknown> = {}) => {
  const read = readFault(FAULTS, { kind, ...more });
  if (!read) throw new Error(`${kind} is no fault`);
  own.vipps.faults.set(read);
};
const names = () => own.heard.map(({ name }) => name);
const captured = async () => ((await own.get('order-0001')).body['aggregate'] as { capturedAmount: unknown }).capturedAmount;
const reserve = async () => {
  await own.create('order-0001');
  await own.approve('order-0001');
};
const KEY = { 'idempotency-key': 'one' };

describe('calls', () => {
  test('error: the next two changes fail and do nothing, and looks go on', async () => {
    await reserve();
    fault('error', { times: 2 });
    for (let n = 0; n < 2; n += 1) expect((await own.change('capture', 'order-0001', 400, KEY)).status).toBe(500);
    expect(await captured()).toEqual(nok(0));
    expect((await own.change('capture', 'order-0001', 400, KEY)).status).toBe(200);
  });

  test('answer lost: 500, yet it was done, and its key brings the answer', async () => {
    await reserve();
    fault('answer-lost');
    expect((await own.change('capture', 'order-0001', 400, KEY)).status).toBe(500);
    expect(await captured()).toEqual(nok(400));
    expect(await own.change('capture', 'order-0001', 400, KEY)).toMatchObject({ status: 200, body: { state: 'AUTHORIZED' } });
    expect(await captured()).toEqual(nok(400));
  });

  test('answer lost: a payment that was created is there', async () => {
    fault('answer-lost');
    expect((await own.create('order-0001', {}, KEY)).status).toBe(500);
    expect((await own.get('order-0001')).body).toMatchObject({ state: 'CREATED' });
    expect((await own.create('order-0001', {}, KEY)).status).toBe(201);
  });

  test('rate limit: 429 of the gateway, and when to come again', async () => {
    await reserve();
    fault('rate-limit');
    const answer = await own.get('order-0001');
    expect([answer.status, answer.body['statusCode'], answer.headers.get('retry-after')]).toEqual([429, 429, '60']);
  });

  test('slow: the answer comes later', async () => {
    await reserve();
    fault('slow', { ms: 120 });
    const began = performance.now();
    expect((await own.get('order-0001')).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(110);
  });

  test('outage: nothing answers, tokens neither, until it is cleared', async () => {
    await reserve();
    fault('outage', { times: null });
    for (const answer of [await own.getToken(), await own.get('order-0001'), await own.change('capture', 'order-0001', 400)])
      expect(answer.status).toBe(503);
    own.vipps.faults.clear();
    expect(await captured()).toEqual(nok(0));
  });

  test('cut: the line is gone before anything was done', async () => {
    await reserve();
    fault('cut');
    await expect(own.change('capture', 'order-0001', 400)).rejects.toThrow('fetch failed');
    expect(await captured()).toEqual(nok(0));
  });

  test('bound to one payment, it hits no other', async () => {
    fault('error', { reference: 'order-0002', times: null });
    expect((await own.create('order-0001')).status).toBe(201);
    expect((await own.create('order-0002')).status).toBe(500);
  });
});

describe('webhooks', () => {
  beforeEach(() => own.listen('created', 'authorized', 'captured'));

  test('late: told when its time has come, and what follows waits behind it', async () => {
    fault('hook-late', { ms: 5000 });
    await reserve();
    await own.pass(4999);
    expect(names()).toEqual([]);
    await own.pass(1);
    expect(names()).toEqual(['CREATED', 'AUTHORIZED']);
  });

  test('doubled: told twice, word for word', async () => {
    fault('hook-doubled');
    await reserve();
    await own.pass(0);
    expect(names()).toEqual(['CREATED', 'CREATED', 'AUTHORIZED']);
    expect(own.heard[0]).toMatchObject({ reference: own.heard[1]?.reference, isTrue: true });
  });

  test('out of order: overtaken by what follows', async () => {
    await own.create('order-0001');
    await own.pass(0);
    fault('hook-out-of-order', { ms: 5000 });
    await own.approve('order-0001');
    await own.change('capture', 'order-0001', 400);
    await own.pass(0);
    expect(names()).toEqual(['CREATED', 'CAPTURED']);
    await own.pass(5000);
    expect(names()).toEqual(['CREATED', 'CAPTURED', 'AUTHORIZED']);
    expect(own.heard.every(({ isTrue }) => isTrue)).toBe(true);
  });

  test('lying: the signature is nobody’s, and the next try is true', async () => {
    fault('hook-lying');
    own.receiver.status = 401;
    await own.create('order-0001');
    await own.pass(0);
    expect(own.heard.map(({ isTrue }) => isTrue)).toEqual([false]);
    own.receiver.status = 200;
    await own.pass(1000);
    expect(own.heard.map(({ isTrue }) => isTrue)).toEqual([false, true]);
  });

  test('none: never told, though the books know', async () => {
    fault('hook-none', { times: null });
    await reserve();
    await own.pass(600_000);
    expect(names()).toEqual([]);
    expect((await own.get('order-0001')).body).toMatchObject({ state: 'AUTHORIZED' });
  });
});

test.each([null, 'error', {}, { kind: 'fire' }, { kind: 7 }, []])('%j is no fault', (value) => expect(readFault(FAULTS, value)).toBeNull());
