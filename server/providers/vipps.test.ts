import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readProvider } from '@hatchway/domain/provider.ts';
import { createOutside } from '../outside/fetch.ts';
import { isSignedByVipps, openVipps, vippsAddress } from './vipps.ts';

// The bodies and headers are those of the provider's documents. [token] developer.vippsmobilepay.com api/access-token, [create], [get],
// [events], [capture], [cancel] vippsas/vipps-epayment-api operations/*.md, [hooks] vippsas/webhooks-api api-guide.md, [signature] the same
// repository's request-authentication.md, [errors] docs/APIs/epayment-api/api-guide/errors, [azure] what the gateway and Entra answer.

type Call = { method: string; url: string; headers: IncomingHttpHeaders; body: unknown };
type Answer = { status: number; body?: unknown };
let provider: Server;
let port = 0;
const calls: Call[] = [];
let answers: Answer[] = [];
beforeAll(async () => {
  provider = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      calls.push({ method, url, headers, body: body === '' ? undefined : JSON.parse(body) });
      const answer = answers.shift() ?? { status: 500 };
      reply.writeHead(answer.status, { 'content-type': 'application/json' });
      reply.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
  port = (provider.address() as AddressInfo).port;
});
beforeEach(() => {
  calls.length = 0;
  answers = [];
});
afterAll(() => new Promise((done) => provider.close(done)));

const KEYS = {
  merchantSerialNumber: '123456',
  clientSecret: 'Y8Kteew6GE2ZmeycEt6egg==',
  subscriptionKey: '0f14ebcab0ec4b29ae0cb90d91b4a84a',
};
/** Seconds are texts [token]. */
const TOKEN = {
  token_type: 'Bearer',
  expires_in: '3599',
  ext_expires_in: '3599',
  expires_on: '1547823408',
  not_before: '1547819508',
  resource: '00000002-0000-0000-c000-000000000000',
  access_token: 'eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9',
};
let own = 0;
/** With keys of its own, so that no token of another test is kept; each answer but the token's is the test's. */
const vipps = (...said: Answer[]) => {
  answers = [{ status: 200, body: TOKEN }, ...said];
  return openVipps(createOutside([port]), `http://127.0.0.1:${port}`, { ...KEYS, clientId: `client-${++own}` }, () => Date.now());
};
const nok = (value: number) => ({ currency: 'NOK', value });
const aggregate = (authorized: number, cancelled: number, captured: number, refunded: number) => ({
  authorizedAmount: nok(authorized),
  cancelledAmount: nok(cancelled),
  capturedAmount: nok(captured),
  refundedAmount: nok(refunded),
});
const REFERENCE = 'acme-shop-123-order123abc';
const KEY = '49ca711a-acee-4d01-9773-9487112e1def';
const ORDER = {
  reference: REFERENCE,
  amount: 6_000,
  currency: 'NOK',
  description: 'Drill bit',
  returnUrl: 'https://example.com/redirect?orderId=1512202',
  tlf: null,
};
const last = (): Call => {
  const call = calls.at(-1);
  if (!call) throw new Error('Nothing was called.');
  return call;
};

describe('a call', () => {
  it('asks for a token by the four keys and an empty body, and keeps it while it lasts [token]', async () => {
    const paid = { status: 200, body: { state: 'CREATED', aggregate: aggregate(0, 0, 0, 0) } };
    const client = vipps(paid, paid);
    await client.get(REFERENCE);
    await client.get(REFERENCE);
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /accesstoken/get',
      `GET /epayment/v1/payments/${REFERENCE}`,
      `GET /epayment/v1/payments/${REFERENCE}`,
    ]);
    expect(calls[0]?.body).toBeUndefined();
    expect(calls[0]?.headers).toMatchObject({
      client_id: `client-${own}`,
      client_secret: KEYS.clientSecret,
      'ocp-apim-subscription-key': KEYS.subscriptionKey,
      'merchant-serial-number': KEYS.merchantSerialNumber,
    });
  });

  it('bears the token, the keys and the system’s name, each within its length [create]', async () => {
    await vipps({ status: 201, body: { reference: REFERENCE } }).create(ORDER, KEY);
    const { headers } = last();
    expect(headers).toMatchObject({
      authorization: `Bearer ${TOKEN.access_token}`,
      'ocp-apim-subscription-key': KEYS.subscriptionKey,
      'merchant-serial-number': KEYS.merchantSerialNumber,
      'idempotency-key': KEY,
      'content-type': 'application/json',
    });
    const named = ['name', 'version', 'plugin-name', 'plugin-version'].map((part) => String(headers[`vipps-system-${part}`]));
    for (const text of named) expect(text).toMatch(/^.{1,30}$/);
  });

  it('goes to production or to the test environment, or where the operator says', () => {
    expect([vippsAddress(null, false), vippsAddress(null, true), vippsAddress('https://vipps.example', true)]).toEqual([
      'https://api.vipps.no',
      'https://apitest.vipps.no',
      'https://vipps.example',
    ]);
  });
});

describe('a payment', () => {
  it('is begun on a page, which the answer names [create]', async () => {
    const redirectUrl = 'https://landing.vipps.no?token=abc';
    const said = await vipps({ status: 201, body: { redirectUrl, reference: REFERENCE } }).create(ORDER, KEY);
    expect(said).toEqual({ kind: 'ok', value: { redirectUrl } });
    expect(last()).toMatchObject({ method: 'POST', url: '/epayment/v1/payments' });
    expect(last().body).toEqual({
      amount: nok(6_000),
      paymentMethod: { type: 'WALLET' },
      reference: REFERENCE,
      returnUrl: ORDER.returnUrl,
      paymentDescription: 'Drill bit',
      userFlow: 'WEB_REDIRECT',
    });
  });

  it('is begun on a phone by its digits alone, and no address is named [create]', async () => {
    const said = await vipps({ status: 201, body: { reference: REFERENCE } }).create({ ...ORDER, tlf: '+4791234567' }, KEY);
    expect(said).toEqual({ kind: 'ok', value: { redirectUrl: null } });
    expect(last().body).toMatchObject({ userFlow: 'PUSH_MESSAGE', customer: { phoneNumber: '4791234567' } });
  });

  it.each([
    ['approved, and given back: its state stays [get]', 'AUTHORIZED', aggregate(1_000, 1_000, 0, 0), 'cancelled'],
    ['ended before it was approved: the whole is called cancelled [cancel]', 'TERMINATED', aggregate(0, 1_000, 0, 0), 'cancelled'],
    ['captured in part, the rest released [cancel]', 'AUTHORIZED', aggregate(1_000, 750, 250, 0), 'captured'],
    ['captured [capture]', 'AUTHORIZED', aggregate(49_900, 0, 49_900, 0), 'captured'],
  ] as const)('is read: %s', async (_name, state, sums, ours) => {
    const body = {
      aggregate: sums,
      amount: nok(1_000),
      state,
      paymentMethod: { type: 'WALLET' },
      profile: {},
      pspReference: '37c34d8c-2649-448e-864b-060d5d93e4c4',
      reference: 'UNIQUE-PAYMENT-REFERENCE',
    };
    const said = await vipps({ status: 200, body }).get('UNIQUE-PAYMENT-REFERENCE');
    if (said.kind !== 'ok') throw new Error(said.error);
    expect(readProvider(said.value).state).toBe(ours);
    expect(said.value.redirectUrl).toBeNull();
  });

  it('tells what happened, a key where it knows one [events]', async () => {
    const event = (name: string, value: number, more: object) => ({
      reference: 'UNIQUE-PAYMENT-REFERENCE',
      pspReference: '2018200034',
      name,
      amount: nok(value),
      timestamp: '2023-03-27T10:52:07.748Z',
      success: true,
      ...more,
    });
    const body = [event('CAPTURED', 250, { idempotencyKey: KEY }), event('CANCELLED', 750, {})];
    expect(await vipps({ status: 200, body }).events('UNIQUE-PAYMENT-REFERENCE')).toEqual({
      kind: 'ok',
      value: [
        { name: 'CAPTURED', success: true, key: KEY },
        { name: 'CANCELLED', success: true, key: null },
      ],
    });
    expect(last().url).toBe('/epayment/v1/payments/UNIQUE-PAYMENT-REFERENCE/events');
  });

  it.each(['capture', 'refund'] as const)('is asked for a %s with its sum, under its key [capture]', async (what) => {
    const changed = { status: 200, body: { aggregate: aggregate(49_900, 0, 10_000, 0) } };
    const said = await vipps(changed)[what]({ reference: REFERENCE, amount: 10_000, currency: 'NOK' }, KEY);
    expect(said).toEqual({ kind: 'ok', value: null });
    expect(last()).toMatchObject({
      method: 'POST',
      url: `/epayment/v1/payments/${REFERENCE}/${what}`,
      headers: { 'idempotency-key': KEY },
      body: { modificationAmount: nok(10_000) },
    });
  });

  it.each([
    [true, { cancelTransactionOnly: true }],
    [false, {}],
  ])('is cancelled, and where it is said only before it is approved: %s [cancel]', async (unlessReserved, body) => {
    await vipps({ status: 200, body: { state: 'TERMINATED' } }).cancel(REFERENCE, KEY, unlessReserved);
    expect(last()).toMatchObject({ url: `/epayment/v1/payments/${REFERENCE}/cancel`, headers: { 'idempotency-key': KEY }, body });
  });
});

describe('a refusal', () => {
  const problem = (status: number, reason: string) => ({
    status,
    body: {
      type: 'https://httpstatuses.io/400',
      title: 'Bad Request',
      status,
      detail: 'Capture not possible',
      instance: '/v1/payments',
      traceId: '00-1',
      extraDetails: [{ name: 'ErrorCode', reason }],
    },
  });
  const capture = (...said: Answer[]) => vipps(...said).capture({ reference: REFERENCE, amount: 100, currency: 'NOK' }, KEY);

  it('of the provider’s is told with its code [errors]', async () => {
    const error = expect.stringContaining('ErrorCode 6080') as string;
    expect(await capture(problem(400, '6080'))).toEqual({ kind: 'refused', error, status: 400 });
  });

  it.each([
    [429, 'away'],
    [500, 'unknown'],
    [503, 'unknown'],
    [403, 'keys'],
  ] as const)('with %i is %s: what may have been done is not guessed at [azure]', async (status, kind) => {
    expect(await capture({ status, body: { statusCode: status, message: 'Rate limit is exceeded.' } })).toMatchObject({ kind, status });
  });

  it('of a token that was withdrawn asks for another one, once [azure]', async () => {
    const expired = { status: 401, body: { statusCode: 401, message: 'Unauthorized' } };
    expect(await capture(expired, { status: 200, body: TOKEN }, { status: 200, body: {} })).toEqual({ kind: 'ok', value: null });
    expect(calls.map(({ url }) => url.split('/').at(-1))).toEqual(['get', 'capture', 'get', 'capture']);
    expect(calls.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, KEY, undefined, KEY]);
  });

  it.each([
    [401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' }, 'wrong-client-secret'],
    [400, { error: 'unauthorized_client', error_description: 'AADSTS700016: Application was not found.' }, 'wrong-client-id'],
    [401, { statusCode: 401, message: 'Access denied due to invalid subscription key.' }, 'wrong-subscription-key'],
  ])('of a key names the key [azure]: %i %j', async (status, body, error) => {
    const client = vipps();
    answers = [{ status, body }];
    expect(await client.test()).toMatchObject({ kind: 'keys', error });
  });
});

describe('a webhook', () => {
  it('is registered with our address and every event, and answers its secret [hooks]', async () => {
    const body = { id: '497f6eca-6276-4993-bfeb-53cbbbba6f08', secret: '090a478d-37ff-4e77-970e-d457aeb26a3a' };
    const said = await vipps({ status: 201, body }).register('https://example.com/mystore_website_backend');
    expect(said).toEqual({ kind: 'ok', value: body });
    expect(last()).toMatchObject({ method: 'POST', url: '/webhooks/v1/webhooks' });
    const { url, events } = last().body as { url: string; events: string[] };
    expect(url).toBe('https://example.com/mystore_website_backend');
    expect(events).toContain('epayments.payment.authorized.v1');
    expect(events).toHaveLength(8);
  });

  it.each([204, 404])('is ended by its id, one that is not there too: %i [hooks]', async (status) => {
    expect(await vipps({ status }).unregister('497f6eca')).toEqual({ kind: 'ok', value: null });
    expect(last()).toMatchObject({ method: 'DELETE', url: '/webhooks/v1/webhooks/497f6eca' });
  });

  const signed = {
    body: Buffer.from('{"some-unique-content":"ee6e441b-cc4a-46f8-895d-a5af79bcc233/hello-world"}'),
    headers: {
      'x-ms-date': 'Thu, 30 Mar 2023 08:38:32 GMT',
      'x-ms-content-sha256': 'lNlsp1XA03N34HrQsVzPgJKtC+r7l/RBF4V3JQUWMj4=',
      authorization: 'HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=agAiSyogQbDHpeucoNwYz+yAr5nJ+v+zasdkSbqzv+U=',
    },
    url: 'https://webhook.site/e2cee29b-012e-4f1d-8ef4-e95fd74a7a63',
    secret: 'A0+AeKBRG2KRGvnNwJpQlb6IJFk48CKXCIcrLoHncVJKDILsQSxS6NWCccwWm6r6FhGKhiHTBsG2wo/xU6FY/A==',
  };
  it('is known by the sample that the provider publishes, and by nothing else [signature]', () => {
    expect(isSignedByVipps(signed)).toBe(true);
    expect(isSignedByVipps({ ...signed, body: Buffer.from('{}') })).toBe(false);
    expect(isSignedByVipps({ ...signed, url: 'https://webhook.site/another' })).toBe(false);
    expect(isSignedByVipps({ ...signed, secret: 'another' })).toBe(false);
    expect(isSignedByVipps({ ...signed, headers: { ...signed.headers, 'x-ms-date': 'Fri, 31 Mar 2023 08:38:32 GMT' } })).toBe(false);
    expect(isSignedByVipps({ ...signed, headers: {} })).toBe(false);
  });
});
