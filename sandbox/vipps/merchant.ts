import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** A sales unit of the sandbox's payment provider and the keys that it is called with. */
export type Merchant = { name: string; msn: string; clientId: string; clientSecret: string; subscriptionKey: string };

/** The one that is always there. Its keys open nothing but the sandbox. */
export const DEMO_MERCHANT: Merchant = {
  name: 'Demo AS',
  msn: '123456',
  clientId: '0d3a0000-0000-4000-8000-000000123456',
  clientSecret: 'demo-vipps-client-secret',
  subscriptionKey: 'demo-vipps-subscription-key',
};

/** Another one, so that companies which try at the same time hear nothing of each other's payments. */
export const newMerchant = (name: string): Merchant => ({
  name,
  msn: String(randomInt(1_000_000, 10_000_000)),
  clientId: randomUUID(),
  clientSecret: randomBytes(24).toString('base64'),
  subscriptionKey: randomBytes(16).toString('hex'),
});
