import type { Scim } from '@hatchway/contract/directory.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';

/** What the page shows of it; the secret is nowhere to be shown. */
export const scimOf = async (tx: Tx, { config }: Pick<Deps, 'config'>, tenantId: string): Promise<Scim> => {
  const row = await tx
    .selectFrom('scim_bearers as b')
    .leftJoin('accounts as a', 'a.id', 'b.created_by')
    .select(['b.prefix', 'b.created_at', 'b.last_used_at', 'b.ended_at', 'b.ended_why', 'a.name'])
    .where('b.tenant_id', '=', tenantId)
    .executeTakeFirst();
  const isOpen = row !== undefined && row.ended_at === null;
  return {
    address: `${config.publicUrl}/scim/v2`,
    prefix: isOpen ? row.prefix : null,
    madeAt: isOpen ? row.created_at : null,
    madeBy: isOpen ? row.name : null,
    lastUsedAt: row?.last_used_at ?? null,
    ended: row?.ended_why ?? null,
  };
};
