import { sql } from 'kysely';
import type { Company } from '@hatchway/contract/people.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { absent, mustBeSeen, Problem } from '../../http/problem.ts';
import type { Scope } from '../../scope.ts';
import { makeFirstLabels } from './first-labels.ts';
import { toCompany } from './queries.ts';

type NewCompany = { id: string; name: string; licenses: string[]; country: string; seeded: boolean };

/** The operator's alone: nobody else makes companies or gives licences. */
export const createCompany = async (tx: Tx, input: NewCompany, now: string): Promise<Company> => {
  const row = await tx
    .insertInto('companies')
    .values({ ...input, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
  await makeFirstLabels(tx, row.id, row.locale, now);
  return toCompany(row);
};

export type CompanyChange = {
  name?: string | undefined;
  licenses?: string[] | undefined;
  suspended?: boolean | undefined;
  version?: number | undefined;
};

/** Licences and suspension decide what everybody in it may: open sockets ask again, or end. */
const tell = (tx: Tx, scope: Scope): Promise<void> =>
  record(
    tx,
    scope,
    [],
    [
      { kind: 'companies', id: scope.tenantId, method: 'PUT' },
      { kind: 'permissions', id: scope.tenantId, method: 'PUT' },
    ],
  );

const locked = async (tx: Tx, id: string) => {
  const known = await tx.selectFrom('companies').select(['version', 'deleting_at']).where('id', '=', id).forUpdate().executeTakeFirst();
  if (!known) throw absent();
  return known;
};

/** Throws `stale`, and `gone` for one whose deletion has begun: nothing brings it back. */
export const changeCompany = async (tx: Tx, scope: Scope, change: CompanyChange): Promise<Company> => {
  const known = await locked(tx, scope.tenantId);
  if (known.deleting_at !== null) throw new Problem('gone', 'The company is being deleted');
  mustBeSeen(known, change.version);
  const row = await tx
    .updateTable('companies')
    .set((eb) => ({
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.licenses === undefined ? {} : { licenses: change.licenses }),
      ...(change.suspended === undefined
        ? {}
        : { suspended_at: change.suspended ? eb.fn.coalesce('suspended_at', eb.val(scope.now)) : null }),
      updated_at: scope.now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', scope.tenantId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await tell(tx, scope);
  return toCompany(row);
};

/** Tables of a company in an order in which nothing is left pointing at what is gone. */
export const OWN_TABLES = [
  'access_link_uses',
  'messages',
  'payment_operations',
  'payments',
  'shops',
  'loans',
  'occupations',
  'commands',
  'outages',
  'access_links',
  'policies',
  'lockers',
  'cabinets',
  'sites',
  'tool_operations',
  'tool_assets',
  'asset_requests',
  'asset_group_members',
  'asset_groups',
  'asset_identifiers',
  'assets',
  'status_labels',
  'templates',
  'webhook_deliveries',
  'webhooks',
  'shop_operations',
  'shop_orders',
  'integrations',
  'files',
  'api_keys',
  'permissions',
  'scim_bearers',
  'directory_members',
  'directory_groups',
  'directory_people',
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

/** From here on it is nobody's: suspended, chosen by nobody who signs in, and never taken back. Repeating it changes nothing. */
export const beginDeleting = async (tx: Tx, scope: Scope): Promise<void> => {
  if ((await locked(tx, scope.tenantId)).deleting_at !== null) return;
  await tx
    .updateTable('companies')
    .set((eb) => ({
      deleting_at: scope.now,
      suspended_at: eb.fn.coalesce('suspended_at', eb.val(scope.now)),
      updated_at: scope.now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', scope.tenantId)
    .execute();
  await tell(tx, scope);
};

export const isBeingDeleted = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.selectFrom('companies').select('id').where('id', '=', id).where('deleting_at', 'is not', null).executeTakeFirst()) !==
  undefined;

/**
 * Deletes all that is its own and then the company itself, a batch of rows a transaction, so that a very large one goes too. Cut off
 * anywhere, or told that it is `enough` for now, whoever calls it again goes on. Accounts stay: a person is one, whatever companies they
 * belong to. Controllers lose their connections with
 * their credentials.
 */
export const goOnDeleting = async (
  { db, bus, devices }: Pick<Deps, 'db' | 'bus' | 'devices'>,
  id: string,
  { rows = ROWS, enough = () => false }: { rows?: number; enough?: () => boolean } = {},
): Promise<void> => {
  bus.publish('company-ended', { tenantId: id, gone: true });
  const paired = await db.tenant(id, (tx) =>
    tx.selectFrom('cabinets').select(['id', 'controller_id']).where('tenant_id', '=', id).execute(),
  );
  const batch = async (tx: Tx, table: (typeof OWN_TABLES)[number]): Promise<boolean> => {
    const gone = await sql`delete from ${sql.table(table)} where tenant_id = ${id} and ctid = any(array(
      select ctid from ${sql.table(table)} where tenant_id = ${id} limit ${rows}))`.execute(tx);
    if ((gone.numAffectedRows ?? 0n) > 0n) return true;
    // A row that somebody changed between look and lock stands elsewhere now, and is still there.
    const left = await sql`select 1 from ${sql.table(table)} where tenant_id = ${id} limit 1`.execute(tx);
    return left.rows.length > 0;
  };
  for (const table of OWN_TABLES) {
    // Cabinets are few, and whom to cut off is known from the beginning of this run alone.
    while (await db.tenant(id, (tx) => batch(tx, table))) if (table !== 'cabinets' && enough()) return;
    if (table === 'cabinets') for (const cabinet of paired) devices.kick(cabinet.controller_id ?? cabinet.id);
  }
  // What was under way when it began may have written since: the last look is one transaction, with hardly anything left to take.
  await db.tenant(id, async (tx) => {
    // in plain words: the type of a statement that fits each of them takes the type checker two thirds of a second
    for (const table of OWN_TABLES) await sql`delete from ${sql.table(table)} where tenant_id = ${id}`.execute(tx);
  });
  await db.operator((tx) => tx.deleteFrom('companies').where('id', '=', id).execute());
  bus.publish('company-ended', { tenantId: id, gone: true });
};
