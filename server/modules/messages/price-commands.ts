import { HOUR, later } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { priceAtTwilio } from '../../providers/sms-twilio.ts';
import { gatewaysOf } from '../../providers/sms.ts';
import type { Told } from './report-address.ts';

/** Twilio bills after it has sent; so long after one try without a price follows the next. */
const AGAIN_HOURS = [1, 6, 24];

export const askPrice = (tx: Tx, deps: Deps, told: Told, at: string, tries = 0): Promise<void> =>
  deps.jobs.enqueue(tx, { name: 'sms-price', ...told, tries }, { at, key: told.messageId });

/** The job `sms-price`: what a message was billed at. One that is never told stays without a price. */
export const lookUpPrice = async (deps: Deps, { tenantId, messageId, tries }: Told & { tries: number }): Promise<void> => {
  const row = await deps.db.tenant(tenantId, (tx) =>
    tx
      .selectFrom('messages')
      .select(['provider_ref', 'price_millionths'])
      .where('tenant_id', '=', tenantId)
      .where('id', '=', messageId)
      .where('gateway', '=', 'twilio')
      .executeTakeFirst(),
  );
  if (!row || row.provider_ref === null || row.price_millionths !== null) return;
  for (const at of gatewaysOf(deps.config)) {
    const price = at.wire === 'twilio' ? await priceAtTwilio(deps.outside, at, row.provider_ref) : null;
    if (price === null) continue;
    await deps.db.tenant(tenantId, (tx) =>
      tx
        .updateTable('messages')
        .set({ price_millionths: Math.round(price.amount * 1_000_000), price_currency: price.currency })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', messageId)
        .execute(),
    );
    return;
  }
  const wait = AGAIN_HOURS[tries];
  if (wait === undefined) return;
  const at = later(deps.now().toISOString(), wait * HOUR);
  await deps.db.tenant(tenantId, (tx) => askPrice(tx, deps, { tenantId, messageId }, at, tries + 1));
};
