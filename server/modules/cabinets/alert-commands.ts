import { sql } from 'kysely';
import { SETTINGS } from '@hatchway/domain/alerts.ts';
import { later, MINUTE } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { CompanySettings } from '../../db/tables/people.ts';
import type { Deps } from '../../deps.ts';
import { TWO_CONTROLLERS } from '../../devices/fact.ts';
import type { Scope } from '../../scope.ts';
import { openNow } from '../lockers/queries.ts';
import { alertStaff, isUntold } from '../messages/alert-commands.ts';
import {
  cabinetsOfOutage,
  openDoorCause,
  openDoorCauseOf,
  outageCause,
  outageCauseOf,
  outageOverCause,
  siteOutageOf,
} from '../messages/alert-queries.ts';
import type { CabinetRow } from './connection.ts';

/** So many at a time, of those that somebody has still to be told of: the next look takes the next. */
const BATCH = 100;

type Place = { site: string; cabinet: string; number: number };
type Open = Place & { id: string; door: string; since: string };
const printed = ({ cabinet, number }: Place): string => `${cabinet}, ${number}`;
/** As many as a message can name. */
const NAMED = 5;
const allPrinted = (places: readonly Place[]): string =>
  [...places.slice(0, NAMED).map(printed), ...(places.length > NAMED ? [`+${places.length - NAMED}`] : [])].join('; ');

/** At once and in its own words: nothing is gained by waiting, and `away` says nothing of it. */
export const tellRivals = async (tx: Tx, deps: Deps, scope: Scope, cabinet: CabinetRow, at: string): Promise<void> => {
  const site = await tx
    .selectFrom('sites')
    .select('name')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', cabinet.site_id)
    .executeTakeFirst();
  const about = { site: site?.name ?? null, cabinet: printed({ site: '', cabinet: cabinet.name, number: cabinet.number }), sinceIso: at };
  await alertStaff(tx, deps, scope, { event: TWO_CONTROLLERS, cause: `${TWO_CONTROLLERS}:${cabinet.id}:${at}`, occupationId: null, about });
};

/** Outages of sites of which one cabinet was away for longer than the company bears: a controller that starts again is no news. */
const away = async (tx: Tx, { tenantId, now }: Scope, settings: CompanySettings): Promise<string[]> => {
  const since = later(now, -(settings.offlineMinutes ?? SETTINGS.offlineMinutes) * MINUTE);
  const { rows } = await sql<{ id: string }>`
    select k.id
    from outages u
    join cabinets c on c.tenant_id = u.tenant_id and c.id = u.cabinet_id
    join ${siteOutageOf('u')} k on true
    where u.tenant_id = ${tenantId} and u.ended_at is null and u.started_at <= ${since} and c.credential_hash is not null
      and c.offline_reason is distinct from ${TWO_CONTROLLERS}
      and ${isUntold(tenantId, settings, 'cabinet-offline', outageCauseOf('k'))}
    group by k.id order by min(u.started_at) limit ${BATCH}`.execute(tx);
  return rows.map(({ id }) => id);
};

const alerted = (tx: Tx, tenantId: string, id: string, at: string | null) =>
  tx.updateTable('outages').set({ alerted_at: at }).where('tenant_id', '=', tenantId).where('id', '=', id).execute();

const tellAway = async (tx: Tx, deps: Deps, scope: Scope, id: string): Promise<void> => {
  const gone = (await cabinetsOfOutage(tx, scope.tenantId, id)).filter(({ until }) => until === null);
  const [first] = gone;
  if (first === undefined) return;
  const about = { site: first.site, cabinet: allPrinted(gone), sinceIso: first.since };
  await alertStaff(tx, deps, scope, { event: 'cabinet-offline', cause: outageCause(id), occupationId: null, about });
  await alerted(tx, scope.tenantId, id, scope.now);
};

/** Every cabinet of an outage that was told is back. */
const tellBack = async (tx: Tx, deps: Deps, scope: Scope): Promise<void> => {
  const told = await tx
    .selectFrom('outages')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('alerted_at', 'is not', null)
    .execute();
  for (const { id } of told) {
    const those = await cabinetsOfOutage(tx, scope.tenantId, id);
    if (those.some(({ until }) => until === null)) continue;
    const sinceIso = those
      .map(({ until }) => until ?? '')
      .toSorted()
      .at(-1);
    const about = { site: those[0]?.site ?? null, cabinet: allPrinted(those), ...(sinceIso ? { sinceIso } : {}) };
    if (those.length > 0)
      await alertStaff(tx, deps, scope, { event: 'cabinet-back', cause: outageOverCause(id), occupationId: null, about });
    await alerted(tx, scope.tenantId, id, null);
  }
};

/** Said to be open by a cabinet that can be heard now, and not because somebody is at work on it. */
const leftOpen = async (tx: Tx, { tenantId, now }: Scope, settings: CompanySettings): Promise<Open[]> => {
  const since = later(now, -(settings.doorOpenMinutes ?? SETTINGS.doorOpenMinutes) * MINUTE);
  const { rows } = await sql<Open>`
    select l.id, l.door_tag as door, l.door_at as since, s.name as site, c.name as cabinet, c.number
    from lockers l
    join cabinets c on c.tenant_id = l.tenant_id and c.id = l.cabinet_id
    join sites s on s.tenant_id = c.tenant_id and s.id = c.site_id
    where l.tenant_id = ${tenantId} and ${openNow} and l.out_of_service is null and l.door_at <= ${since}
      and ${isUntold(tenantId, settings, 'door-left-open', openDoorCauseOf('l'))}
    order by l.door_at limit ${BATCH}`.execute(tx);
  return rows;
};

/** What nobody did and time alone makes news of: cabinets that stay away, and are back, doors that stay open. Looked at every minute, told once. */
export const alertPlaces = (deps: Deps, scope: Scope): Promise<void> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const company = await tx.selectFrom('companies').select('settings').where('id', '=', scope.tenantId).executeTakeFirst();
    const settings = company?.settings ?? {};
    const wants = (event: string) => (settings.alerts ?? []).some((alert) => alert.event === event || alert.event === 'all');
    await tellBack(tx, deps, scope);
    if (wants('cabinet-offline')) for (const id of await away(tx, scope, settings)) await tellAway(tx, deps, scope, id);
    if (wants('door-left-open'))
      for (const one of await leftOpen(tx, scope, settings))
        await alertStaff(tx, deps, scope, {
          event: 'door-left-open',
          cause: openDoorCause(one.id, one.since),
          occupationId: null,
          about: { site: one.site, cabinet: printed(one), door: one.door, sinceIso: one.since },
        });
  });
