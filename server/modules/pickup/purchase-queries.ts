import type { Pickup } from '@hatchway/contract/pickup.ts';
import type { Deps } from '../../deps.ts';
import { view } from './view.ts';

/** What whoever bought it may know of it now. Throws as `pickupFacts` does. */
export const viewOfPurchase = (
  deps: Deps,
  { tenantId, occupationId, bought }: { tenantId: string; occupationId: string; bought: string },
): Promise<Pickup> =>
  deps.db.tenant(tenantId, (tx) => view(tx, deps, { tenantId, occupationId, by: null, bought }, deps.now().toISOString()));
