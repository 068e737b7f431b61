import { sql, type Selectable } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Company, CompanySettings } from '@hatchway/contract/people.ts';
import { mayAdminister, type Facts } from '@hatchway/domain/access.ts';
import { SETTINGS } from '@hatchway/domain/alerts.ts';
import type { Tx } from '../../db/database.ts';
import type { CompaniesTable, CompanySettings as Stored } from '../../db/tables/people.ts';
import { page, type ListSpec } from '../../http/list.ts';
import { absent, Problem } from '../../http/problem.ts';
import { pictureAt } from '../pictures.ts';

/** What is stored is what somebody chose; the rest is as for every company. */
const toSettings = (stored: Stored): CompanySettings => ({
  retentionDays: stored.retentionDays ?? SETTINGS.retentionDays,
  senderName: stored.senderName ?? '',
  alerts: (stored.alerts ?? []).map(({ event, channel, to }) => ({ event, channel, to })),
  quietHours: stored.quietHours ?? null,
  color: stored.color ?? null,
  doorOpenMinutes: stored.doorOpenMinutes ?? SETTINGS.doorOpenMinutes,
  offlineMinutes: stored.offlineMinutes ?? SETTINGS.offlineMinutes,
});

export const toCompany = (row: Omit<Selectable<CompaniesTable>, 'seeded'>): Company => ({
  id: row.id,
  name: row.name,
  orgNumber: row.org_number,
  contact: { name: row.contact.name ?? '', email: row.contact.email ?? '', tlf: row.contact.tlf ?? '' },
  address: { street: row.address.street ?? '', postalCode: row.address.postalCode ?? '', city: row.address.city ?? '' },
  country: row.country,
  locale: row.locale,
  timeZone: row.time_zone,
  licenses: row.licenses,
  settings: toSettings(row.settings),
  hasLogo: row.logo_file_id !== null,
  version: row.version,
  suspendedAt: row.suspended_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const company = async (tx: Tx, id: string): Promise<Company | null> => {
  const row = await tx.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toCompany(row) : null;
};

/** One whose deletion has not begun: half of it is nothing to take along or to invite anybody into. Throws `not-found`, `gone`. */
export const standingCompany = async (tx: Tx, id: string): Promise<Company> => {
  const row = await tx.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirstOrThrow(absent);
  if (row.deleting_at !== null) throw new Problem('gone', 'The company is being deleted');
  return toCompany(row);
};

/** As the caller may read it: whom a company alerts is for its administrators alone. */
export const shownTo = (one: Company, facts: Facts): Company =>
  mayAdminister('companies', facts) ? one : { ...one, settings: { ...one.settings, alerts: [] } };

/** Throws `not-found` also for a company without a logo. */
export const companyLogo = async (tx: Tx, id: string, width: number): Promise<{ bytes: Buffer; etag: string }> => {
  const row = await tx.selectFrom('companies').select('logo_file_id').where('id', '=', id).executeTakeFirst();
  return pictureAt(tx, id, row?.logo_file_id, width);
};

/** Those that row-level security shows: a person's own, without any that is being deleted. */
export const companies = async (tx: Tx): Promise<Company[]> =>
  (
    await tx
      .selectFrom('companies')
      .selectAll()
      .where('deleting_at', 'is', null)
      .orderBy(sql`name collate by_name_nb`)
      .orderBy('id')
      .limit(500)
      .execute()
  ).map(toCompany);

const LIST: ListSpec = {
  fields: { id: sql.ref('id'), name: sql.ref('name') },
  sorts: { createdAt: { column: sql.ref('created_at'), type: 'timestamptz' }, name: { column: sql`lower(name)`, type: 'text' } },
  id: sql.ref('id'),
};
/** All of them, to the operator, who is of no company. */
export const listCompanies = (tx: Tx, query: ListQuery) => page(tx, tx.selectFrom('companies').selectAll(), LIST, query, '', toCompany);

/** Memberships of one person, with what a chooser shows. */
export const membershipsOf = async (
  tx: Tx,
  accountId: string,
): Promise<{ tenantId: string; name: string; roles: string[]; suspended: boolean }[]> => {
  const { rows } = await sql<{ tenantId: string; name: string; roles: string[]; suspended: boolean }>`
    select m.tenant_id as "tenantId", coalesce(c.name, '') as name, m.roles, c.suspended_at is not null as suspended
    from memberships m left join companies c on c.id = m.tenant_id where m.account_id = ${accountId} and c.deleting_at is null order by coalesce(c.name, '') collate by_name_nb, 1`.execute(
    tx,
  );
  return rows;
};
