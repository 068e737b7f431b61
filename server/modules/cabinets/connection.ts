import type { Selectable } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { CabinetsTable } from '../../db/tables/lockers.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { NOT_HEARD, TWO_CONTROLLERS, type Fact } from '../../devices/fact.ts';
import { PAST_SESSIONS } from '../../devices/session.ts';
import { record } from '../../events/record.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';

export type CabinetRow = Selectable<CabinetsTable>;

type Said = { session: string | null };
/** Of the session that holds. A birth alone begins one, and a will ends it. */
export const holds = (cabinet: CabinetRow, { session }: Said): boolean =>
  session !== null && session === cabinet.session && !cabinet.past_sessions.includes(session);

const COMES_BACK: readonly (string | null)[] = [NOT_HEARD, TWO_CONTROLLERS];

/** The controller came or went. Written once, with the doors it is about; an outage begins or ends with it, and its doors' clocks stand still. */
export const hearConnection = async (tx: Tx, scope: Scope, cabinet: CabinetRow, fact: Fact & { kind: 'connection' }): Promise<void> => {
  // Another node may have heard of a newer session long ago: a late will takes nothing away, and a late greeting brings nothing back.
  if (fact.session !== null && !holds(cabinet, fact)) return;
  const over = !fact.online && !COMES_BACK.includes(fact.reason);
  const connection = fact.online ? 'online' : 'offline';
  const seen = fact.online ? scope.now : cabinet.last_seen_at;
  const changed = cabinet.connection !== connection;
  const reason = fact.online ? null : fact.reason;
  await updateRow(tx, 'cabinets', scope.tenantId, cabinet.id)
    .set((eb) => ({
      connection,
      offline_reason: reason,
      ...(over ? { past_sessions: ended(cabinet, cabinet.session) } : {}),
      last_seen_at: seen,
      ...(changed ? { connection_at: fact.at, version: eb('version', '+', 1), updated_at: scope.now } : {}),
    }))
    .execute();
  if (!changed) {
    if (cabinet.offline_reason !== reason) await record(tx, scope, [], [{ kind: 'cabinets', id: cabinet.id, method: 'PUT' }]);
    return;
  }
  if (fact.online) await endOutage(tx, scope, cabinet.id);
  else
    await tx
      .insertInto('outages')
      .values({ tenant_id: scope.tenantId, id: newId(), cabinet_id: cabinet.id, started_at: scope.now, ended_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  // What a door shows changes with it, so its version does: a screen drops what is no newer than what it shows.
  const lockers = await tx
    .updateTable('lockers')
    .set((eb) => ({ version: eb('version', '+', 1), updated_at: scope.now }))
    .where('tenant_id', '=', scope.tenantId)
    .where('cabinet_id', '=', cabinet.id)
    .returning(['id', 'door_tag', 'compartment'])
    .execute();
  lockers.sort((a, b) => a.compartment - b.compartment);
  await record(
    tx,
    scope,
    [
      {
        type: fact.online ? 'locker_online' : 'locker_offline',
        at: fact.at,
        cabinetId: cabinet.id,
        data: { cabinet: cabinet.name, lockers: lockers.map((locker) => locker.door_tag), ...(fact.reason ? { reason: fact.reason } : {}) },
      },
    ],
    [
      { kind: 'cabinets', id: cabinet.id, method: 'PUT' },
      ...lockers.map((locker) => ({ kind: 'lockers', id: locker.id, method: 'PUT' }) as const),
    ],
  );
};

/** Its credential was withdrawn: it is away from now on, and what it says in the session that it has is not believed, its will neither. */
export const sendAway = (tx: Tx, scope: Scope, cabinet: CabinetRow, reason: 'unpaired' | 'paired-anew'): Promise<void> =>
  hearConnection(tx, scope, cabinet, {
    kind: 'connection',
    tenantId: scope.tenantId,
    controllerId: cabinet.id,
    online: false,
    session: null,
    reason,
    at: scope.now,
    retained: false,
  });

const endOutage = (tx: Tx, scope: Scope, cabinetId: string) =>
  tx
    .updateTable('outages')
    // Our own clock may have been set back meanwhile.
    .set((eb) => ({ ended_at: eb.fn<string>('greatest', [eb.val(scope.now), eb.ref('started_at')]) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('cabinet_id', '=', cabinetId)
    .where('ended_at', 'is', null)
    .execute();

const ended = (cabinet: CabinetRow, session: string | null): string[] =>
  [...cabinet.past_sessions.filter((past) => past !== session), ...(session === null ? [] : [session])].slice(-PAST_SESSIONS);

/**
 * What the controller says that it is and has; with it a session begins. One that is over does not, except where whoever heard it knows
 * that it came after the one that holds: that one was brought by a process that lagged, about a session that nobody else had heard of.
 */
export const hearBirth = async (tx: Tx, scope: Scope, cabinet: CabinetRow, fact: Fact & { kind: 'birth' }): Promise<void> => {
  const newer = cabinet.session !== null && fact.after.includes(cabinet.session);
  if (cabinet.past_sessions.includes(fact.session) && !newer) return;
  const same = cabinet.firmware === fact.fw && cabinet.can_lock === fact.canLock && cabinet.has_sensors === fact.sensors;
  await updateRow(tx, 'cabinets', scope.tenantId, cabinet.id)
    .set((eb) => ({
      session: fact.session,
      ...(fact.session === cabinet.session
        ? {}
        : { past_sessions: ended(cabinet, cabinet.session).filter((past) => past !== fact.session), session_at: scope.now }),
      firmware: fact.fw,
      can_lock: fact.canLock,
      has_sensors: fact.sensors,
      compartments: jsonb<unknown[]>([...fact.compartments]),
      last_seen_at: scope.now,
      ...(same ? {} : { version: eb('version', '+', 1), updated_at: scope.now }),
    }))
    .execute();
  if (!same) await record(tx, scope, [], [{ kind: 'cabinets', id: cabinet.id, method: 'PUT' }]);
};
