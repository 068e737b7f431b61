import { sql, type Selectable } from 'kysely';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Policy } from '@hatchway/contract/policies.ts';
import type { Tx } from '../../db/database.ts';
import type { PoliciesTable } from '../../db/tables/occupations.ts';
import type { Deps } from '../../deps.ts';
import { page, wordsIn } from '../../http/list.ts';
import { absent, Problem } from '../../http/problem.ts';
import { count, left, secondsLeft } from '../../http/rate-limit.ts';

type RuleRow = Omit<Selectable<PoliciesTable>, 'tenant_id' | 'ref' | 'idp_hint' | 'version' | 'created_at' | 'updated_at'>;
/** A policy as the rules of the domain know it; `ref` and dates are the wire's. */
export const toRules = (row: RuleRow) => ({
  _id: row.id,
  name: row.name,
  services: row.services,
  lockerIds: row.locker_ids,
  groupIds: row.group_ids,
  reserveMinutes: row.reserve_minutes,
  pickupHours: row.pickup_hours,
  loanHours: row.loan_hours,
  reminders: row.reminders,
  claimSeconds: row.claim_seconds,
  claimGraceSeconds: row.claim_grace_seconds,
  maxActivePerPerson: row.max_active_per_person,
  price: row.price === null ? null : { amount: row.price.amount, currency: row.price.currency },
  inspectReturns: row.inspect_returns,
  staffConfirmsClaim: row.staff_confirms_claim,
  loginHint: row.login_hint,
});

export const toPolicy = (row: Selectable<PoliciesTable>): Policy => ({
  ...toRules(row),
  tenantId: row.tenant_id,
  ref: row.ref ?? row.id,
  idpHint: row.idp_hint,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const rows = (tx: Tx, tenantId: string) => tx.selectFrom('policies').selectAll().where('tenant_id', '=', tenantId);

export const listPolicies = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(
    tx,
    rows(tx, tenantId),
    {
      fields: { _id: sql.ref('id'), ref: sql.ref('ref'), name: sql.ref('name') },
      sorts: { createdAt: { column: sql.ref('created_at'), type: 'timestamptz' }, name: { column: sql`lower(name)`, type: 'text' } },
      id: sql.ref('id'),
      text: wordsIn(tenantId, sql`name || ' ' || coalesce(ref, '')`),
    },
    query,
    tenantId,
    toPolicy,
  );

export const onePolicy = async (tx: Tx, tenantId: string, id: string): Promise<Policy> =>
  toPolicy(await rows(tx, tenantId).where('id', '=', id).executeTakeFirstOrThrow(absent));

/** Of whichever company has a policy with this ref. Throws Problem `not-found`, counted: nobody learns refs by trying them all, for past the limit a right one is answered no more than a wrong one. */
export const loginHint = async (
  deps: Deps,
  ref: string,
  visit: { address: string; now: string },
): Promise<{ loginHint: string | null; idpHint: string | null }> => {
  const limit = { bucket: `hint-miss:${visit.address}`, most: 60, seconds: 600 };
  const tooMany = () => new Problem('too-many-requests', undefined, { retryAfter: secondsLeft(limit, visit.now) });
  if ((await deps.db.open((tx) => left(tx, limit, visit.now))) <= 0) throw tooMany();
  const found = await deps.db.open((tx) =>
    tx.selectFrom('public_refs').select(['tenant_id', 'target_id']).where('kind', '=', 'policy').where('ref', '=', ref).executeTakeFirst(),
  );
  const row =
    found &&
    (await deps.db.tenant(found.tenant_id, (tx) =>
      tx
        .selectFrom('policies')
        .select(['login_hint', 'idp_hint'])
        .where('tenant_id', '=', found.tenant_id)
        .where('id', '=', found.target_id)
        .executeTakeFirst(),
    ));
  if (row) return { loginHint: row.login_hint, idpHint: row.idp_hint };
  throw (await deps.db.open((tx) => count(tx, limit, visit.now))) < 0 ? tooMany() : absent();
};
