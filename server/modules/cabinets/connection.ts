import type { Selectable } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { CabinetsTable } from '../../db/tables/lockers.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Fact } from '../../devices/fact.ts';
import { record } from '../../events/record.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';

export type CabinetRow = Selectable<CabinetsTable>;

/** The controller came or went. Written once, with the doors it is about; an outage begins or ends with it, and its doors' clocks stand still. */
export const hearConnection = async (tx: Tx, scope: Scope, cabinet: CabinetRow, fact: Fact & { kind: 'connection' }): Promise<void> => {
  const connection = fact.online ? 'online' : 'offline';
  const seen = fact.online ? scope.now : cabinet.last_seen_at;
  const changed = cabinet.connection !== connection;
  await tx
    .updateTable('cabinets')
    .set((eb) => ({
      connection,
      session: fact.session ?? cabinet.session,
      last_seen_at: seen,
      ...(changed ? { connection_at: fact.at, version: eb('version', '+', 1), updated_at: scope.now } : {}),
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', cabinet.id)
    .execute();
  if (!changed) return;
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

const endOutage = (tx: Tx, scope: Scope, cabinetId: string) =>
  tx
    .updateTable('outages')
    .set({ ended_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('cabinet_id', '=', cabinetId)
    .where('ended_at', 'is', null)
    .execute();

/** What the controller says that it is and has. */
export const hearBirth = async (tx: Tx, scope: Scope, cabinet: CabinetRow, fact: Fact & { kind: 'birth' }): Promise<void> => {
  const same = cabinet.firmware === fact.fw && cabinet.can_lock === fact.canLock && cabinet.has_sensors === fact.sensors;
  await tx
    .updateTable('cabinets')
    .set((eb) => ({
      session: fact.session,
      firmware: fact.fw,
      can_lock: fact.canLock,
      has_sensors: fact.sensors,
      compartments: jsonb<unknown[]>([...fact.compartments]),
      last_seen_at: scope.now,
      ...(same ? {} : { version: eb('version', '+', 1), updated_at: scope.now }),
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', cabinet.id)
    .execute();
  if (!same) await record(tx, scope, [], [{ kind: 'cabinets', id: cabinet.id, method: 'PUT' }]);
};
