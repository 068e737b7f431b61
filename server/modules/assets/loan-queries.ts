import { sql, type SqlBool } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Loan } from '@hatchway/contract/loans.ts';
import { historyReach, seesAllLoans, type Facts } from '@hatchway/domain/access.ts';
import type { Tx } from '../../db/database.ts';
import { page, type ListSpec } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';

const loanRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('loans as n')
    .innerJoin('occupations as o', (join) => join.onRef('o.tenant_id', '=', 'n.tenant_id').onRef('o.id', '=', 'n.occupation_id'))
    .where('n.tenant_id', '=', tenantId)
    .select([
      'n.id',
      'n.tenant_id',
      'n.asset_id',
      'n.occupation_id',
      'o.door_tag',
      'n.borrower_account_id',
      'n.borrower_name',
      'n.borrower_tlf',
      'n.borrower_email',
      'n.out_at',
      'n.due_at',
      'n.returned_at',
      'n.condition_out',
      'n.condition_in',
      'n.ended_by',
      'n.end_reason',
      'n.created_at',
      'n.updated_at',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof loanRows>['executeTakeFirstOrThrow']>>;

const toLoan = (row: Row): Loan => ({
  id: row.id,
  tenantId: row.tenant_id,
  assetId: row.asset_id,
  occupationId: row.occupation_id,
  doorTag: row.door_tag,
  borrower: { accountId: row.borrower_account_id, name: row.borrower_name, tlf: row.borrower_tlf, email: row.borrower_email },
  outAt: row.out_at,
  dueAt: row.due_at,
  returnedAt: row.returned_at,
  conditionOut: row.condition_out,
  conditionIn: row.condition_in,
  endedBy: row.ended_by,
  endReason: row.end_reason,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const LIST: ListSpec = {
  fields: { id: sql.ref('n.id'), returnedAt: sql.ref('n.returned_at'), dueAt: sql.ref('n.due_at') },
  sorts: { createdAt: { column: sql.ref('n.created_at'), type: 'timestamptz' } },
  id: sql.ref('n.id'),
};

/** `maySeeLoan`, as a condition. */
const loansInSight = (facts: Facts) => {
  const reach = historyReach(facts);
  if (reach.all || seesAllLoans(facts)) return sql<SqlBool>`true`;
  return sql<SqlBool>`o.locker_id = any(${[...reach.lockerIds]}::uuid[])`;
};

/** Throws `not-found` for an asset that is not there. */
export const loansOfAsset = async (tx: Tx, tenantId: string, facts: Facts, assetId: string, query: ListQuery) => {
  const known = await tx.selectFrom('assets').select('id').where('tenant_id', '=', tenantId).where('id', '=', assetId).executeTakeFirst();
  if (!known) throw absent();
  return page(tx, loanRows(tx, tenantId).where('n.asset_id', '=', assetId).where(loansInSight(facts)), LIST, query, tenantId, toLoan);
};
