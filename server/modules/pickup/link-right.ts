import { NOBODY, type Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';

/** An access link reaches its own lockers and no others: what allocation asks of a person's scopes, said of a link. */
export const rightOn = (lockerIds: readonly string[]): Facts => ({
  ...NOBODY,
  scopes: ['manage'],
  lockers: Object.fromEntries(lockerIds.map((id) => [id, ['manage'] as const])),
});

export const linkFacts = async (tx: Tx, tenantId: string, linkId: string): Promise<Facts> => {
  const row = await tx
    .selectFrom('access_links')
    .select('locker_ids')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', linkId)
    .executeTakeFirst();
  return rightOn(row?.locker_ids ?? []);
};
