import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEMO_MERCHANT } from './merchant.ts';
import { mountVipps, VIPPS_API, type Books, type PaymentView } from './mount.ts';
import { createVipps, type Vipps } from './provider.ts';
import { order } from './test-client.ts';

let vipps: Vipps;
let app: FastifyInstance;
let base: string;
beforeEach(async () => {
  vipps = createVipps();
  app = Fastify();
  mountVipps(app, vipps, {
    origin: 'http://localhost:8080',
    drawQr: async (text, format) => (format === 'svg' ? `<svg>${text}</svg>` : Buffer.from(text)),
  });
  base = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
const json = async <T>(answer: Response | Promise<Response>) => (await (await answer).json()) as T;
const books = () => json<Books>(fetch(`${base}/sandbox/vipps/books`));

/** Asks over the wire; answers where the payer goes. */
async function ask(reference: string, more: Record<string, unknown> = {}, merchant = DEMO_MERCHANT): Promise<string | undefined> {
  const keys = { 'ocp-apim-subscription-key': merchant.subscriptionKey, 'merchant-serial-number': merchant.msn };
  const signIn = post(`${VIPPS_API}/accesstoken/get`, {}, { ...keys, client_id: merchant.clientId, client_secret: merchant.clientSecret });
  const { access_token: token } = await json<{ access_token: string }>(signIn);
  const headers = { ...keys, authorization: `Bearer ${token}`, 'idempotency-key': reference };
  return (await json<{ redirectUrl?: string }>(post(`${VIPPS_API}/epayment/v1/payments`, order(reference, more), headers))).redirectUrl;
}
const tokenOf = (redirectUrl = '') => new URL(redirectUrl).searchParams.get('token') ?? '';

test.each([
  ['approve', 200, 'AUTHORIZED'],
  ['refuse', 200, 'ABORTED'],
  ['expire', 200, 'EXPIRED'],
  ['decline', 200, 'CREATED'],
])('the payer’s phone can %s, and shows what became of it', async (act, status, state) => {
  const address = `/sandbox/vipps/payments/${tokenOf(await ask('order-0001', { paymentDescription: 'Drill bit' }))}`;
  const before = await json<PaymentView>(fetch(base + address));
  expect(before).toMatchObject({ merchant: 'Demo AS', value: 10_000, currency: 'NOK', description: 'Drill bit', state: 'CREATED' });
  const answer = await post(address, { act });
  expect([answer.status, (await json<PaymentView>(answer)).state]).toEqual([status, state]);
  expect((await books()).payments[0]).toMatchObject({ reference: 'order-0001', state, returnUrl: 'https://shop.example/back' });
});

test('what was decided is decided once', async () => {
  const address = `/sandbox/vipps/payments/${tokenOf(await ask('order-0001'))}`;
  await post(address, { act: 'refuse' });
  const late = await post(address, { act: 'approve' });
  expect([late.status, (await json<PaymentView>(late)).state]).toEqual([409, 'ABORTED']);
  expect((await post(address, { act: 'steal' })).status).toBe(400);
  expect((await post('/sandbox/vipps/payments/none', { act: 'approve' })).status).toBe(404);
});

test('each flow leads where its payer goes', async () => {
  const phone = { phoneNumber: '4791234567' };
  expect(await ask('order-0001')).toMatch(/^http:\/\/localhost:8080\/sandbox\/vipps\/pay\?token=/);
  expect(await ask('order-0002', { userFlow: 'PUSH_MESSAGE', customer: phone, returnUrl: undefined })).toBeUndefined();
  expect((await books()).payments[0]).toMatchObject({ phoneNumber: '4791234567', returnUrl: null });
  const target = await ask('order-0003', { userFlow: 'QR', qrFormat: { format: 'TEXT/TARGETURL' } });
  expect(target).toMatch(/\/sandbox\/vipps\/pay\?token=/);
  for (const [reference, format, type] of [
    ['order-0004', 'IMAGE/SVG+XML', 'image/svg+xml'],
    ['order-0005', 'IMAGE/PNG', 'image/png'],
  ] as const) {
    const image = new URL((await ask(reference, { userFlow: 'QR', qrFormat: { format } })) ?? '');
    const answer = await fetch(base + image.pathname + image.search);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(await answer.text()).toContain(`http://localhost:8080/sandbox/vipps/pay?token=${tokenOf(image.href)}`);
  }
});

test('the pages, their scripts and the stream of changes are there', async () => {
  for (const path of ['/sandbox/vipps', '/sandbox/vipps/', '/sandbox/vipps/pay', '/sandbox/pages/vipps.ts', '/sandbox/pages/vipps-pay.ts'])
    expect([path, (await fetch(base + path)).status]).toEqual([path, 200]);
  const stream = await fetch(`${base}/sandbox/vipps/events`);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  await ask('order-0001');
  expect((await reader?.read())?.value).toContain('changed');
  await reader?.cancel();
});

test('another sales unit has keys and payments of its own, and no webhook’s secret is shown', async () => {
  const merchant = await json<typeof DEMO_MERCHANT>(post('/sandbox/vipps/merchants', { name: 'Nordlys AS' }));
  await ask('order-0001', {}, merchant);
  vipps.ledger.addWebhook({ id: 'w', msn: merchant.msn, url: 'https://shop.example/hook', events: [], secret: 'not to be shown' });
  const shown = await books();
  expect(shown.payments[0]?.merchant).toBe('Nordlys AS');
  expect(shown.merchants.map(({ msn }) => msn)).toEqual([DEMO_MERCHANT.msn, merchant.msn]);
  expect(JSON.stringify(shown)).not.toContain('not to be shown');
  expect(shown.address).toBe('http://localhost:8080/sandbox/vipps/api');
});

test('faults are added, listed and cleared', async () => {
  expect((await post('/sandbox/vipps/faults', { kind: 'earthquake' })).status).toBe(400);
  const made = await post('/sandbox/vipps/faults', { kind: 'outage', times: null, reference: '' });
  expect(made.status).toBe(201);
  await post('/sandbox/vipps/faults', { kind: 'slow', reference: 'order-0001', ms: 10 });
  expect(await json(fetch(`${base}/sandbox/vipps/faults`))).toEqual([
    { kind: 'outage', times: null, reference: null, ms: 3000 },
    { kind: 'slow', times: 1, reference: 'order-0001', ms: 10 },
  ]);
  expect((await fetch(`${base}/sandbox/vipps/faults`, { method: 'DELETE' })).status).toBe(204);
  expect(vipps.faults.list()).toEqual([]);
});
