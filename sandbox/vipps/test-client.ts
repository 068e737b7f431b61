import Fastify, { type FastifyInstance } from 'fastify';
import { signatureOf } from './hooks.ts';
import { DEMO_MERCHANT } from './merchant.ts';
import { createVipps } from './provider.ts';
import { mountWire } from './wire.ts';

type Json = Record<string, unknown>;
export type Heard = { name: string; reference: string; success: boolean; isTrue: boolean; headers: Json };
type Reply = { status: number; headers: Headers; body: Json };

const NOON = Date.UTC(2027, 0, 15, 12);
const parsed = (text: string): Json => (text === '' ? {} : (JSON.parse(text) as Json));
export const nok = (value: unknown) => ({ currency: 'NOK', value });
export const order = (reference: string, more: Json = {}): Json => ({
  amount: nok(10_000),
  paymentMethod: { type: 'WALLET' },
  reference,
  userFlow: 'WEB_REDIRECT',
  returnUrl: 'https://shop.example/back',
  ...more,
});

/** A provider with a clock of its own, somebody who calls it over HTTP, and a server that hears its webhooks. */
export async function testVipps(folder?: string) {
  let time = NOON;
  const vipps = createVipps({ ...(folder === undefined ? {} : { folder }), now: () => time });
  const app: FastifyInstance = Fastify();
  mountWire(app, vipps.ledger, vipps.hooks, vipps.faults, {
    prefix: '/sandbox/vipps/api',
    pageOf: ({ order: { userFlow }, token }) => (userFlow === 'PUSH_MESSAGE' ? null : `http://127.0.0.1/pay?token=${token}`),
  });
  const base = `${await app.listen({ host: '127.0.0.1', port: 0 })}/sandbox/vipps/api`;

  const heard: Heard[] = [];
  const receiver = { url: '', secret: '', status: 200 };
  const ear = Fastify();
  ear.removeAllContentTypeParsers();
  ear.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  ear.post('/hook', (request, reply) => {
    const body = request.body as string;
    const headers = request.headers;
    const want = signatureOf(receiver.secret, new URL(receiver.url), body, String(headers['x-ms-date']));
    const isTrue = headers.authorization === want['authorization'] && headers['x-ms-content-sha256'] === want['x-ms-content-sha256'];
    heard.push({ ...(JSON.parse(body) as Heard), isTrue, headers });
    return reply.code(receiver.status).send();
  });
  receiver.url = `${await ear.listen({ host: '127.0.0.1', port: 0 })}/hook?for=us`;

  let token = '';
  let keys = 0;
  const call = async (method: string, path: string, body?: unknown, more: Record<string, string | null> = {}): Promise<Reply> => {
    const all: Record<string, string | null> = {
      authorization: `Bearer ${token}`,
      'ocp-apim-subscription-key': DEMO_MERCHANT.subscriptionKey,
      'merchant-serial-number': DEMO_MERCHANT.msn,
      ...(method === 'POST' ? { 'idempotency-key': `key-${(keys += 1)}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    };
    const headers = Object.entries(all).flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(base + path, { method, headers, ...(text === undefined ? {} : { body: text }) });
    return { status: answer.status, headers: answer.headers, body: parsed(await answer.text()) };
  };
  const getToken = (more: Record<string, string> = {}) =>
    call('POST', '/accesstoken/get', undefined, { client_id: DEMO_MERCHANT.clientId, client_secret: DEMO_MERCHANT.clientSecret, ...more });
  const signIn = async () => {
    token = String((await getToken()).body['access_token']);
  };
  await signIn();

  const payment = (reference: string, rest = '') => `/epayment/v1/payments/${reference}${rest}`;
  return {
    vipps,
    app,
    base,
    heard,
    receiver,
    call,
    getToken,
    signIn,
    now: () => time,
    /** Moves the clock, and waits for what that sets off. */
    pass: async (ms: number) => {
      time += ms;
      await vipps.tick();
    },
    create: (reference: string, more?: Json, headers?: Record<string, string | null>) =>
      call('POST', '/epayment/v1/payments', order(reference, more), headers),
    approve: (reference: string) =>
      call('POST', `/epayment/v1/test/payments/${reference}/approve`, { customer: { phoneNumber: '4791234567' } }),
    get: (reference: string) => call('GET', payment(reference)),
    events: async (reference: string) => (await call('GET', payment(reference, '/events'))).body as unknown as Json[],
    /** `value` in øre; a cancel takes none. */
    change: (what: 'capture' | 'refund' | 'cancel', reference: string, value?: unknown, headers?: Record<string, string | null>) =>
      call('POST', payment(reference, `/${what}`), value === undefined ? undefined : { modificationAmount: nok(value) }, headers),
    listen: async (...names: string[]) => {
      const events = names.map((name) => `epayments.payment.${name}.v1`);
      const { body } = await call('POST', '/webhooks/v1/webhooks', { url: receiver.url, events });
      receiver.secret = String(body['secret']);
      return String(body['id']);
    },
    stop: async () => {
      await app.close();
      await ear.close();
    },
  };
}
