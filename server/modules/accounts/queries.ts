import { sql } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Account } from '@hatchway/contract/people.ts';
import type { Tx } from '../../db/database.ts';
import { page } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';

type Row = { id: string; name: string; email: string | null; tlf: string | null; locale: string; created_at: string; updated_at: string };
const COLUMNS = ['a.id', 'a.name', 'a.email', 'a.tlf', 'a.locale', 'a.created_at', 'a.updated_at'] as const;
const toAccount = (row: Row): Account => ({
  id: row.id,
  name: row.name,
  email: row.email,
  tlf: row.tlf,
  locale: row.locale,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const members = (tx: Tx, tenantId: string) =>
  tx.selectFrom('memberships as m').innerJoin('accounts as a', 'a.id', 'm.account_id').select(COLUMNS).where('m.tenant_id', '=', tenantId);

export const listAccounts = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(
    tx,
    members(tx, tenantId),
    {
      fields: { id: sql.ref('a.id'), email: sql.ref('a.email'), name: sql.ref('a.name') },
      sorts: { createdAt: { column: sql.ref('a.created_at'), type: 'timestamptz' }, name: { column: sql`lower(a.name)`, type: 'text' } },
      id: sql.ref('a.id'),
      text: (words) => sql<boolean>`a.id in (select search_accounts(${words}))`,
    },
    query,
    tenantId,
    toAccount,
  );

export const oneMember = async (tx: Tx, tenantId: string, id: string): Promise<Account> =>
  toAccount(await members(tx, tenantId).where('a.id', '=', id).executeTakeFirstOrThrow(absent));

/** In the person's own transaction (`db.account`). */
export const ownAccount = async (tx: Tx, id: string): Promise<Account> =>
  toAccount(await tx.selectFrom('accounts as a').select(COLUMNS).where('a.id', '=', id).executeTakeFirstOrThrow(absent));

export const changeOwnAccount = async (
  tx: Tx,
  id: string,
  change: { name?: string | undefined; locale?: 'en' | 'nb' | undefined },
  now: string,
): Promise<Account> => {
  const known = await ownAccount(tx, id);
  await tx
    .updateTable('accounts')
    .set({ name: change.name ?? known.name, locale: change.locale ?? (known.locale as 'en' | 'nb'), updated_at: now })
    .where('id', '=', id)
    .execute();
  return ownAccount(tx, id);
};
