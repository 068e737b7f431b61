import { sql, type SqlBool } from 'kysely';
import type { Offer } from '@hatchway/contract/offers.ts';
import type { PickupCabinet } from '@hatchway/contract/pickup.ts';
import { CABINET_NUMBER_PATTERN } from '@hatchway/domain/codes.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import type { RefusalCode } from '@hatchway/domain/occupation-types.ts';
import { holdFor, paymentOfOne } from '@hatchway/domain/payment.ts';
import type { Policy } from '@hatchway/domain/policy.ts';
import { isPriced } from '@hatchway/domain/price.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { transition } from '@hatchway/domain/transition.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { absent, Problem } from '../../http/problem.ts';
import { admittingAt, companyFacts, contextOf, policiesFor, rulesOfRow } from '../occupations/context-queries.ts';
import { isPayable } from '../integrations/vipps-queries.ts';
import { failingNow } from '../lockers/queries.ts';
import { takersFacts } from '../occupations/person-queries.ts';
import { occupationRows, toOccupation, type OccupationRow } from '../occupations/row-queries.ts';
import { cabinetCard } from './card.ts';
import { isOffer } from './offered.ts';
import { takerOf } from './taker.ts';

/** So many doors of one cabinet are shown. */
const SHOWN = 500;

/** Throws Problem `unavailable`. */
export const throwIfSuspended = async (tx: Tx, tenantId: string): Promise<void> => {
  if ((await companyFacts(tx, tenantId)).suspended) throw new Problem('unavailable', undefined, { retryAfter: 3600 });
};

/** Whoever is signed in, as what they take is written down. Throws Problem `unauthenticated`. */
export const themselves = async (tx: Tx, { tenantId, accountId }: Pick<Caller, 'tenantId' | 'accountId'>): Promise<Receiver> => {
  const receiver = await takerOf(tx, tenantId, accountId);
  if (receiver === null) throw new Problem('unauthenticated');
  return receiver;
};

/** Their own payment for it that is begun or reserved. */
export const ownPayment = ({ payments }: OccupationRow, accountId: string): OccupationRow['payments'][number] | null =>
  payments.find(({ account, state }) => account === accountId && (state === 'initiated' || state === 'reserved')) ?? null;

/** What they took by themselves and have not finished with: let in, or lent. */
export const mineOf = (row: OccupationRow, accountId: string): Offer['mine'] => {
  if (row.claimed_by?.id !== accountId || !row.claimed_for_themselves) return null;
  if (row.stage === STAGES.CLAIMING) return 'begun';
  return row.stage === STAGES.VACANT && row.loan_id !== null ? 'borrowed' : null;
};

/** Of the caller's own company: another one's cabinet has nothing for them, as if there were none. */
const cabinetNumbered = async (tx: Tx, tenantId: string, number: string): Promise<string> => {
  const row =
    tenantId === '' || !CABINET_NUMBER_PATTERN.test(number)
      ? undefined
      : await tx
          .selectFrom('cabinets')
          .select('id')
          .where('tenant_id', '=', tenantId)
          .where('number', '=', Number(number))
          .executeTakeFirst();
  if (!row) throw absent();
  return row.id;
};

/** Of an occupation `o`: offered, or with one of these people, or being paid for by one. */
export const isOfferTo = (accountIds: readonly string[]) =>
  sql<SqlBool>`(${isOffer} or (o.type in ('lending', 'consumable') and o.stage in (${STAGES.CLAIMING}, ${STAGES.VACANT})
    and o.claimed_by->>'id' = any(${[...accountIds]}::text[]))
    or exists (select from payments p where p.tenant_id = o.tenant_id and p.occupation_id = o.id and p.state in ('initiated', 'reserved')
      and p.payer->>'accountId' = any(${[...accountIds]}::text[])))`;

export const policiesOf = (tx: Tx, tenantId: string, rows: readonly OccupationRow[]): Promise<Policy[]> =>
  policiesFor(
    tx,
    tenantId,
    rows.map((row) => row.locker_id).filter((id) => id !== null),
  );

type Taker = Awaited<ReturnType<typeof takersFacts>>[number];
/** Why the rules refuse them what is offered; null where they may take it. */
export const refusalToTake = (row: OccupationRow, policies: readonly Policy[], taker: Taker, now: string): RefusalCode | null => {
  const scope = { tenantId: row.tenant_id, actor: { kind: 'person', id: taker.accountId, name: '' }, now } as const;
  const rules = rulesOfRow(policies, row, undefined, taker.groupIds);
  const { activeOfPerson } = taker;
  const answer = transition(toOccupation(row), { kind: 'claim' }, contextOf(row, scope, 'holder', null, true, { rules, activeOfPerson }));
  return answer.ok ? null : answer.refusal.code;
};

/**
 * Who of these people opens the door of which of these occupations by signing in at its cabinet, and by which policies; by none what they
 * took so and have.
 */
export const takersOf = async (
  tx: Tx,
  tenantId: string,
  accountIds: readonly string[],
  occupationIds: readonly string[],
  now: string,
): Promise<{ accountId: string; occupationId: string; policies: readonly Policy[] }[]> => {
  if (accountIds.length === 0 || occupationIds.length === 0) return [];
  const rows = await occupationRows(tx, tenantId)
    .where('o.id', 'in', [...occupationIds])
    .where(isOfferTo(accountIds))
    .execute();
  if (rows.length === 0) return [];
  const policies = await policiesOf(tx, tenantId, rows);
  const takers = await takersFacts(tx, tenantId, policies, accountIds);
  return rows.flatMap((row) =>
    takers.flatMap((taker) => {
      const mine = mineOf(row, taker.accountId) !== null;
      if (!mine && refusalToTake(row, policies, taker, now) !== null) return [];
      const by = mine ? [] : admittingAt(policies, row, taker.groupIds);
      return [{ accountId: taker.accountId, occupationId: row.id, policies: by }];
    }),
  );
};

/** Why nobody can pay for it now; null where it can be paid. */
const payHold = (row: OccupationRow & { failing: SqlBool }, payable: boolean): Offer['hold'] => {
  if (!payable) return 'not-payable';
  const o = toOccupation(row);
  if (paymentOfOne(o, row.payments) !== null || !holdFor(o, 1).ok) return 'being-paid';
  return row.failing ? 'door-failed' : null;
};

/** What they may take from the cabinet, and what of it they have, by door. Throws Problem `not-found`. */
export const offersAt = async (
  tx: Tx,
  deps: Deps,
  caller: Caller,
  number: string,
  now: string,
): Promise<{ person: string; tlf: string | null; cabinet: PickupCabinet; offers: Offer[] }> => {
  const { tenantId, accountId } = caller;
  const cabinetId = await cabinetNumbered(tx, tenantId, number);
  await throwIfSuspended(tx, tenantId);
  const cabinet = await cabinetCard(tx, tenantId, cabinetId);
  const receiver = await themselves(tx, caller);
  const rows = await occupationRows(tx, tenantId)
    .select(failingNow.as('failing'))
    .where('l.cabinet_id', '=', cabinetId)
    .where(isOfferTo([accountId]))
    .orderBy('o.door_tag')
    .orderBy('o.id')
    .limit(SHOWN)
    .execute();
  const policies = await policiesOf(tx, tenantId, rows);
  const [person] = await takersFacts(tx, tenantId, policies, [accountId]);
  if (!person) throw new Problem('unauthenticated');
  const payable = rows.some(({ price }) => isPriced(price)) && (await isPayable(tx, deps, tenantId));
  const offers = rows.flatMap((row): Offer[] => {
    if (row.locker_size === null || (row.type !== 'lending' && row.type !== 'consumable')) return [];
    const o = toOccupation(row);
    const costs = isPriced(o.price);
    const mine = mineOf(row, accountId) ?? (costs && ownPayment(row, accountId) !== null ? 'paying' : null);
    const code = mine === null ? refusalToTake(row, policies, person, now) : null;
    // What they could not take whatever they did is not offered to them.
    if (code !== null && code !== 'too-many' && code !== 'payment-needed') return [];
    const left = o.quantity - o.held;
    return [
      {
        occupationId: o.id,
        type: row.type,
        content: o.assetText ?? row.asset_name,
        doorTag: o.doorTag,
        size: row.locker_size,
        most: isStock(o.type) && mine === null && left > 1 ? left : null,
        loanHours: o.type === 'lending' ? (o.loanHours ?? rulesOfRow(policies, row, undefined, person.groupIds).loanHours) : null,
        price: costs && (mine === null || mine === 'paying') ? o.price : null,
        mine,
        dueAt: row.due_at,
        hold:
          row.out_of_service !== null
            ? 'out-of-service'
            : cabinet.connection === 'offline'
              ? 'cabinet-offline'
              : code === 'too-many'
                ? 'too-many'
                : costs && mine === null
                  ? payHold(row, payable)
                  : null,
      },
    ];
  });
  return { person: receiver.name, tlf: receiver.tlf, cabinet, offers };
};
