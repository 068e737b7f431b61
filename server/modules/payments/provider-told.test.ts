import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payment } from '@hatchway/contract/payments.ts';
import { listen } from '../../live/test-listener.ts';
import { testCabinet, type TestCabinet } from '../../test-cabinet.ts';
import { testCompany, type TestPerson } from '../../test-company.ts';
import { testServer, type TestServer } from '../../test-server.ts';

/** A provider that takes every request, and whose payers never say anything. */
const nok = (value: number) => ({ currency: 'NOK', value });
const aggregate = { authorizedAmount: nok(0), capturedAmount: nok(0), refundedAmount: nok(0), cancelledAmount: nok(0) };
const answerTo = (path: string): object =>
  path === '/accesstoken/get' ? { access_token: 'token', expires_in: '3600' } : { state: 'CREATED', aggregate, redirectUrl: null };

let wire: Server;
let server: TestServer;
let admin: TestPerson;
let wall: TestCabinet;
beforeAll(async () => {
  wire = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answerTo(request.url ?? '')));
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  const { port } = wire.address() as AddressInfo;
  server = await testServer({ config: { vippsUrl: `http://127.0.0.1:${port}`, sandboxPorts: [port] } });
  admin = await (await testCompany(server)).person(['admin']);
  wall = await testCabinet(server, admin.api, 1);
});
afterAll(async () => {
  wall?.end();
  await server.stop();
  wire.close();
});

it('whoever follows a payment is told when its provider has answered, under the same version', async () => {
  const setup = {
    settings: { merchantSerialNumber: '123456', clientId: 'client' },
    secrets: { clientSecret: 's3cret', subscriptionKey: 'k3y' },
  };
  await admin.api('POST /integrations/{kind}', { params: { kind: 'vipps' }, body: setup });
  const { id: lockerId } = await wall.free();
  const body = { type: 'sale' as const, lockerId, assetText: 'Drill bit', price: { amount: 12_900, currency: 'NOK' }, quantity: 1 };
  const { id } = await admin.api('POST /occupations', { body });
  for (const action of ['fill', 'publish'] as const) await admin.api('PUT /occupations', { body: { id, action } });
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
