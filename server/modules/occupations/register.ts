import { sql, type SqlBool } from 'kysely';
import { mayUseOnLocker, mayUseService, maySeeLocker, seesAllLockers, type Facts } from '@hatchway/domain/access.ts';
import { inDoubt } from '@hatchway/domain/locker.ts';
import { liesThere, register as decide } from '@hatchway/domain/register.ts';
import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import { dependsOnPerson, rulesOf, type Policy, type Rules } from '@hatchway/domain/policy.ts';
import type { Price } from '@hatchway/domain/price.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import { letsOut, OCCUPATION_TYPES, type OccupationType, type Service, type Size } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { insertOnce, madeOnce } from '../../db/made-once.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem, unknownReference } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { activeBy } from '../../stages.ts';
import { placed, problemOfRefusal } from './commands.ts';
import { policiesFor } from './context-queries.ts';
import { activeOf, groupsOf, lockPerson } from './person-queries.ts';
import { runEffect } from './effects.ts';
import { nextBest, takeBest } from './fit.ts';
import { columnsOf } from './row-queries.ts';

export type Registration = {
  type: OccupationType;
  service?: Service | undefined;
  lockerId?: string | undefined;
  size?: Size | undefined;
  cabinetId?: string | undefined;
  assetId?: string | undefined;
  /** Taken to lie nowhere else: refused where it does. */
  assetUnused?: boolean | undefined;
  assetText?: string | undefined;
  orderRef?: string | undefined;
  externalRef?: string | undefined;
  receiver?: Receiver | null;
  quantity?: number | undefined;
  refillLevel?: number | undefined;
  loanHours?: number | undefined;
  price?: Price | undefined;
  pickupBy?: string | undefined;
  policyRef?: string | undefined;
  note?: string | undefined;
};
/** `policies`: those that can matter to its locker, as they were read for it. */
export type Registered = { occupation: Occupation; fit: string | null; policies: readonly Policy[] };

/** In whose right: of whoever calls the API, or of the server and an access link (null: every locker). */
type Right = Facts | null;

/** A cabinet with none of whose lockers they have to do is as absent to them as those lockers. */
const cabinetInSight = async (tx: Tx, scope: Scope, cabinetId: string, facts: Right): Promise<boolean> => {
  if (facts === null || seesAllLockers(facts)) return true;
  const rows = await tx
    .selectFrom('lockers')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('cabinet_id', '=', cabinetId)
    .execute();
  return rows.some(({ id }) => maySeeLocker(id, facts));
};

/** Ids in the request must be of this company, and for a locker within the caller's sight: anything else answers alike. */
const checkReferences = async (tx: Tx, scope: Scope, input: Registration, facts: Right): Promise<void> => {
  const known = async (table: 'assets' | 'cabinets', id: string) =>
    (await tx.selectFrom(table).select('id').where('tenant_id', '=', scope.tenantId).where('id', '=', id).executeTakeFirst()) !== undefined;
  if (input.lockerId !== undefined && facts !== null && !maySeeLocker(input.lockerId, facts)) throw unknownReference('/lockerId');
  const { cabinetId } = input;
  if (cabinetId !== undefined && !((await known('cabinets', cabinetId)) && (await cabinetInSight(tx, scope, cabinetId, facts))))
    throw unknownReference('/cabinetId');
  if (input.assetId !== undefined && !(await known('assets', input.assetId))) throw unknownReference('/assetId');
};

/**
 * One thing lies in one place. Throws Problem `open-loan` for a lending of what is out already, and `in-use-elsewhere` where another lending
 * has it, or any use of what is taken to have none. Its row is held, so that two who register it at once come one after the other.
 * Answers whether its status label lets it out.
 */
const heldAsset = async (tx: Tx, tenantId: string, assetId: string, { type, assetUnused }: Registration): Promise<boolean> => {
  const lent = type === 'lending';
  const inTheWay = OCCUPATION_TYPES.filter((other) => (assetUnused === true ? liesThere(type, other) : lent && other === 'lending'));
  if (inTheWay.length === 0) return true;
  const asset = await tx
    .selectFrom('assets')
    .select('status_label_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', assetId)
    .forUpdate()
    .executeTakeFirst();
  const loan = tx.selectFrom('loans').select('id').where('tenant_id', '=', tenantId).where('asset_id', '=', assetId);
  if (lent && (await loan.where('returned_at', 'is', null).executeTakeFirst()))
    throw new Problem('open-loan', undefined, { errors: [{ pointer: '/assetId', detail: 'it is out on loan' }] });
  const other = await tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('asset_id', '=', assetId)
    .where('type', 'in', inTheWay)
    .where(activeBy('stage'))
    .executeTakeFirst();
  // By what, not all may know who may register here.
  const detail = type === 'recall' ? 'it is being recalled already' : 'it is in use already';
  if (other) throw new Problem('in-use-elsewhere', undefined, { errors: [{ pointer: '/assetId', detail }] });
  if (!lent || asset === undefined || asset.status_label_id === null) return true;
  const label = await tx
    .selectFrom('status_labels')
    .select('type')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', asset.status_label_id)
    .executeTakeFirst();
  return letsOut(label?.type ?? null);
};

type Which = { tenantId: string; id: string };
const heldLocker = madeOnce((tx, { tenantId, id }: Which) =>
  tx
    .selectFrom('lockers')
    .select(['id', 'cabinet_id', 'door_tag', 'size', 'services', 'policy_ref', 'content', 'out_of_service'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .compile(),
);
const carriedBy = madeOnce((tx, { tenantId, id }: Which) =>
  tx
    .selectFrom('occupations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('locker_id', '=', id)
    .where(activeBy('stage'))
    .compile(),
);

const lockedLocker = async (tx: Tx, { tenantId }: Scope, id: string) => {
  const which = { tenantId, id };
  // sent together, the second read once the row is held: whoever had it before has committed by then
  const [[locker], [current]] = await Promise.all([heldLocker(tx, which), carriedBy(tx, which)]);
  if (!locker) throw unknownReference('/lockerId');
  return { ...locker, occupied: current !== undefined };
};

type Wish = { service: Service; lockerId: string; policyRef: string | null };
/**
 * By which rules it will run. The policy that it will name is held until the registration stands: nobody deletes or renames it in between,
 * and where somebody just did, the others are asked. Throws `unknown-reference` where the one that was asked for is not there.
 */
const rulesHeld = async (
  tx: Tx,
  tenantId: string,
  input: Registration,
  { policyRef, ...wish }: Wish,
  policies: readonly Policy[],
): Promise<Rules> => {
  const asked = input.policyRef;
  if (asked !== undefined && !policies.some((one) => one.ref === asked || one._id === asked)) throw unknownReference('/policyRef');
  const receiver = input.receiver ?? null;
  const groupIds = receiver === null ? [] : await groupsOf(tx, tenantId, policies, { accountId: null, receiver });
  const ref = asked ?? policyRef;
  const found = rulesOf(policies, { ...wish, ref, groupIds }, input.type);
  if (found.policyRef === null || (receiver === null && dependsOnPerson(policies, { ...wish, ref }))) return { ...found, policyRef: null };
  const held = await tx
    .selectFrom('policies')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(sql<SqlBool>`(ref = ${found.policyRef} or id::text = ${found.policyRef})`)
    .forKeyShare()
    .executeTakeFirst();
  return held ? found : rulesHeld(tx, tenantId, input, { policyRef, ...wish }, await policiesFor(tx, tenantId, [wish.lockerId]));
};

/**
 * A locker is set aside. With `lockerId` that one, else the best fitting free one. Of many at one locker one gets it, the others are
 * told the next best door; the transaction is undone whole for them. `read` is sent with all that is written, and reads it.
 */
export const registerReading = async <T>(
  tx: Tx,
  deps: Deps,
  scope: Scope,
  input: Registration,
  facts: Right,
  read: (id: string, policies: readonly Policy[]) => Promise<T>,
): Promise<Registered & { read: T }> => {
  const { tenantId } = scope;
  await checkReferences(tx, scope, input, facts);
  // Before any door is looked for: among those that they may use there is none, which would read as a full wall.
  if (facts !== null && !mayUseService(input.type, facts)) throw new Problem('forbidden');
  const service = input.service ?? input.type;
  const place = { size: input.size ?? null, service, cabinetId: input.cabinetId ?? null, not: [] };
  const policiesAt = (id: string) => policiesFor(tx, tenantId, [id]);
  const picked = input.lockerId === undefined ? await takeBest(tx, tenantId, place, facts, true) : null;
  const lockerId = input.lockerId ?? picked?.lockerId;
  if (lockerId === undefined) throw new Problem('no-free-locker');
  if (facts !== null && !mayUseOnLocker(input.type, lockerId, facts)) throw new Problem('forbidden');

  const [locker, policies] = picked
    ? [{ ...picked.row, occupied: false, out_of_service: null }, await policiesAt(lockerId)]
    : await Promise.all([lockedLocker(tx, scope, lockerId), policiesAt(lockerId)]);
  const receiver = input.receiver ?? null;
  const rules = await rulesHeld(tx, tenantId, input, { service, lockerId, policyRef: locker.policy_ref }, policies);
  const counted = rules.maxActivePerPerson !== null && receiver !== null;
  if (counted) await lockPerson(tx, tenantId, { accountId: null, receiver });
  // After its locker, as whatever ends a loan has it.
  const lendable = input.assetId === undefined || (await heldAsset(tx, tenantId, input.assetId, input));
  const answer = decide(
    {
      id: newId(),
      tenantId,
      type: input.type,
      service: input.service ?? null,
      assetId: input.assetId ?? null,
      assetText: input.assetText ?? null,
      orderRef: input.orderRef ?? null,
      externalRef: input.externalRef ?? null,
      receiver,
      quantity: input.quantity ?? null,
      refillLevel: input.refillLevel ?? null,
      loanHours: input.loanHours ?? null,
      price: input.price ?? null,
      pickupBy: input.pickupBy ?? null,
      note: input.note ?? null,
    },
    {
      now: scope.now,
      actor: scope.actor,
      rules,
      locker: {
        id: lockerId,
        doorTag: locker.door_tag,
        free: !locker.occupied,
        inDoubt: inDoubt(locker.content, null),
        outOfService: locker.out_of_service !== null,
        services: locker.services,
      },
      lendable,
      activeOfPerson: counted ? await activeOf(tx, tenantId, { accountId: null, receiver }, null) : 0,
    },
  );
  if (!answer.ok) {
    const { code } = answer.refusal;
    const elsewhere = code === 'locker-taken' || code === 'locker-in-doubt' || code === 'out-of-service';
    const instead = elsewhere
      ? await nextBest(tx, tenantId, { size: locker.size, service, cabinetId: locker.cabinet_id, not: [lockerId] }, facts)
      : null;
    throw problemOfRefusal(answer.refusal, elsewhere ? { next: instead } : {});
  }
  const { occupation } = answer;
  const follow = async () => {
    for (const effect of answer.effects) await runEffect(tx, deps, scope, occupation, effect);
  };
  const shown = () => shownAnew(tx, { ...scope, lockerId });
  const told = () =>
    record(
      tx,
      scope,
      answer.events.map((event) => ({
        ...placed(occupation),
        cabinetId: locker.cabinet_id,
        type: event.type,
        ...(event.data ? { data: event.data } : {}),
      })),
      [
        { kind: 'occupations', id: occupation.id, method: 'POST' },
        { kind: 'lockers', id: lockerId, method: 'PUT' },
      ],
    );
  // Sent in this order and carried out in it; none waits for another one's answer.
  const [, , , , found] = await Promise.all([insert(tx, scope, occupation), follow(), shown(), told(), read(occupation.id, policies)]);
  return { occupation, fit: picked?.why ?? null, policies, read: found };
};

export const register = (tx: Tx, deps: Deps, scope: Scope, input: Registration, facts: Right): Promise<Registered> =>
  registerReading(tx, deps, scope, input, facts, () => Promise.resolve(null));

const shownAnew = madeOnce((tx, { tenantId, lockerId, now }: { tenantId: string; lockerId: string; now: string }) =>
  tx
    .updateTable('lockers')
    .set((eb) => ({ updated_at: now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', lockerId)
    .compile(),
);

const insertOccupation = insertOnce('occupations');
const insert = (tx: Tx, scope: Scope, o: Occupation) =>
  insertOccupation(tx, [
    {
      ...columnsOf(o),
      tenant_id: scope.tenantId,
      id: o.id,
      type: o.type,
      service: o.service,
      stage_at: scope.now,
      asset_id: o.assetId,
      asset_text: o.assetText,
      order_ref: o.orderRef,
      external_ref: o.externalRef,
      refill_level: o.refillLevel,
      loan_hours: o.loanHours,
      created_by: jsonb(o.createdBy),
      created_at: scope.now,
      updated_at: scope.now,
    },
  ]);
