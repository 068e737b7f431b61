import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signatureOf } from './hooks.ts';
import { nok, testVipps } from './test-client.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let own: Awaited<ReturnType<typeof testVipps>>;
beforeEach(async () => {
  own = await testVipps();
});
afterEach(() => own.stop());

const names = () => own.heard.map(({ name }) => name);
/** What was set off just now is told. */
const settle = () => own.vipps.tick();

test('signs as the sample that the provider publishes [vippsas/webhooks-api request-authentication.md]', () => {
  const secret = 'A0+AeKBRG2KRGvnNwJpQlb6IJFk48CKXCIcrLoHncVJKDILsQSxS6NWCccwWm6r6FhGKhiHTBsG2wo/xU6FY/A==';
  const url = new URL('https://webhook.site/e2cee29b-012e-4f1d-8ef4-e95fd74a7a63');
  const body = '{"some-unique-content":"ee6e441b-cc4a-46f8-895d-a5af79bcc233/hello-world"}';
  expect(signatureOf(secret, url, body, 'Thu, 30 Mar 2023 08:38:32 GMT')).toEqual({
    'x-ms-date': 'Thu, 30 Mar 2023 08:38:32 GMT',
    'x-ms-content-sha256': 'lNlsp1XA03N34HrQsVzPgJKtC+r7l/RBF4V3JQUWMj4=',
    authorization: 'HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=agAiSyogQbDHpeucoNwYz+yAr5nJ+v+zasdkSbqzv+U=',
  });
});

describe('a webhook', () => {
  test('tells what was registered, signed over host, path and query, and no more', async () => {
    await own.listen('authorized', 'captured');
    await own.create('order-0001', {}, { 'idempotency-key': 'born' });
    await own.approve('order-0001');
    await own.change('capture', 'order-0001', 2500);
    await settle();
    expect(names()).toEqual(['AUTHORIZED', 'CAPTURED']);
    expect(own.heard.every(({ isTrue }) => isTrue)).toBe(true);
    const [first] = own.heard;
    const { headers: _headers, isTrue: _isTrue, ...body } = { ...first };
    expect(body).toEqual({
      msn: '123456',
      reference: 'order-0001',
      pspReference: expect.any(String) as string,
      name: 'AUTHORIZED',
      amount: nok(10_000),
      timestamp: new Date(own.now()).toISOString(),
      idempotencyKey: 'born',
      success: true,
    });
  });

  test('tells what time alone did', async () => {
    await own.listen('expired', 'cancelled', 'aborted', 'terminated');
    for (const reference of ['order-0001', 'order-0002', 'order-0003']) await own.create(reference);
    await own.approve('order-0002');
    await own.change('cancel', 'order-0003');
    await settle();
    await own.pass(10 * MINUTE);
    await own.pass(180 * DAY);
    expect(own.heard.map(({ name, reference }) => `${name} ${reference}`)).toEqual([
      'TERMINATED order-0003',
      'EXPIRED order-0001',
      'CANCELLED order-0002',
    ]);
  });

  test('that is refused comes again, ever later, and holds back what follows on that payment alone', async () => {
    await own.listen('created', 'authorized');
    own.receiver.status = 500;
    await own.create('order-0001');
    await own.approve('order-0001');
    await settle();
    expect(names()).toEqual(['CREATED']);
    await own.pass(999);
    expect(names()).toEqual(['CREATED']);
    await own.pass(1);
    expect(names()).toEqual(['CREATED', 'CREATED']);
    await own.pass(1000);
    expect(names()).toEqual(['CREATED', 'CREATED']);
    own.receiver.status = 200;
    await own.create('order-0002');
    await settle();
    expect(own.heard.at(-1)?.reference).toBe('order-0002');
    await own.pass(1000);
    expect(own.heard.slice(3).map(({ name, reference }) => `${name} ${reference}`)).toEqual([
      'CREATED order-0001',
      'AUTHORIZED order-0001',
    ]);
    expect(own.vipps.hooks.waiting()).toBe(0);
  });

  test('is given up after a week', async () => {
    await own.listen('created');
    own.receiver.status = 404;
    await own.create('order-0001');
    for (let day = 0; day < 9; day += 1) await own.pass(DAY);
    expect(own.vipps.hooks.waiting()).toBe(0);
  });

  test('that was removed is told nothing more', async () => {
    const id = await own.listen('created', 'authorized');
    own.receiver.status = 500;
    await own.create('order-0001');
    await settle();
    await own.call('DELETE', `/webhooks/v1/webhooks/${id}`);
    await own.approve('order-0001');
    await own.pass(MINUTE);
    expect(names()).toEqual(['CREATED']);
  });

  test('elsewhere than on this machine is never called', async () => {
    await own.call('POST', '/webhooks/v1/webhooks', { url: 'https://shop.example/hook', events: ['epayments.payment.created.v1'] });
    await own.create('order-0001');
    await settle();
    expect(own.vipps.hooks.sent()).toMatchObject([{ name: 'CREATED', status: null }]);
  });
});
