import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_MERCHANT, newMerchant } from './merchant.ts';
import { nok, testVipps } from './test-client.ts';

// Where a shape is from: [spec] vippsas/vipps-epayment-api docs/epayment.v1.yml, [ops] the same repository's operations/*.md,
// [hooks] vippsas/webhooks-api docs/swagger.yaml and api-guide.md, [errors] developer.vippsmobilepay.com docs/APIs/epayment-api/errors
// and api-guide/errors, [times] docs/knowledge-base/timeouts, [azure] what Azure API Management and Microsoft Entra answer.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let own: Awaited<ReturnType<typeof testVipps>>;
beforeEach(async () => {
  own = await testVipps();
});
afterEach(() => own.stop());

const codeOf = ({ body }: { body: Record<string, unknown> }): string | undefined =>
  (body['extraDetails'] as { name: string; reason: string }[] | undefined)?.find(({ name }) => name === 'ErrorCode')?.reason;
const fieldOf = ({ body }: { body: Record<string, unknown> }): string | undefined =>
  (body['extraDetails'] as { name: string }[] | undefined)?.[0]?.name;
const sums = (authorized: number, cancelled: number, captured: number, refunded: number) => ({
  authorizedAmount: nok(authorized),
  cancelledAmount: nok(cancelled),
  capturedAmount: nok(captured),
  refundedAmount: nok(refunded),
});

describe('the access token', () => {
  test('holds an hour, in texts, and is a JWT [spec]', async () => {
    const { status, body } = await own.getToken();
    expect(status).toBe(200);
    const text = expect.any(String) as string;
    expect(body).toEqual({
      token_type: 'Bearer',
      expires_in: '3599',
      ext_expires_in: '3599',
      expires_on: text,
      not_before: text,
      resource: text,
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
    });
    expect((await own.create('order-0001')).status).toBe(201);
    await own.pass(61 * MINUTE);
    expect((await own.get('order-0001')).status).toBe(401);
    await own.signIn();
    expect((await own.get('order-0001')).status).toBe(200);
  });

  test.each([
    ['client_id', 400, { error: 'unauthorized_client', error_codes: [700016] }],
    ['client_secret', 401, { error: 'invalid_client', error_codes: [7000215] }],
    ['ocp-apim-subscription-key', 401, { statusCode: 401 }],
  ])('says which key is wrong: %s [azure]', async (name, status, body) => {
    expect(await own.getToken({ [name]: 'wrong' })).toMatchObject({ status, body });
  });
});

describe('headers', () => {
  test.each([
    ['no token', { authorization: null }, 401, undefined],
    ['another token', { authorization: 'Bearer nonsense' }, 401, undefined],
    ['no subscription key', { 'ocp-apim-subscription-key': null }, 401, undefined],
    ['another subscription key', { 'ocp-apim-subscription-key': 'wrong' }, 401, undefined],
    ['no sales unit', { 'merchant-serial-number': null }, 400, 'Merchant-Serial-Number'],
    ['another sales unit', { 'merchant-serial-number': '654321' }, 403, undefined],
    ['no idempotency key', { 'idempotency-key': null }, 400, 'Idempotency-Key'],
    ['too long a key', { 'idempotency-key': 'k'.repeat(51) }, 400, 'Idempotency-Key'],
    ['too long a system', { 'vipps-system-name': 's'.repeat(31) }, 400, 'Vipps-System-name'],
  ])('%s', async (_name, headers, status, field) => {
    const answer = await own.create('order-0001', {}, headers);
    expect([answer.status, fieldOf(answer)]).toEqual([status, field]);
    expect(own.vipps.ledger.payments()).toEqual([]);
  });

  test('what is nowhere is 404, of the gateway', async () => {
    expect(await own.call('GET', '/epayment/v2/payments')).toMatchObject({ status: 404, body: { statusCode: 404 } });
  });
});

describe('create', () => {
  test('answers an address and the reference [spec]', async () => {
    const { status, body } = await own.create('order-0001');
    expect([status, Object.keys(body)]).toEqual([201, ['redirectUrl', 'reference']]);
    expect((await own.get('order-0001')).body).toEqual({
      amount: nok(10_000),
      state: 'CREATED',
      aggregate: sums(0, 0, 0, 0),
      pspReference: expect.any(String) as string,
      reference: 'order-0001',
      paymentMethod: { type: 'WALLET' },
      profile: {},
      redirectUrl: body['redirectUrl'],
    });
  });

  const push = { userFlow: 'PUSH_MESSAGE', returnUrl: undefined };
  const soon = (ms: number) => new Date(Date.UTC(2027, 0, 15, 12) + ms).toISOString();
  test.each([
    ['no amount', { amount: undefined }, undefined, 'amount'],
    ['a fraction', { amount: nok(100.5) }, '4040', undefined],
    ['a text for an amount', { amount: nok('1000') }, '4040', undefined],
    ['less than nothing', { amount: nok(-100) }, '4040', undefined],
    ['99 øre', { amount: nok(99) }, '6010', undefined],
    ['more than the provider takes', { amount: nok(65_000_001) }, '4040', undefined],
    ['Swedish money', { amount: { currency: 'SEK', value: 1000 } }, undefined, 'amount.currency'],
    ['a short reference', { reference: 'short-1' }, undefined, 'reference'],
    ['a reference with a slash', { reference: 'order/0001' }, undefined, 'reference'],
    ['a long reference', { reference: 'o'.repeat(65) }, undefined, 'reference'],
    ['no way to pay', { paymentMethod: undefined }, undefined, 'paymentMethod.type'],
    ['an unknown flow', { userFlow: 'FAX' }, undefined, 'userFlow'],
    ['a card by push', { ...push, paymentMethod: { type: 'CARD' }, customer: { phoneNumber: '4791234567' } }, undefined, 'userFlow'],
    ['no way back', { returnUrl: undefined }, '4140', undefined],
    ['plain http back to elsewhere', { returnUrl: 'http://shop.example' }, '4090', undefined],
    ['a script for a way back', { returnUrl: 'javascript:alert(1)' }, '4090', undefined],
    ['push to nobody', push, '4140', undefined],
    ['push to a number with a plus', { ...push, customer: { phoneNumber: '+4791234567' } }, '4070', undefined],
    ['two customers in one', { customer: { phoneNumber: '4791234567', personalQr: 'https://qr.example/1' } }, undefined, 'customer'],
    ['a word for a description', { paymentDescription: 'ab' }, undefined, 'paymentDescription'],
    ['an unknown scope', { profile: { scope: 'name shoeSize' } }, '4080', undefined],
    ['six notes', { metadata: { a: '', b: '', c: '', d: '', e: '', f: '' } }, '4100', undefined],
    ['a long note', { metadata: { a: 'x'.repeat(501) } }, '4130', undefined],
    ['a QR code as a song', { userFlow: 'QR', qrFormat: { format: 'AUDIO/MP3' } }, undefined, 'qrFormat.format'],
    ['an end for a redirect', { expiresAt: soon(DAY), receipt: {} }, undefined, 'expiresAt'],
    ['an end in five minutes', { userFlow: 'QR', expiresAt: soon(5 * MINUTE), receipt: {} }, '6120', undefined],
    ['an end in a year', { userFlow: 'QR', expiresAt: soon(365 * DAY), receipt: {} }, '6110', undefined],
    ['an end without a receipt', { userFlow: 'QR', expiresAt: soon(DAY) }, '6130', undefined],
  ])('refuses %s [spec, errors]', async (_name, more, code, field) => {
    const answer = await own.create('order-0001', more);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        type: 'https://httpstatuses.io/400',
        status: 400,
        instance: '/v1/payments',
        traceId: expect.stringMatching(/^00-/) as string,
      },
    });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect([codeOf(answer), code === undefined ? fieldOf(answer) : undefined]).toEqual([code, field]);
  });

  test('refuses what is no JSON', async () => {
    expect(fieldOf(await own.call('POST', '/epayment/v1/payments', '{"amount":'))).toBe('body');
  });

  test('by push names no address, and stays as long as it was told [spec]', async () => {
    const expiresAt = new Date(own.now() + 2 * DAY).toISOString();
    const more = { userFlow: 'PUSH_MESSAGE', customer: { phoneNumber: '4791234567' }, expiresAt, receipt: { orderLines: [] } };
    expect((await own.create('order-0001', more)).body).toEqual({ reference: 'order-0001' });
    await own.pass(DAY);
    await own.signIn();
    expect((await own.get('order-0001')).body).toMatchObject({ state: 'CREATED' });
    await own.pass(DAY);
    await own.signIn();
    expect((await own.get('order-0001')).body).toMatchObject({ state: 'EXPIRED' });
  });

  test('keeps notes, and tells who paid where that was asked', async () => {
    await own.create('order-0001', { metadata: { door: '7' }, profile: { scope: 'name phoneNumber' } });
    await own.approve('order-0001');
    expect((await own.get('order-0001')).body).toMatchObject({ metadata: { door: '7' }, profile: { sub: expect.any(String) as string } });
  });

  test('takes a reference once for each sales unit', async () => {
    await own.create('order-0001');
    const again = await own.create('order-0001');
    expect([again.status, codeOf(again)]).toEqual([409, '4150']);
    expect((await own.create('ORDER-0001')).status).toBe(201);
    const other = newMerchant('Other AS');
    own.vipps.ledger.addMerchant(other);
    const keys = { 'ocp-apim-subscription-key': other.subscriptionKey, 'merchant-serial-number': other.msn };
    const token = await own.getToken({ ...keys, client_id: other.clientId, client_secret: other.clientSecret });
    const theirs = { ...keys, authorization: `Bearer ${String(token.body['access_token'])}` };
    expect((await own.create('order-0001', {}, theirs)).status).toBe(201);
    expect((await own.create('order-0002', {}, { ...theirs, 'merchant-serial-number': DEMO_MERCHANT.msn })).status).toBe(403);
  });
});

describe('idempotency', () => {
  test('the same again gets the same answer, and happens once', async () => {
    const key = { 'idempotency-key': 'one' };
    const first = await own.create('order-0001', {}, key);
    const again = await own.create('order-0001', {}, key);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    await own.approve('order-0001');
    const captured = await own.change('capture', 'order-0001', 400, { 'idempotency-key': 'two' });
    expect((await own.change('capture', 'order-0001', 400, { 'idempotency-key': 'two' })).body).toEqual(captured.body);
    expect((await own.get('order-0001')).body).toMatchObject({ aggregate: sums(10_000, 0, 400, 0) });
  });

  test('another body under the same key is 409 [errors]', async () => {
    await own.create('order-0001', {}, { 'idempotency-key': 'one' });
    const other = await own.create('order-0001', { amount: nok(20_000) }, { 'idempotency-key': 'one' });
    expect([other.status, codeOf(other)]).toEqual([409, '4020']);
    await own.approve('order-0001');
    await own.change('capture', 'order-0001', 400, { 'idempotency-key': 'two' });
    const capture = await own.change('capture', 'order-0001', 500, { 'idempotency-key': 'two' });
    expect([capture.status, codeOf(capture)]).toEqual([409, '4010']);
    await own.change('refund', 'order-0001', 100, { 'idempotency-key': 'three' });
    const refund = await own.change('refund', 'order-0001', 200, { 'idempotency-key': 'three' });
    expect([refund.status, codeOf(refund)]).toEqual([409, '4150']);
  });

  test('what was refused can be asked again under its key', async () => {
    await own.create('order-0001');
    const key = { 'idempotency-key': 'two' };
    expect((await own.change('capture', 'order-0001', 400, key)).status).toBe(400);
    await own.approve('order-0001');
    expect((await own.change('capture', 'order-0001', 400, key)).status).toBe(200);
  });
});

describe('money', () => {
  test('moves in the sums alone, and each step is an event of its own [ops]', async () => {
    await own.create('order-0001', {}, { 'idempotency-key': 'born' });
    expect(await own.approve('order-0001')).toMatchObject({ status: 200, body: {} });
    expect((await own.change('capture', 'order-0001', 2500)).body).toEqual({
      amount: nok(10_000),
      state: 'AUTHORIZED',
      aggregate: sums(10_000, 0, 2500, 0),
      pspReference: expect.any(String) as string,
      reference: 'order-0001',
    });
    expect((await own.change('capture', 'order-0001', 1500)).body).toMatchObject({ aggregate: sums(10_000, 0, 4000, 0) });
    expect((await own.change('cancel', 'order-0001')).body).toMatchObject({ state: 'AUTHORIZED', aggregate: sums(10_000, 6000, 4000, 0) });
    expect((await own.change('refund', 'order-0001', 1000)).body).toMatchObject({ aggregate: sums(10_000, 6000, 4000, 1000) });
    expect((await own.change('refund', 'order-0001', 3000)).body).toMatchObject({
      state: 'AUTHORIZED',
      aggregate: sums(10_000, 6000, 4000, 4000),
    });
    const events = await own.events('order-0001');
    const short = events.map((event) => [event['name'], (event['amount'] as { value: number }).value, event['success']]);
    expect(short).toEqual([
      ['CREATED', 10_000, true],
      ['AUTHORIZED', 10_000, true],
      ['CAPTURED', 2500, true],
      ['CAPTURED', 1500, true],
      ['CANCELLED', 6000, true],
      ['REFUNDED', 1000, true],
      ['REFUNDED', 3000, true],
    ]);
    expect(events[1]).toMatchObject({ reference: 'order-0001', idempotencyKey: 'born', timestamp: new Date(own.now()).toISOString() });
    expect(new Set(events.map((event) => event['pspReference'])).size).toBe(7);
  });

  type Step = ['capture' | 'refund', number] | ['cancel' | 'approve' | 'refuse' | 'expire'] | ['pass', number];
  const take = async ([what, value]: Step) => {
    if (what === 'pass') {
      await own.pass(value);
      return own.signIn();
    }
    if (what === 'approve') return own.approve('order-0001');
    if (what === 'capture' || what === 'refund' || what === 'cancel') return own.change(what, 'order-0001', value);
    const [payment] = own.vipps.ledger.payments();
    return payment && own.vipps.ledger.act(payment, what);
  };
  const never: [string, Step[], Step, string][] = [
    ['capture before it is approved', [], ['capture', 100], '6080'],
    ['capture after the payer refused', [['refuse']], ['capture', 100], '6200'],
    ['capture after it ran out', [['expire']], ['capture', 100], '6200'],
    ['capture after the merchant ended it', [['cancel']], ['capture', 100], '6070'],
    ['capture what was released', [['approve'], ['cancel']], ['capture', 100], '6070'],
    ['capture more than was approved', [['approve']], ['capture', 10_001], '6090'],
    ['capture more than is left', [['approve'], ['capture', 9000]], ['capture', 1001], '6090'],
    ['capture once all is captured', [['approve'], ['capture', 10_000]], ['capture', 100], '6170'],
    ['capture a fraction', [['approve']], ['capture', 0.5], '4040'],
    ['capture nothing', [['approve']], ['capture', 0], '4040'],
    ['capture after half a year', [['approve'], ['pass', 180 * DAY]], ['capture', 100], '6100'],
    ['refund before it is approved', [], ['refund', 100], '6020'],
    ['refund what is only reserved', [['approve']], ['refund', 100], '6210'],
    ['refund more than was captured', [['approve'], ['capture', 500]], ['refund', 501], '6150'],
    ['refund more than is left', [['approve'], ['capture', 500], ['refund', 400]], ['refund', 101], '6150'],
    ['refund once all is back', [['approve'], ['capture', 500], ['refund', 500]], ['refund', 1], '6180'],
    ['refund after a year', [['approve'], ['capture', 500], ['pass', 365 * DAY]], ['refund', 1], '6220'],
    ['cancel once all is captured', [['approve'], ['capture', 10_000]], ['cancel'], '6040'],
    ['cancel twice', [['approve'], ['cancel']], ['cancel'], '6190'],
    ['cancel what the payer refused', [['refuse']], ['cancel'], '6190'],
    ['cancel after half a year', [['approve'], ['pass', 180 * DAY]], ['cancel'], '6030'],
    ['approve what ran out', [['pass', 10 * MINUTE]], ['approve'], '10010'],
    ['approve twice', [['approve']], ['approve'], '10010'],
  ];
  test.each(never)('nobody can %s [errors]', async (_name, before, step, code) => {
    await own.create('order-0001');
    for (const one of before) await take(one);
    const was = (await own.get('order-0001')).body;
    const answer = await take(step);
    expect(answer).toMatchObject({ status: 400, body: { instance: expect.stringContaining('/v1/') as string } });
    expect(codeOf(answer as { body: Record<string, unknown> })).toBe(code);
    expect((await own.get('order-0001')).body).toEqual(was);
  });

  test('a cancel before it is approved ends it, and calls all of it cancelled [ops]', async () => {
    await own.create('order-0001');
    expect((await own.change('cancel', 'order-0001')).body).toMatchObject({ state: 'TERMINATED', aggregate: sums(0, 10_000, 0, 0) });
  });

  test('a cancel of the request alone leaves what was approved', async () => {
    const path = '/epayment/v1/payments/order-0001/cancel';
    await own.create('order-0001');
    await own.approve('order-0001');
    const answer = await own.call('POST', path, { cancelTransactionOnly: true });
    expect([answer.status, codeOf(answer)]).toEqual([400, '6060']);
    await own.create('order-0002');
    expect((await own.call('POST', path.replace('0001', '0002'), { cancelTransactionOnly: true })).body).toMatchObject({
      state: 'TERMINATED',
    });
  });

  test('ten minutes end what nobody answered [times], and half a year a reservation in Norway', async () => {
    await own.create('order-0001');
    await own.create('order-0002');
    await own.approve('order-0002');
    await own.pass(10 * MINUTE);
    expect((await own.get('order-0001')).body).toMatchObject({ state: 'EXPIRED' });
    await own.pass(180 * DAY);
    await own.signIn();
    expect((await own.get('order-0002')).body).toMatchObject({ state: 'AUTHORIZED', aggregate: sums(10_000, 10_000, 0, 0) });
    expect((await own.events('order-0002')).at(-1)).not.toHaveProperty('idempotencyKey');
  });

  test('a declined card is an event without success, and the payer may try again', async () => {
    await own.create('order-0001');
    const [payment] = own.vipps.ledger.payments();
    if (payment) own.vipps.ledger.act(payment, 'decline');
    expect((await own.get('order-0001')).body).toMatchObject({ state: 'CREATED', aggregate: sums(0, 0, 0, 0) });
    expect((await own.events('order-0001')).at(-1)).toMatchObject({ name: 'AUTHORIZED', success: false });
    expect((await own.approve('order-0001')).status).toBe(200);
  });

  test('nothing is known of a reference that nobody used', async () => {
    for (const answer of [await own.get('order-0009'), await own.change('capture', 'order-0009', 100)])
      expect([answer.status, codeOf(answer)]).toEqual([404, '5090']);
  });
});

describe('limits [errors]', () => {
  test('five changes of one kind a minute, for each reference', async () => {
    await own.create('order-0001');
    await own.approve('order-0001');
    for (let n = 0; n < 5; n += 1) expect((await own.change('capture', 'order-0001', 100)).status).toBe(200);
    const over = await own.change('capture', 'order-0001', 100);
    expect([over.status, over.body['statusCode'], over.headers.get('retry-after')]).toEqual([429, 429, '60']);
    expect((await own.change('refund', 'order-0001', 100)).status).toBe(200);
    await own.pass(MINUTE);
    expect((await own.change('capture', 'order-0001', 100)).status).toBe(200);
  });

  test('120 looks a minute', async () => {
    await own.create('order-0001');
    for (let n = 0; n < 120; n += 1) await own.get('order-0001');
    expect((await own.get('order-0001')).status).toBe(429);
    expect((await own.call('GET', '/epayment/v1/payments/order-0001/events')).status).toBe(200);
  });
});

test('a restart forgets no money, no webhook and no key that was used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hatchway-vipps-'));
  const before = await testVipps(folder);
  await before.create('order-0001');
  await before.approve('order-0001');
  await before.change('capture', 'order-0001', 400, { 'idempotency-key': 'kept' });
  await before.listen('captured');
  const was = (await before.get('order-0001')).body;
  await before.stop();
  const after = await testVipps(folder);
  expect((await after.get('order-0001')).body).toEqual(was);
  expect((await after.call('GET', '/webhooks/v1/webhooks')).body['webhooks']).toHaveLength(1);
  await after.change('capture', 'order-0001', 400, { 'idempotency-key': 'kept' });
  expect((await after.get('order-0001')).body).toEqual(was);
  await after.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('registering webhooks [hooks]', () => {
  test('answers a secret once, lists without it, and removes', async () => {
    const events = ['epayments.payment.captured.v1', 'epayments.payment.created.v1'];
    const { status, body } = await own.call('POST', '/webhooks/v1/webhooks', { url: 'https://shop.example/hook', events });
    expect([status, Object.keys(body)]).toEqual([201, ['id', 'secret']]);
    const listed = { webhooks: [{ id: body['id'], url: 'https://shop.example/hook', events }] };
    expect((await own.call('GET', '/webhooks/v1/webhooks')).body).toEqual(listed);
    expect((await own.call('DELETE', `/webhooks/v1/webhooks/${String(body['id'])}`)).status).toBe(204);
    expect((await own.call('GET', '/webhooks/v1/webhooks')).body).toEqual({ webhooks: [] });
    expect((await own.call('DELETE', `/webhooks/v1/webhooks/${String(body['id'])}`)).status).toBe(404);
  });

  test.each([
    ['plain http', { url: 'http://shop.example/hook', events: ['epayments.payment.created.v1'] }, 'url'],
    ['no address', { events: ['epayments.payment.created.v1'] }, 'url'],
    ['no events', { url: 'https://shop.example/hook', events: [] }, 'events'],
    ['an unknown event', { url: 'https://shop.example/hook', events: ['epayments.payment.lost.v1'] }, 'events'],
  ])('refuses %s', async (_name, body, field) => {
    const answer = await own.call('POST', '/webhooks/v1/webhooks', body);
    expect([answer.status, fieldOf(answer)]).toEqual([400, field]);
  });

  test('25 for one event, and no more', async () => {
    const register = () =>
      own.call('POST', '/webhooks/v1/webhooks', { url: 'https://a.example', events: ['epayments.payment.created.v1'] });
    for (let n = 0; n < 25; n += 1) expect((await register()).status).toBe(201);
    expect((await register()).status).toBe(400);
  });
});
