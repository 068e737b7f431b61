import { createClient } from '@hatchway/contract/client.ts';
import { startVipps } from '@hatchway/sandbox/alone.ts';
import { DEMO_MERCHANT, type Merchant } from '@hatchway/sandbox/vipps/merchant.ts';
import { VIPPS_API } from '@hatchway/sandbox/vipps/mount.ts';

import { freePort } from '@hatchway/server/db/ports.ts';
import { qrImage } from './qr.ts';

/** The provider in this process, which outlives a server that is killed. */
export const startProvider = async () => startVipps({ port: await freePort(), drawQr: qrImage });

const keys = {
  client_id: DEMO_MERCHANT.clientId,
  client_secret: DEMO_MERCHANT.clientSecret,
  'ocp-apim-subscription-key': DEMO_MERCHANT.subscriptionKey,
  'merchant-serial-number': DEMO_MERCHANT.msn,
};

async function send<T>(url: string, headers: Record<string, string>, body?: unknown): Promise<T> {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...keys, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...text,
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Asks somebody for 89 kroner by the sandbox's own wire, as any shop would; answers what follows the address of the payer's page. */
export async function askPayer(origin: string, what = 'Drill bit 6 mm'): Promise<string> {
  const api = origin + VIPPS_API;
  const { access_token: token } = await send<{ access_token: string }>(`${api}/accesstoken/get`, {});
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() };
  const { redirectUrl } = await send<{ redirectUrl: string }>(`${api}/epayment/v1/payments`, headers, {
    amount: { currency: 'NOK', value: 8900 },
    paymentMethod: { type: 'WALLET' },
    reference: `look-${crypto.randomUUID()}`,
    userFlow: 'WEB_REDIRECT',
    returnUrl: `${origin}/`,
    paymentDescription: what,
  });
  return new URL(redirectUrl).search;
}

/** What an administrator types to connect a company to the sandbox's provider: a sales unit of its own, so that nobody hears of another's payments. */
export async function newKeys(origin: string, name: string) {
  const { msn, clientId, clientSecret, subscriptionKey } = await send<Merchant>(`${origin}/sandbox/vipps/merchants`, {}, { name });
  return { settings: { merchantSerialNumber: msn, clientId, testMode: true }, secrets: { clientSecret, subscriptionKey } };
}

/** Begins to buy the first thing that a shop sells; answers what the addresses of the shop's pages need. */
export async function beginToBuy(origin: string, shop: string): Promise<{ shop: string; good: string; purchase: string }> {
  const api = createClient({ base: `${origin}/v1`, token: () => null });
  const seen = await api('GET /shop/{name}', { params: { name: shop }, query: {} });
  const good = seen?.goods.find(({ hold }) => hold === null);
  if (!good) throw new Error(`${shop} sells nothing now.`);
  const { purchase } = await api('POST /shop/{name}/goods/{id}/buy', {
    params: { name: shop, id: good.id },
    body: { ...good.price, email: 'kari@example.test' },
  });
  return { shop, good: good.id, purchase };
}
