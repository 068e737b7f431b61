import type { Tx } from '../../db/database.ts';
import { pickupFacts } from './facts.ts';
import { holdOf } from './view.ts';

/** The name of whoever holds this occupation's link or code, where that opens its door now; null where it does not, or was never given. */
export const receiverWhoMayOpen = async (tx: Tx, tenantId: string, occupationId: string, now: string): Promise<string | null> => {
  const given = await tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', occupationId)
    .where('token_hash', 'is not', null)
    .where((eb) => eb.or([eb('secrets_until', 'is', null), eb('secrets_until', '>', now)]))
    .executeTakeFirst();
  if (!given) return null;
  const facts = await pickupFacts(tx, { tenantId, occupationId, by: null }, now);
  return holdOf(facts, now) === null ? (facts.o.receiver?.name ?? '') : null;
};
