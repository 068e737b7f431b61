import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { absent } from '../../http/problem.ts';
import { limited } from '../../http/rate-limit.ts';
import { isSignedByVipps } from '../../providers/vipps.ts';
import { jsonOf } from '../../providers/said.ts';
import { systemScope } from '../../scope.ts';
import { noteHeard } from '../integrations/state-commands.ts';
import { vippsHook, vippsOf } from '../integrations/vipps-queries.ts';
import { settleSoon } from '../occupations/payment-commands.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const KEY = new RegExp(`^(${UUID})\\.(${UUID})$`);
const told = z.object({ reference: z.string().max(64) });
/** Wrong signatures: nobody finds one by trying, but trying costs. */
const MISSES = { most: 60, seconds: 600 };

type Sent = { body: Buffer; headers: Readonly<Record<string, string | string[] | undefined>> };

/**
 * A webhook of a payment provider only says where to look: the payment is asked for anew. Throws `not-found` for an address or a
 * signature that is not right, `too-many-requests` for many of them.
 */
export const takeWebhook = async (deps: Deps, key: string, { body, headers }: Sent, address: string): Promise<void> => {
  const now = deps.now().toISOString();
  const [, tenantId = '', integrationId = ''] = KEY.exec(key) ?? [];
  const vipps = tenantId === '' ? null : await deps.db.tenant(tenantId, (tx) => vippsOf(tx, deps, tenantId));
  const secret = vipps?.integrationId === integrationId ? vipps.webhookSecret : null;
  if (!vipps || secret === null || !isSignedByVipps({ body, headers, secret, url: vippsHook(deps, tenantId, integrationId) })) {
    await deps.db.open((tx) => limited(tx, { bucket: `vipps-hook-miss:${address}`, ...MISSES }, now));
    throw absent();
  }
  const said = told.safeParse(jsonOf(body));
  await deps.db.tenant(tenantId, async (tx) => {
    await noteHeard(tx, systemScope(tenantId, now), integrationId, vipps.heardAt);
    if (!said.success) return;
    const payment = await tx
      .selectFrom('payments')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('provider', '=', 'vipps')
      .where('reference', '=', said.data.reference)
      .executeTakeFirst();
    if (payment) await settleSoon(tx, deps, tenantId, payment.id);
  });
  deps.outbox.wake();
};
