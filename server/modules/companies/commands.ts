import { sql } from 'kysely';
import type { Company } from '@hatchway/contract/people.ts';
import type { Db, Tx } from '../../db/database.ts';
import { absent, mustBeSeen } from '../../http/problem.ts';
import { company, toCompany } from './queries.ts';

export type NewCompany = { id: string; name: string; licenses: string[]; country: string; seeded: boolean };

/** The operator's alone: nobody else makes companies or gives licences. */
export const createCompany = async (tx: Tx, input: NewCompany, now: string): Promise<Company> =>
  toCompany(
    await tx
      .insertInto('companies')
      .values({ ...input, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow(),
  );

export type CompanyChange = {
  name?: string | undefined;
  licenses?: string[] | undefined;
  suspended?: boolean | undefined;
  version?: number | undefined;
};

/** Throws `stale`. */
export const changeCompany = async (tx: Tx, id: string, change: CompanyChange, now: string): Promise<Company> => {
  const known = await tx.selectFrom('companies').select('version').where('id', '=', id).forUpdate().executeTakeFirst();
  if (!known) throw absent();
  mustBeSeen(known, change.version);
  const row = await tx
    .updateTable('companies')
    .set((eb) => ({
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.licenses === undefined ? {} : { licenses: change.licenses }),
      ...(change.suspended === undefined ? {} : { suspended_at: change.suspended ? eb.fn.coalesce('suspended_at', eb.val(now)) : null }),
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toCompany(row);
};

/** Tables of a company in an order in which nothing is left pointing at what is gone. */
export const OWN_TABLES = [
  'access_link_uses',
  'messages',
  'payments',
  'loans',
  'occupations',
  'commands',
  'outages',
  'access_links',
  'policies',
  'lockers',
  'cabinets',
  'sites',
  'asset_group_members',
  'asset_groups',
  'asset_identifiers',
  'assets',
  'status_labels',
  'templates',
  'webhook_deliveries',
  'webhooks',
  'integrations',
  'files',
  'api_keys',
  'permissions',
  'group_members',
  'groups',
  'invitations',
  'memberships',
  'events',
  'outbox',
  'idempotency',
  'public_refs',
] as const;

/** Rows of one statement: far from its time limit whatever hangs on them, and nobody else waits long for its locks. */
const ROWS = 2_000;

/**
 * Deletes a company and all that is its own, a batch of rows a transaction, so that a very large one goes too. Suspended first, nobody
 * writes in it meanwhile; cut off halfway, it is suspended with what is left, and the same call goes on. Accounts stay: a person is one,
 * whatever companies they belong to. Answers the controllers whose credentials are gone with it: their connections are to be ended.
 */
export const deleteCompany = async (db: Db, id: string, now: string, ended: () => void, rows: number = ROWS): Promise<string[]> => {
  const known = await db.operator((tx) => company(tx, id));
  if (!known) throw absent();
  await db.operator((tx) => changeCompany(tx, id, { suspended: true }, now));
  ended();
  const controllers = new Set<string>();
  const unpair = async (tx: Tx): Promise<void> => {
    const paired = await tx.selectFrom('cabinets').select(['id', 'controller_id']).where('tenant_id', '=', id).execute();
    for (const cabinet of paired) controllers.add(cabinet.controller_id ?? cabinet.id);
  };
  await db.tenant(id, unpair);
  const batch = async (tx: Tx, table: (typeof OWN_TABLES)[number]): Promise<number> => {
    const gone = await sql`delete from ${sql.table(table)} where tenant_id = ${id} and ctid = any(array(
      select ctid from ${sql.table(table)} where tenant_id = ${id} limit ${rows}))`.execute(tx);
    return Number(gone.numAffectedRows ?? 0n);
  };
  for (const table of OWN_TABLES) while ((await db.tenant(id, (tx) => batch(tx, table))) > 0);
  // What was under way when it began may have written since: the last look is one transaction, with hardly anything left to take.
  await db.tenant(id, async (tx) => {
    for (const table of OWN_TABLES) await tx.deleteFrom(table).where('tenant_id', '=', id).execute();
  });
  await db.operator((tx) => tx.deleteFrom('companies').where('id', '=', id).execute());
  return [...controllers];
};
