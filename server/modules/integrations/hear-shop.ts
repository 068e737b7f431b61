import type { Deps } from '../../deps.ts';
import { absent } from '../../http/problem.ts';
import { limited } from '../../http/rate-limit.ts';
import { isPing, isSignedByShop, readDeleted, readOrder } from '../../providers/woo.ts';
import { jsonOf } from '../../providers/said.ts';
import { systemScope } from '../../scope.ts';
import { hearDeleted, hearOrders } from './order-commands.ts';
import { shopSoon } from './shop-commands.ts';
import { shopOf } from './shop-queries.ts';
import { noteHeard } from './state-commands.ts';

const KEY = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/;
/** Wrong signatures: nobody finds one by trying, but trying costs. */
const MISSES = { most: 60, seconds: 600 };

type Sent = { body: Buffer; headers: Readonly<Record<string, string | string[] | undefined>> };

/**
 * A webhook of a shop is an order as it was then; where it leaves open what holds, the shop is asked. Throws `not-found` for an address or
 * a signature that is not right, `too-many-requests` for many of them.
 */
export const takeShopHook = async (deps: Deps, key: string, { body, headers }: Sent, address: string): Promise<void> => {
  // Sent while we wait for the answer that tells of it; the shop wants it to be taken.
  if (isPing(body)) return;
  const now = deps.now().toISOString();
  const [, tenantId = '', integrationId = ''] = KEY.exec(key) ?? [];
  const open = tenantId === '' ? null : await deps.db.tenant(tenantId, (tx) => shopOf(tx, deps, tenantId));
  const secret = open?.integrationId === integrationId ? open.webhookSecret : null;
  const one = (name: string): string => [headers[name]].flat()[0] ?? '';
  if (!open || secret === null || !isSignedByShop(secret, body, one('x-wc-webhook-signature'))) {
    await deps.db.open((tx) => limited(tx, { bucket: `shop-hook-miss:${address}`, ...MISSES }, now));
    throw absent();
  }
  const scope = systemScope(tenantId, now);
  const told = jsonOf(body);
  const order = readOrder(told);
  const gone = one('x-wc-webhook-topic') === 'order.deleted' ? readDeleted(told) : null;
  await deps.db.tenant(tenantId, async (tx) => {
    await noteHeard(tx, scope, integrationId, open.heardAt);
    const isTied = order !== null && gone === null && (await hearOrders(tx, deps, scope, integrationId, [order], 'told'));
    if (gone !== null) await hearDeleted(tx, deps, scope, integrationId, gone);
    if (isTied || gone !== null || order === null) await shopSoon(tx, deps, tenantId);
  });
  deps.outbox.wake();
};
