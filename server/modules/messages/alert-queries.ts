import { isActive, STAGES } from '@hatchway/domain/terms.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { openNow } from '../lockers/queries.ts';

/** Names an outage, and a door that opened at a moment: the same incident is the same words, whoever notices it. */
export const outageCause = (outageId: string): string => `offline:${outageId}`;
export const openDoorCause = (lockerId: string, since: string): string => `door-open:${lockerId}:${Date.parse(since)}`;
/** The same words, made where the row `u` of an outage, or `l` of a locker, is read. */
export const outageCauseOf = (u: string): RawBuilder<string> => sql<string>`'offline:' || ${sql.ref(`${u}.id`)}::text`;
export const openDoorCauseOf = (l: string): RawBuilder<string> =>
  sql<string>`'door-open:' || ${sql.ref(`${l}.id`)}::text || ':' || (extract(epoch from ${sql.ref(`${l}.door_at`)}) * 1000)::bigint::text`;

/** What staff are called to: stock at its refill level, a thing to be looked over, a thing to be fetched. */
const useAwaits = async (tx: Tx, tenantId: string, what: string, id: string): Promise<boolean> => {
  const use = await tx
    .selectFrom('occupations')
    .select(['stage', 'quantity', 'refill_level'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (use === undefined || !isActive(use.stage)) return false;
  // Taken out by staff with pieces left, it is theirs to put somewhere; begun anew or moved, it is being filled.
  if (what === 'staff-refill')
    return use.stage >= STAGES.FILLED && (use.stage < STAGES.VACANT || use.quantity === 0) && use.quantity <= (use.refill_level ?? 0);
  if (what === 'staff-inspect') return use.stage === STAGES.FILLED;
  return use.stage >= STAGES.FILLED && use.stage < STAGES.VACANT;
};

/**
 * Whether it is still so: the cabinet away, that door known to be open and in use, the stock low, the thing there. What waited through the night may have come
 * right by itself, or by somebody's hands.
 */
export const alertHolds = async (tx: Tx, tenantId: string, cause: string): Promise<boolean> => {
  const [what, id = '', since = ''] = cause.split(':');
  if (what === 'offline') {
    const outage = await tx
      .selectFrom('outages')
      .select('ended_at')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return outage !== undefined && outage.ended_at === null;
  }
  if (what === 'staff-refill' || what === 'staff-inspect' || what === 'staff-dropped-off' || what === 'staff-brought-back')
    return useAwaits(tx, tenantId, what, id);
  if (what !== 'door-open') return true;
  // By its cabinet's word of now: what it said before it fell silent nobody knows to be so still.
  const open = await tx
    .selectFrom('lockers as l')
    .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
    .select('l.door_at')
    .where('l.tenant_id', '=', tenantId)
    .where('l.id', '=', id)
    .where(openNow)
    .where('l.out_of_service', 'is', null)
    .executeTakeFirst();
  return open !== undefined && open.door_at !== null && String(Date.parse(open.door_at)) === since;
};
