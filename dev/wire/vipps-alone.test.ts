import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DEMO_MERCHANT } from '@hatchway/sandbox/vipps/merchant.ts';
import { root } from '../command.ts';
import { freePort } from '@hatchway/server/db/ports.ts';

// `npm run sandbox -- vipps` as a process of its own: whatever client is pointed at it finds the wire at the root.

let port: number;
let child: ChildProcess;
let said = '';
let origin: string;
const start = (...args: string[]) => spawn(process.execPath, [path.join(root, 'dev/boot.mjs'), 'sandbox', ...args], { cwd: root });
beforeAll(async () => {
  port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  child = start('vipps', '--port', String(port));
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()));
  const ready = () => {
    if (!said.includes('Ctrl-C')) throw new Error(`Not ready: ${said}`);
  };
  await vi.waitFor(ready, { timeout: 60_000, interval: 50 });
}, 70_000);
afterAll(() => child.kill('SIGKILL'));

it('prints where it is and what it takes', () => {
  for (const word of [origin, ...Object.values(DEMO_MERCHANT).slice(1)]) expect(said).toContain(word);
});

it('gives a token, takes a payment and shows the payer’s page', async () => {
  const { msn, clientId, clientSecret, subscriptionKey } = DEMO_MERCHANT;
  const keys = { 'ocp-apim-subscription-key': subscriptionKey, 'merchant-serial-number': msn };
  const headers = { ...keys, client_id: clientId, client_secret: clientSecret };
  const token = (await (await fetch(`${origin}/accesstoken/get`, { method: 'POST', headers })).json()) as { access_token: string };
  const answer = await fetch(`${origin}/epayment/v1/payments`, {
    method: 'POST',
    headers: { ...keys, authorization: `Bearer ${token.access_token}`, 'idempotency-key': 'one', 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: { currency: 'NOK', value: 8900 },
      paymentMethod: { type: 'WALLET' },
      reference: 'order-0001',
      userFlow: 'WEB_REDIRECT',
      returnUrl: 'https://shop.example/back',
    }),
  });
  expect(answer.status).toBe(201);
  const { redirectUrl } = (await answer.json()) as { redirectUrl: string };
  expect(redirectUrl.startsWith(`${origin}/sandbox/vipps/pay?token=`)).toBe(true);
  expect((await fetch(redirectUrl)).status).toBe(200);
  expect((await fetch(origin)).url).toBe(`${origin}/sandbox/vipps`);
  const nowhere = await fetch(`${origin}/epayment/v2/payments`);
  expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { statusCode: 404 }]);
});

it('says how it is called where it is called otherwise', async () => {
  const other = start('fax');
  let heard = '';
  other.stderr.on('data', (part: Buffer) => (heard += part.toString()));
  expect(await new Promise((resolve) => other.once('close', resolve))).toBe(1);
  expect(heard).toContain('npm run sandbox -- vipps');
});

it('ends when it is told to', async () => {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
