import type { Tx } from '../db/database.ts';
import { unknownReference } from '../http/problem.ts';

/**
 * Ids that an array names, where no foreign key could say which one is wrong: each must be a row of this company, and stays one until the
 * commit. Answers them without repeats. Throws Problem `unknown-reference` with the pointer of the first that is not.
 */
export const known = async (
  tx: Tx,
  tenantId: string,
  table: 'groups' | 'lockers' | 'asset_groups',
  ids: readonly string[],
  pointer: string,
): Promise<string[]> => {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length === 0) return [];
  const rows = await tx
    .selectFrom(table)
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', wanted)
    .orderBy('id')
    .forKeyShare()
    .execute();
  const found = new Set(rows.map((row) => row.id));
  const lost = ids.findIndex((id) => !found.has(id.toLowerCase()));
  if (lost >= 0) throw unknownReference(`${pointer}/${lost}`);
  return wanted;
};
