import { sql } from 'kysely';
import type { StatusLabel } from '@hatchway/contract/assets.ts';
import type { Tx } from '../../db/database.ts';
import { nameOrder } from '../../http/list.ts';

const labelRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('status_labels as s')
    .selectAll('s')
    .select(
      sql<number>`(select count(*)::int from assets a where a.tenant_id = s.tenant_id and a.status_label_id = s.id)`.as('assets_count'),
    )
    .where('s.tenant_id', '=', tenantId);
type Row = Awaited<ReturnType<ReturnType<typeof labelRows>['executeTakeFirstOrThrow']>>;

const toLabel = (row: Row): StatusLabel => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  type: row.type,
  color: row.color,
  notes: row.notes,
  show_in_nav: row.show_in_nav,
  default_label: row.default_label,
  assets_count: row.assets_count,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const listStatusLabels = async (tx: Tx, tenantId: string): Promise<StatusLabel[]> => {
  const rows = await labelRows(tx, tenantId)
    .orderBy('s.default_label', 'desc')
    .orderBy(sql`s.name ${await nameOrder(tx, tenantId)}`)
    .execute();
  return rows.map(toLabel);
};

/** Of those ids that are labels still. */
export const labelsByIds = async (tx: Tx, tenantId: string, ids: readonly string[]): Promise<StatusLabel[]> =>
  (await labelRows(tx, tenantId).where('s.id', 'in', ids).execute()).map(toLabel);

/** One that is known to be there, as it is now. */
export const labelNow = async (tx: Tx, tenantId: string, id: string): Promise<StatusLabel> =>
  toLabel(await labelRows(tx, tenantId).where('s.id', '=', id).executeTakeFirstOrThrow());

/** What a new asset gets where nobody says; null for a company that wants none. */
export const defaultLabel = async (tx: Tx, tenantId: string): Promise<string | null> => {
  const row = await tx
    .selectFrom('status_labels')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('default_label', '=', true)
    .executeTakeFirst();
  return row?.id ?? null;
};
