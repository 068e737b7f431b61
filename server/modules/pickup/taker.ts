import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import { heldBy } from '../../held.ts';

/** Whoever signed in, as what they take is written down; null for who belongs to the company no more. */
export const takerOf = async (tx: Tx, tenantId: string, accountId: string): Promise<Receiver | null> => {
  if (!(await heldBy(tx, tenantId, accountId))) return null;
  const row = await tx.selectFrom('accounts').select(['name', 'tlf', 'email']).where('id', '=', accountId).executeTakeFirst();
  return row ?? null;
};
