import type { Selectable } from 'kysely';
import { HOUR } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { CabinetsTable, LockersTable } from '../../db/tables/lockers.ts';
import type { Deps } from '../../deps.ts';
import type { Fact } from '../../devices/fact.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { activeBy } from '../../stages.ts';
import { setContent } from '../lockers/commands.ts';
import { alertStaff } from '../messages/alert-commands.ts';
import { tellAlert } from '../occupations/door-commands.ts';
import { incidentOf } from './incident.ts';

type LockerRow = Selectable<LockersTable>;
type CabinetRow = Selectable<CabinetsTable>;
type EventFact = Fact & { kind: 'event' };

/** Locked, so that what is said of one door is heard one after the other. */
export const lockerOf = (tx: Tx, cabinet: Pick<CabinetRow, 'tenant_id' | 'id'>, compartment: number): Promise<LockerRow | undefined> =>
  tx
    .selectFrom('lockers')
    .selectAll()
    .where('tenant_id', '=', cabinet.tenant_id)
    .where('cabinet_id', '=', cabinet.id)
    .where('compartment', '=', compartment)
    .forUpdate()
    .executeTakeFirst();

/** Staff hear of a place where no use is there to tell of. */
const tellOfPlace = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  cabinetId: string,
  news: { cause: string; door: string | null; since: string },
): Promise<void> => {
  const place = await tx
    .selectFrom('cabinets as c')
    .innerJoin('sites as s', (join) => join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.site_id'))
    .select(['c.name', 'c.number', 's.name as site'])
    .where('c.tenant_id', '=', scope.tenantId)
    .where('c.id', '=', cabinetId)
    .executeTakeFirst();
  await alertStaff(tx, deps, scope, {
    event: 'unexpected-opening',
    cause: news.cause,
    occupationId: null,
    about: {
      site: place?.site ?? null,
      cabinet: place ? `${place.name}, ${place.number}` : null,
      door: news.door,
      sinceIso: news.since,
    },
  });
};

export const tellOfDoor = (tx: Tx, deps: Deps, scope: Scope, locker: LockerRow, since: string): Promise<void> =>
  tellOfPlace(tx, deps, scope, locker.cabinet_id, {
    cause: `unexpected:${locker.id}:${Date.parse(since)}`,
    door: locker.door_tag,
    since,
  });

/**
 * An alarm of the housing, or of a compartment that has no door on the wall: what lies behind the doors only these say. A contact that
 * chatters is written down each time; staff are told once an hour.
 */
const hearAlarm = async (tx: Tx, deps: Deps, scope: Scope, cabinet: CabinetRow, fact: EventFact): Promise<void> => {
  if (fact.type !== 'forced' && fact.type !== 'tamper') return;
  await tellOfPlace(tx, deps, scope, cabinet.id, {
    cause: `${fact.type}:${cabinet.id}:${Math.floor(Date.parse(fact.at) / HOUR)}`,
    door: null,
    since: fact.at,
  });
  const where = fact.compartment === undefined ? {} : { compartment: fact.compartment };
  const data = { cabinet: cabinet.name, alert: fact.type, ...where };
  await record(tx, scope, [{ type: 'locker_alarm', at: fact.at, cabinetId: cabinet.id, data }], []);
};

const ALERT_OF = { forced: 'forced', left_open: 'left-open', tamper: 'tamper', jam: 'jam' } as const;

/** What a controller noticed beside its doors' states. An alert marks the door; one that puts the content in doubt does so. */
export const hearEvent = async (tx: Tx, deps: Deps, scope: Scope, cabinet: CabinetRow, fact: EventFact): Promise<void> => {
  if (fact.type === 'door_opened' || fact.type === 'door_closed') return;
  const locker = fact.compartment === undefined ? undefined : await lockerOf(tx, cabinet, fact.compartment);
  if (!locker) return hearAlarm(tx, deps, scope, cabinet, fact);
  const alert = ALERT_OF[fact.type];
  // What a contact that bounces is taken for was told at its first.
  if (locker.alert === alert || (alert === 'forced' && locker.openings > 1)) return;
  const incident = incidentOf(locker, { at: fact.at, now: scope.now }, deps.pace.bounceMs);
  await tx
    .updateTable('lockers')
    .set((eb) => ({ alert, alert_at: fact.at, incident_at: incident.at, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', locker.tenant_id)
    .where('id', '=', locker.id)
    .execute();
  const current = await tx
    .selectFrom('occupations')
    .select(['id', 'type'])
    .where('tenant_id', '=', locker.tenant_id)
    .where('locker_id', '=', locker.id)
    .where(activeBy('stage'))
    .executeTakeFirst();
  const doubt = alert !== 'jam';
  // What moved a door, only its state says: an alert opens nothing in the record.
  if (doubt) await setContent(tx, scope, locker.id, { kind: alert === 'left-open' ? 'left-open' : 'unexpected-opening' });
  // For how long a door may stand open the company says, not the controller: the sweep of each minute tells of that.
  const news = doubt && alert !== 'left-open';
  if (news && current) await tellAlert(tx, deps, scope, current.id);
  else if (news) await tellOfDoor(tx, deps, scope, locker, incident.at);
  await record(
    tx,
    scope,
    doubt
      ? [
          {
            type: 'locker_unknown',
            at: fact.at,
            cabinetId: cabinet.id,
            lockerId: locker.id,
            doorTag: locker.door_tag,
            occupationId: current?.id ?? null,
            occupationType: current?.type ?? null,
            data: { alert },
          },
        ]
      : [],
    [{ kind: 'lockers', id: locker.id, method: 'PUT' }],
  );
};
