import { isActive, NOT_NEEDED, STAGES } from '@hatchway/domain/terms.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { openNow } from '../lockers/queries.ts';

/** What falls away so soon after another cabinet of its site, while that is away, is one outage with it. */
const TOGETHER = '30 minutes';
/** The first of the site's outage that the row `u` of one cabinet's belongs to: it names the incident. As a row to be joined. */
export const siteOutageOf = (u: string): RawBuilder<unknown> => sql`lateral (
  select v.id from outages v
  join cabinets d on d.tenant_id = v.tenant_id and d.id = v.cabinet_id
  join cabinets mine on mine.tenant_id = v.tenant_id and mine.id = ${sql.ref(`${u}.cabinet_id`)} and mine.site_id = d.site_id
  where v.tenant_id = ${sql.ref(`${u}.tenant_id`)}
    and v.started_at between ${sql.ref(`${u}.started_at`)} - ${TOGETHER}::interval and ${sql.ref(`${u}.started_at`)}
    and coalesce(v.ended_at, 'infinity') >= ${sql.ref(`${u}.started_at`)}
  order by v.started_at, v.id limit 1)`;

type CabinetAway = { site: string; cabinet: string; number: number; since: string; until: string | null };
/** The cabinets of a site's outage, and until when each was away. One that has no controller any more is away from nothing. */
export const cabinetsOfOutage = async (tx: Tx, tenantId: string, outageId: string): Promise<CabinetAway[]> => {
  const { rows } = await sql<CabinetAway>`
    select s.name as site, c.name as cabinet, c.number, u.started_at as since, u.ended_at as until
    from outages first
    join outages u on u.tenant_id = first.tenant_id and u.started_at between first.started_at and first.started_at + ${TOGETHER}::interval
    join cabinets c on c.tenant_id = u.tenant_id and c.id = u.cabinet_id
    join sites s on s.tenant_id = c.tenant_id and s.id = c.site_id
    join ${siteOutageOf('u')} k on k.id = first.id
    where first.tenant_id = ${tenantId} and first.id = ${outageId} and c.credential_hash is not null
    order by u.started_at, c.number`.execute(tx);
  return rows;
};

/** Names an outage, and a door that opened at a moment: the same incident is the same words, whoever notices it. */
export const outageCause = (outageId: string): string => `offline:${outageId}`;
export const outageOverCause = (outageId: string): string => `online:${outageId}`;
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

const wasTold = async (tx: Tx, tenantId: string, cause: string): Promise<boolean> => {
  const before = await tx
    .selectFrom('messages')
    .select(['state', 'error'])
    .where('tenant_id', '=', tenantId)
    .where('cause', '=', cause)
    .executeTakeFirst();
  return before !== undefined && before.state !== 'queued' && before.error !== NOT_NEEDED;
};

/**
 * Whether it is still so: the cabinet away, that door known to be open and in use, the stock low, the thing there. What waited through the night may have come
 * right by itself, or by somebody's hands.
 */
export const alertHolds = async (tx: Tx, tenantId: string, cause: string): Promise<boolean> => {
  const [what, id = '', since = ''] = cause.split(':');
  if (what === 'offline') return (await cabinetsOfOutage(tx, tenantId, id)).some(({ until }) => until === null);
  // Who is told of it was told that it began.
  if (what === 'online') return wasTold(tx, tenantId, `${outageCause(id)}:${since}`);
  if (
    what === 'staff-order-cancelled' ||
    what === 'staff-refill' ||
    what === 'staff-inspect' ||
    what === 'staff-dropped-off' ||
    what === 'staff-brought-back'
  )
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
