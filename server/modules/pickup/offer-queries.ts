import { sql, type SqlBool } from 'kysely';
import type { Offer } from '@hatchway/contract/offers.ts';
import type { PickupCabinet } from '@hatchway/contract/pickup.ts';
import { CABINET_NUMBER_PATTERN } from '@hatchway/domain/codes.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import type { RefusalCode } from '@hatchway/domain/occupation-types.ts';
import type { Policy } from '@hatchway/domain/policy.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { transition } from '@hatchway/domain/transition.ts';
import type { Tx } from '../../db/database.ts';
import type { Caller } from '../../http/caller.ts';
import { absent, Problem } from '../../http/problem.ts';
import { admittingAt, companyFacts, contextOf, policiesFor, rulesOfRow } from '../occupations/context-queries.ts';
import { takersFacts } from '../occupations/person-queries.ts';
import { occupationRows, toOccupation, type OccupationRow } from '../occupations/row-queries.ts';
import { cabinetCard } from './card.ts';
import { isOffer } from './offered.ts';

/** So many doors of one cabinet are shown. */
const SHOWN = 500;

/** Throws Problem `unavailable`. */
export const throwIfSuspended = async (tx: Tx, tenantId: string): Promise<void> => {
  if ((await companyFacts(tx, tenantId)).suspended) throw new Problem('unavailable', undefined, { retryAfter: 3600 });
};

/** Whoever is signed in, as what they take is written down. */
export const themselves = async (tx: Tx, { accountId }: Caller): Promise<Receiver> => {
  const row = await tx.selectFrom('accounts').select(['name', 'tlf', 'email']).where('id', '=', accountId).executeTakeFirst();
  if (!row) throw new Problem('unauthenticated');
  return row;
};

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

/** Of an occupation `o`: offered, or with one of these people. */
export const isOfferTo = (accountIds: readonly string[]) =>
  sql<SqlBool>`(${isOffer} or (o.type in ('lending', 'consumable') and o.stage in (${STAGES.CLAIMING}, ${STAGES.VACANT})
    and o.claimed_by->>'id' = any(${[...accountIds]}::text[])))`;

const policiesOf = (tx: Tx, tenantId: string, rows: readonly OccupationRow[]): Promise<Policy[]> =>
  policiesFor(
    tx,
    tenantId,
    rows.map((row) => row.locker_id).filter((id) => id !== null),
  );

type Taker = Awaited<ReturnType<typeof takersFacts>>[number];
/** Why the rules refuse them what is offered; null where they may take it. */
const refusalToTake = (row: OccupationRow, policies: readonly Policy[], taker: Taker, now: string): RefusalCode | null => {
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

/** What they may take from the cabinet, and what of it they have, by door. Throws Problem `not-found`. */
export const offersAt = async (
  tx: Tx,
  caller: Caller,
  number: string,
  now: string,
): Promise<{ person: string; cabinet: PickupCabinet; offers: Offer[] }> => {
  const { tenantId, accountId } = caller;
  const cabinetId = await cabinetNumbered(tx, tenantId, number);
  await throwIfSuspended(tx, tenantId);
  const cabinet = await cabinetCard(tx, tenantId, cabinetId);
  const receiver = await themselves(tx, caller);
  const rows = await occupationRows(tx, tenantId)
    .where('l.cabinet_id', '=', cabinetId)
    .where(isOfferTo([accountId]))
    .orderBy('o.door_tag')
    .orderBy('o.id')
    .limit(SHOWN)
    .execute();
  const policies = await policiesOf(tx, tenantId, rows);
  const [person] = await takersFacts(tx, tenantId, policies, [accountId]);
  if (!person) throw new Problem('unauthenticated');
  const offers = rows.flatMap((row): Offer[] => {
    if (row.locker_size === null || (row.type !== 'lending' && row.type !== 'consumable')) return [];
    const mine = mineOf(row, accountId);
    const o = toOccupation(row);
    const code = mine === null ? refusalToTake(row, policies, person, now) : null;
    // What they could not take whatever they did is not offered to them.
    if (code !== null && code !== 'too-many') return [];
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
        mine,
        dueAt: row.due_at,
        hold:
          row.out_of_service !== null
            ? 'out-of-service'
            : cabinet.connection === 'offline'
              ? 'cabinet-offline'
              : code === null
                ? null
                : 'too-many',
      },
    ];
  });
  return { person: receiver.name, cabinet, offers };
};
