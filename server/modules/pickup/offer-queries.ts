import { sql, type SqlBool } from 'kysely';
import type { Offer } from '@hatchway/contract/offers.ts';
import type { PickupCabinet } from '@hatchway/contract/pickup.ts';
import { CABINET_NUMBER_PATTERN } from '@hatchway/domain/codes.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import { transition } from '@hatchway/domain/transition.ts';
import type { Tx } from '../../db/database.ts';
import { scopeOf, type Caller } from '../../http/caller.ts';
import { absent, Problem } from '../../http/problem.ts';
import { activeOf, companyFacts, contextOf, groupsOf, policiesFor, rulesOfRow } from '../occupations/context-queries.ts';
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
    .where(sql<SqlBool>`(${isOffer} or (o.stage in (${STAGES.CLAIMING}, ${STAGES.VACANT}) and o.claimed_by->>'id' = ${accountId}))`)
    .orderBy('o.door_tag')
    .orderBy('o.id')
    .limit(SHOWN)
    .execute();
  const lockerIds = rows.map((row) => row.locker_id).filter((id) => id !== null);
  const policies = await policiesFor(tx, tenantId, lockerIds);
  const person = { accountId, receiver };
  const groupIds = await groupsOf(tx, tenantId, policies, person);
  const activeOfPerson = await activeOf(tx, tenantId, person, null);
  const offers = rows.flatMap((row): Offer[] => {
    const mine = mineOf(row, accountId);
    if (row.locker_size === null || (row.type !== 'lending' && row.type !== 'consumable')) return [];
    if (row.claimed_by?.id === accountId && mine === null) return [];
    const o = toOccupation(row);
    const rules = rulesOfRow(policies, row, groupIds);
    const answer =
      mine === null
        ? transition(o, { kind: 'claim' }, contextOf(row, scopeOf(caller, now), 'holder', null, true, { rules, activeOfPerson }))
        : null;
    const code = answer === null || answer.ok ? null : answer.refusal.code;
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
        loanHours: o.type === 'lending' ? (o.loanHours ?? rules.loanHours) : null,
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
