import { sql, type Selectable } from 'kysely';
import type { Company } from '@hatchway/contract/people.ts';
import type { Tx } from '../../db/database.ts';
import type { CompaniesTable } from '../../db/schema.ts';

export const toCompany = (row: Omit<Selectable<CompaniesTable>, 'logo_file_id' | 'seeded' | 'version'>): Company => ({
  id: row.id,
  name: row.name,
  orgNumber: row.org_number,
  contact: row.contact,
  address: row.address,
  country: row.country,
  locale: row.locale,
  timeZone: row.time_zone,
  licenses: row.licenses,
  settings: row.settings,
  suspendedAt: row.suspended_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const company = async (tx: Tx, id: string): Promise<Company | null> => {
  const row = await tx.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toCompany(row) : null;
};

/** Those that row-level security shows: a person's own, or all of them to the operator. */
export const companies = async (tx: Tx): Promise<Company[]> =>
  (await tx.selectFrom('companies').selectAll().orderBy('name').orderBy('id').limit(500).execute()).map(toCompany);

/** Memberships of one person, with what a chooser shows. */
export const membershipsOf = async (
  tx: Tx,
  accountId: string,
): Promise<{ tenantId: string; name: string; roles: string[]; suspended: boolean }[]> => {
  const { rows } = await sql<{ tenantId: string; name: string; roles: string[]; suspended: boolean }>`
    select m.tenant_id as "tenantId", coalesce(c.name, '') as name, m.roles, c.suspended_at is not null as suspended
    from memberships m left join companies c on c.id = m.tenant_id where m.account_id = ${accountId} order by name, 1`.execute(tx);
  return rows;
};
