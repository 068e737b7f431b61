import type { Pickup } from '@hatchway/contract/pickup.ts';
import type { Deps } from '../../deps.ts';
import { hashToken, newToken } from '../../tokens.ts';
import { purchaseCode } from '../payments/provider-queries.ts';
import { settlePayment } from '../payments/settle-commands.ts';
import { view } from './view.ts';

/** What a payment is begun under: the key that opens what it pays for, once its money is reserved. */
export const newPurchase = (deps: Deps, tenantId: string) => {
  const purchase = newToken(tenantId);
  const key = { hash: hashToken(deps, purchase), sealed: deps.seal.close(purchase), find: null };
  return { purchase, code: purchaseCode(deps, purchase), key };
};

type Begun = { tenantId: string; occupationId: string; paymentId: string; purchase: string };
/** Asks the provider where it is approved, and answers what its buyer may know of it. Throws as `pickupFacts` does. */
export const purchaseOf = async (
  deps: Deps,
  { tenantId, occupationId, paymentId, purchase }: Begun,
): Promise<{ purchase: string; pickup: Pickup }> => {
  deps.outbox.wake();
  await settlePayment(deps, tenantId, paymentId);
  const place = { tenantId, occupationId, by: null, bought: paymentId };
  return { purchase, pickup: await deps.db.tenant(tenantId, (tx) => view(tx, deps, place, deps.now().toISOString())) };
};
