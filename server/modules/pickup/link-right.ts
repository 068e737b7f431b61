import { NOBODY, type Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import { reachOfLink } from '../links/right-queries.ts';

/** An access link reaches its own lockers and no others: what allocation asks of a person's scopes, said of a link. */
export const rightOn = (lockerIds: readonly string[]): Facts => ({
  ...NOBODY,
  scopes: ['manage'],
  lockers: Object.fromEntries(lockerIds.map((id) => [id, ['manage'] as const])),
});

/** The same of those that it opens now. */
export const linkFacts = async (tx: Tx, tenantId: string, linkId: string, now: string): Promise<Facts> => {
  const row = await tx
    .selectFrom('access_links')
    .select(['tenant_id', 'purpose', 'locker_ids', 'created_by', 'taken_over_by'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', linkId)
    .executeTakeFirst();
  return rightOn(row === undefined ? [] : [...(await reachOfLink(tx, row, now)).keys()]);
};
