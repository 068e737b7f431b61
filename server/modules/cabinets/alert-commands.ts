import { sql } from 'kysely';
import { SETTINGS } from '@hatchway/domain/alerts.ts';
import { later, MINUTE } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { CompanySettings } from '../../db/tables/people.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { openNow } from '../lockers/queries.ts';
import { alertStaff, isUntold } from '../messages/alert-commands.ts';
import { openDoorCause, openDoorCauseOf, outageCause, outageCauseOf } from '../messages/alert-queries.ts';

/** So many at a time, of those that somebody has still to be told of: the next look takes the next. */
const BATCH = 100;

type Place = { site: string; cabinet: string; number: number };
type Away = Place & { id: string; since: string };
type Open = Place & { id: string; door: string; since: string };
const printed = ({ cabinet, number }: Place): string => `${cabinet}, ${number}`;

/** Paired, and away for longer than the company bears: a controller that starts again is no news. */
const away = async (tx: Tx, { tenantId, now }: Scope, settings: CompanySettings): Promise<Away[]> => {
  const since = later(now, -(settings.offlineMinutes ?? SETTINGS.offlineMinutes) * MINUTE);
  const { rows } = await sql<Away>`
    select u.id, u.started_at as since, s.name as site, c.name as cabinet, c.number
    from outages u
    join cabinets c on c.tenant_id = u.tenant_id and c.id = u.cabinet_id
    join sites s on s.tenant_id = c.tenant_id and s.id = c.site_id
    where u.tenant_id = ${tenantId} and u.ended_at is null and u.started_at <= ${since} and c.credential_hash is not null
      and ${isUntold(tenantId, settings, 'cabinet-offline', outageCauseOf('u'))}
    order by u.started_at limit ${BATCH}`.execute(tx);
  return rows;
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

/** What nobody did and time alone makes news of: cabinets that stay away, doors that stay open. Looked at every minute, told once. */
export const alertPlaces = (deps: Deps, scope: Scope): Promise<void> =>
  deps.db.tenant(scope.tenantId, async (tx) => {
    const company = await tx.selectFrom('companies').select('settings').where('id', '=', scope.tenantId).executeTakeFirst();
    const settings = company?.settings ?? {};
    const wants = (event: string) => (settings.alerts ?? []).some((alert) => alert.event === event || alert.event === 'all');
    if (wants('cabinet-offline'))
      for (const one of await away(tx, scope, settings))
        await alertStaff(tx, deps, scope, {
          event: 'cabinet-offline',
          cause: outageCause(one.id),
          occupationId: null,
          about: { site: one.site, cabinet: printed(one), sinceIso: one.since },
        });
    if (wants('door-left-open'))
      for (const one of await leftOpen(tx, scope, settings))
        await alertStaff(tx, deps, scope, {
          event: 'door-left-open',
          cause: openDoorCause(one.id, one.since),
          occupationId: null,
          about: { site: one.site, cabinet: printed(one), door: one.door, sinceIso: one.since },
        });
  });
