import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { membership } from '@hatchway/contract/people.ts';
import type { Tx } from '../../db/database.ts';
import { page } from '../../http/list.ts';

export type Membership = z.infer<typeof membership>;

const rows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('memberships as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select([
      'm.id',
      'm.account_id',
      'a.name',
      'a.email',
      'a.tlf',
      'm.roles',
      'm.last_seen_at',
      'm.version',
      'm.created_at',
      'm.updated_at',
    ])
    .where('m.tenant_id', '=', tenantId);
type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

const toMembership = (row: Row): Membership => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  email: row.email,
  tlf: row.tlf,
  roles: row.roles,
  lastSeenAt: row.last_seen_at,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export const listMemberships = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(
    tx,
    rows(tx, tenantId),
    {
      fields: {
        id: sql.ref('m.id'),
        accountId: sql.ref('m.account_id'),
        email: sql.ref('a.email'),
        roles: { array: sql.ref('m.roles') },
        lastSeenAt: sql.ref('m.last_seen_at'),
      },
      sorts: {
        createdAt: { column: sql.ref('m.created_at'), type: 'timestamptz' },
        name: { column: sql`lower(a.name)`, type: 'text' },
        // Whoever was never here was here longest ago.
        lastSeenAt: { column: sql`coalesce(m.last_seen_at, '1970-01-01T00:00:00Z'::timestamptz)`, type: 'timestamptz' },
      },
      id: sql.ref('m.id'),
      text: (words) => sql<SqlBool>`m.account_id in (select search_accounts(${words}))`,
    },
    query,
    tenantId,
    toMembership,
  );

/** One that is known to be there, as it is now. */
export const membershipNow = async (tx: Tx, tenantId: string, id: string): Promise<Membership> =>
  toMembership(await rows(tx, tenantId).where('m.id', '=', id).executeTakeFirstOrThrow());
