import type { Policy } from '@hatchway/contract/policies.ts';
import { SERVICES, type Service } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record, type Change } from '../../events/record.ts';
import { mustBeSeen, Problem, ruled } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { activeBy } from '../../stages.ts';
import { changeRow, insertRow, lockRow } from '../../rows.ts';
import { known } from '../references.ts';
import { toPolicy } from './queries.ts';

type Input = Omit<Policy, '_id' | 'tenantId' | 'version' | 'createdAt' | 'updatedAt'>;
type Named = Pick<Input, 'name' | 'ref'>;
/** What is not given stays as it was: a policy that lost its groups or its price by being renamed would let everybody in, for nothing. */
type Given = Named & { [F in Exclude<keyof Input, keyof Named>]?: Input[F] | undefined };

const told = (id: string, method: Change['method']): Change => ({ kind: 'policies', id, method });

const servicesOf = (services: readonly string[]): Service[] => [
  ...new Set(
    services.map((word, at) => {
      const found = SERVICES.find((service) => service === word);
      if (!found) throw ruled('There is no such service', `/services/${at}`);
      return found;
    }),
  ),
];

const columns = async (tx: Tx, tenantId: string, input: Given) => ({
  name: input.name,
  ref: input.ref,
  services: input.services && servicesOf(input.services),
  locker_ids: input.lockerIds && (await known(tx, tenantId, 'lockers', input.lockerIds, '/lockerIds')),
  group_ids: input.groupIds && (await known(tx, tenantId, 'groups', input.groupIds, '/groupIds')),
  reserve_minutes: input.reserveMinutes,
  pickup_hours: input.pickupHours,
  loan_hours: input.loanHours,
  reminders: input.reminders,
  claim_seconds: input.claimSeconds,
  claim_grace_seconds: input.claimGraceSeconds,
  max_active_per_person: input.maxActivePerPerson,
  price: input.price && jsonb(input.price),
  inspect_returns: input.inspectReturns,
  staff_confirms_claim: input.staffConfirmsClaim,
  login_hint: input.loginHint,
  idp_hint: input.idpHint,
});

/** An end user's address names a policy before any company is known: refs are one numbering for all companies. */
const takeRef = async (tx: Tx, scope: Scope, ref: string, policyId: string): Promise<void> => {
  const taken = await tx
    .insertInto('public_refs')
    .values({ kind: 'policy', ref, tenant_id: scope.tenantId, target_id: policyId, created_at: scope.now })
    .onConflict((conflict) => conflict.columns(['kind', 'ref']).doNothing())
    .returning('ref')
    .executeTakeFirst();
  if (!taken) throw new Problem('name-taken', 'Another policy has this ref', { errors: [{ pointer: '/ref', detail: 'taken' }] });
};
const giveUpRef = (tx: Tx, tenantId: string, policyId: string) =>
  tx.deleteFrom('public_refs').where('tenant_id', '=', tenantId).where('kind', '=', 'policy').where('target_id', '=', policyId).execute();

export const createPolicy = async (tx: Tx, scope: Scope, input: Input): Promise<Policy> => {
  const id = newId();
  const row = await columns(tx, scope.tenantId, input);
  await takeRef(tx, scope, input.ref, id);
  const made = await insertRow(tx, 'policies', scope, id, row).returningAll().executeTakeFirstOrThrow();
  await record(tx, scope, [], [told(id, 'POST')]);
  return toPolicy(made);
};

/** Lockers and running occupations name a policy by its ref (or its id): while one does, neither the policy nor its ref may go. */
const mustBeUnnamed = async (tx: Tx, tenantId: string, policy: { id: string; ref: string | null }): Promise<void> => {
  const names = [policy.id, ...(policy.ref === null ? [] : [policy.ref])];
  const locker = await tx
    .selectFrom('lockers')
    .select('door_tag')
    .where('tenant_id', '=', tenantId)
    .where('policy_ref', 'in', names)
    .limit(1)
    .executeTakeFirst();
  const occupation = await tx
    .selectFrom('occupations')
    .select('door_tag')
    .where('tenant_id', '=', tenantId)
    .where(activeBy('stage'))
    .where('policy_ref', 'in', names)
    .limit(1)
    .executeTakeFirst();
  const doorTag = locker?.door_tag ?? occupation?.door_tag;
  if (doorTag === undefined) return;
  const what = locker ? `Locker ${doorTag} names it` : `What lies in ${doorTag} runs under it`;
  throw new Problem('in-use-elsewhere', what, { data: { doorTag } });
};

/** What runs under it already keeps the times that it was given. Throws `stale`. */
export const changePolicy = async (tx: Tx, scope: Scope, id: string, input: Given & { version?: number | undefined }): Promise<Policy> => {
  // Lockers before the policy, as whoever registers on one of them holds them.
  const row = await columns(tx, scope.tenantId, input);
  const before = await lockRow(tx, 'policies', scope.tenantId, id, ['ref', 'version']);
  mustBeSeen(before, input.version);
  if (before.ref !== input.ref) {
    await mustBeUnnamed(tx, scope.tenantId, { id, ref: before.ref });
    await giveUpRef(tx, scope.tenantId, id);
    await takeRef(tx, scope, input.ref, id);
  }
  const changed = await changeRow(tx, 'policies', scope, id, row).returningAll().executeTakeFirstOrThrow();
  await record(tx, scope, [], [told(id, 'PUT')]);
  return toPolicy(changed);
};

export const deletePolicy = async (tx: Tx, scope: Scope, id: string): Promise<void> => {
  const { tenantId } = scope;
  await mustBeUnnamed(tx, tenantId, await lockRow(tx, 'policies', tenantId, id, ['id', 'ref']));
  await tx.deleteFrom('policies').where('tenant_id', '=', tenantId).where('id', '=', id).execute();
  await giveUpRef(tx, tenantId, id);
  await record(tx, scope, [], [told(id, 'DELETE')]);
};
