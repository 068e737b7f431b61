import { sql } from 'kysely';
import type { z } from 'zod';
import type { Cabinet, CabinetChange, Site, sites, SiteInput } from '@hatchway/contract/cabinets.ts';
import type { Locker } from '@hatchway/contract/lockers.ts';
import { mayBuild, mayBuildAnywhere, maySeeLocker, maySeeSite, type Facts } from '@hatchway/domain/access.ts';
import { freeCompartment, type DrawnDoor, type Drawing } from '@hatchway/domain/layout.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record } from '../../events/record.ts';
import { absent, mustBeSeen, Problem, unknownReference } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow, lockRow, updateRow } from '../../rows.ts';
import { lockerById } from '../lockers/queries.ts';
import { siteFields, takeNumber } from './commands.ts';
import { sendAway } from './connection.ts';
import { buildWall, saveCabinet, told } from './layout-commands.ts';
import { NO_CODE } from './pairing-commands.ts';
import { cabinetById, toSite } from './queries.ts';
import { lockWall, wantedWall, type LockedWall } from './wall.ts';

type BodyOf<M extends string, P extends string> = z.output<
  Extract<(typeof sites)[number], { method: M; path: P }> extends { body: infer B extends z.ZodType } ? B : never
>;
/** `ask`: the controller must say its doors again. */
type Built<T> = { row: T; ask: boolean };

const lockersOf = async (tx: Tx, tenantId: string, siteId: string): Promise<string[]> =>
  (
    await tx
      .selectFrom('lockers as l')
      .innerJoin('cabinets as c', (join) => join.onRef('c.tenant_id', '=', 'l.tenant_id').onRef('c.id', '=', 'l.cabinet_id'))
      .select('l.id')
      .where('l.tenant_id', '=', tenantId)
      .where('c.site_id', '=', siteId)
      .execute()
  ).map(({ id }) => id);

/** A site is theirs to change where every locker on it is. */
const lockSite = async (tx: Tx, scope: Scope, facts: Facts, id: string): Promise<{ version: number }> => {
  const site = await lockRow(tx, 'sites', scope.tenantId, id, ['version']);
  const lockers = await lockersOf(tx, scope.tenantId, id);
  if (!maySeeSite(lockers, facts)) throw absent();
  if (!mayBuild(lockers, facts)) throw new Problem('forbidden');
  return site;
};

/** Throws `stale`, and through `sites_name` (name-taken). */
export const changeSite = async (tx: Tx, scope: Scope, facts: Facts, id: string, input: SiteInput & { version: number }): Promise<Site> => {
  mustBeSeen(await lockSite(tx, scope, facts, id), input.version);
  const row = await changeRow(tx, 'sites', scope, id, siteFields(input)).returningAll().executeTakeFirstOrThrow();
  const cabinets = await tx.selectFrom('cabinets').select('id').where('tenant_id', '=', scope.tenantId).where('site_id', '=', id).execute();
  // They carry its name.
  await tx
    .updateTable('cabinets')
    .set({ updated_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('site_id', '=', id)
    .execute();
  await record(
    tx,
    scope,
    [],
    [{ kind: 'sites', id, method: 'PUT' }, ...cabinets.map((cabinet) => ({ kind: 'cabinets', id: cabinet.id, method: 'PUT' }) as const)],
  );
  return toSite(row);
};

/** Throws through `cabinets_site` (in-use-elsewhere) while a cabinet stands there. */
export const deleteSite = async (tx: Tx, scope: Scope, facts: Facts, id: string): Promise<void> => {
  await lockSite(tx, scope, facts, id);
  await tx.deleteFrom('sites').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
  await record(tx, scope, [], [{ kind: 'sites', id, method: 'DELETE' }]);
};

/** Throws `not-found` also for a cabinet of which the caller sees no door. */
const seenWall = async (tx: Tx, scope: Scope, facts: Facts, cabinetId: string): Promise<LockedWall> => {
  const wall = await lockWall(tx, scope.tenantId, cabinetId);
  if (!wall) throw absent();
  if (!mayBuildAnywhere(facts) && !doorsOf(wall.drawing).some((door) => maySeeLocker(door.lockerId ?? '', facts))) throw absent();
  return wall;
};
const doorsOf = (drawing: Drawing): DrawnDoor[] => drawing.flatMap(({ doors }) => doors);

/** What is of the cabinet as a whole is theirs where all of its lockers are. */
const whole = (wall: LockedWall, facts: Facts): void => {
  const ids = doorsOf(wall.drawing).map((door) => door.lockerId ?? '');
  if (!mayBuild(ids, facts)) throw new Problem('forbidden');
};

/** Kept from being deleted until the transaction ends. */
const standingSite = async (tx: Tx, tenantId: string, id: string): Promise<void> => {
  await tx
    .selectFrom('sites')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => unknownReference('/siteId'));
};

/** A cabinet with its doors, as drawn: columns from the left, doors from the top. Throws `unknown-reference`, and what `buildWall` throws. */
export const createCabinet = async (tx: Tx, scope: Scope, facts: Facts, input: BodyOf<'POST', '/cabinets'>): Promise<Cabinet> => {
  const { tenantId } = scope;
  await standingSite(tx, tenantId, input.siteId);
  const id = newId();
  const number = await takeNumber(tx, scope, id, input.number);
  await insertRow(tx, 'cabinets', scope, id, {
    site_id: input.siteId,
    number,
    name: input.name,
    controller_id: id,
    columns: jsonb([]),
  }).execute();
  const wall = await seenWall(tx, scope, facts, id);
  const { changes, columns } = await buildWall(tx, scope, facts, wall, wantedWall(wall, input.columns));
  await updateRow(tx, 'cabinets', tenantId, id)
    .set({ columns: jsonb(columns) })
    .execute();
  await told(tx, scope, id, changes, 'POST');
  return reread(tx, scope, id);
};

/** Name, place, number and the whole wall, all or nothing. Throws `stale`, and what `buildWall` throws. */
export const changeCabinet = async (tx: Tx, scope: Scope, facts: Facts, id: string, input: CabinetChange): Promise<Built<Cabinet>> => {
  const wall = await seenWall(tx, scope, facts, id);
  mustBeSeen({ version: wall.cabinet.layout_version }, input.version);
  const { name, number, siteId, columns } = input;
  if (name !== undefined || number !== undefined || siteId !== undefined) whole(wall, facts);
  if (siteId !== undefined && siteId !== wall.cabinet.site_id) await standingSite(tx, scope.tenantId, siteId);
  if (number !== undefined && number !== wall.cabinet.number) {
    await freeNumbers(tx, scope, id, 'cabinet-number');
    await takeNumber(tx, scope, id, number);
  }
  const built = columns ? await buildWall(tx, scope, facts, wall, wantedWall(wall, columns)) : null;
  await saveCabinet(tx, scope, id, {
    ...(name === undefined ? {} : { name }),
    ...(number === undefined ? {} : { number }),
    ...(siteId === undefined ? {} : { site_id: siteId }),
    ...(built ? { columns: built.columns } : {}),
  });
  await told(tx, scope, id, built?.changes ?? []);
  return { row: await reread(tx, scope, id), ask: built?.ask ?? false };
};

const reread = async (tx: Tx, scope: Scope, id: string): Promise<Cabinet> => {
  const cabinet = await cabinetById(tx, scope.tenantId, id);
  if (!cabinet) throw absent();
  return cabinet;
};

const freeNumbers = (tx: Tx, scope: Scope, cabinetId: string, kind: 'cabinet-number' | 'pairing') =>
  tx
    .deleteFrom('public_refs')
    .where('tenant_id', '=', scope.tenantId)
    .where('kind', '=', kind)
    .where('target_id', '=', cabinetId)
    .execute();

/** Its lockers go with it, none of which may be in use or in doubt. What is told of them in the history stays. */
export const deleteCabinet = async (tx: Tx, scope: Scope, facts: Facts, id: string): Promise<void> => {
  const wall = await seenWall(tx, scope, facts, id);
  whole(wall, facts);
  const { changes } = await buildWall(tx, scope, facts, wall, []);
  await freeNumbers(tx, scope, id, 'cabinet-number');
  await freeNumbers(tx, scope, id, 'pairing');
  await tx.deleteFrom('cabinets').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
  await told(tx, scope, id, changes, 'DELETE');
};

/** The credential dies, and a code that was given out. The doors' clocks stand still until a controller is back. */
export const unpair = async (tx: Tx, scope: Scope, facts: Facts, id: string): Promise<Cabinet> => {
  const wall = await seenWall(tx, scope, facts, id);
  whole(wall, facts);
  await freeNumbers(tx, scope, id, 'pairing');
  const cabinet = await changeRow(tx, 'cabinets', scope, id, {
    ...NO_CODE,
    credential_hash: null,
    paired_at: null,
  })
    .returningAll()
    .executeTakeFirstOrThrow();
  await sendAway(tx, scope, cabinet, 'unpaired');
  await told(tx, scope, id, []);
  return reread(tx, scope, id);
};

/** Whoever tried too much from one address waits there all the same: that limit is of all cabinets together. */
export const liftKeypad = async (tx: Tx, scope: Scope, facts: Facts, id: string): Promise<Cabinet> => {
  const wall = await seenWall(tx, scope, facts, id);
  whole(wall, facts);
  const { name } = await changeRow(tx, 'cabinets', scope, id, {
    keypad_shut_at: null,
    keypad_shut_until: null,
    keypad_lifts: sql<number>`keypad_lifts + 1`,
  })
    .returning('name')
    .executeTakeFirstOrThrow();
  await record(
    tx,
    scope,
    [{ type: 'locker_keypad_lifted', cabinetId: id, data: { cabinet: name } }],
    [{ kind: 'cabinets', id, method: 'PUT' }],
  );
  return reread(tx, scope, id);
};

/**
 * One door's part of a wall: the same rules, and the wall's version grows, so that nobody's older drawing undoes it. The body is that one
 * door's, so what is wrong is told at a field of the body.
 */
const rebuild = async (tx: Tx, scope: Scope, facts: Facts, wall: LockedWall, after: Drawing): Promise<Built<string[]>> => {
  const { changes, ask, columns } = await buildWall(tx, scope, facts, wall, after, () => '');
  await saveCabinet(tx, scope, wall.cabinet.id, { columns });
  await told(tx, scope, wall.cabinet.id, changes);
  return { row: changes.flatMap(({ kind, id, method }) => (kind === 'lockers' && method === 'POST' ? [id] : [])), ask };
};

const lockerRow = async (tx: Tx, scope: Scope, id: string): Promise<Locker> => {
  const locker = await lockerById(tx, scope.tenantId, id);
  if (!locker) throw absent();
  return locker;
};

export const addLocker = async (tx: Tx, scope: Scope, facts: Facts, input: BodyOf<'POST', '/lockers'>): Promise<Built<Locker>> => {
  const wall = await lockWall(tx, scope.tenantId, input.cabinetId);
  if (!wall) throw unknownReference('/cabinetId');
  const { drawing } = wall;
  const door: DrawnDoor = {
    lockerId: null,
    doorTag: input.doorTag,
    compartment: input.compartment ?? freeCompartment(doorsOf(drawing)),
    size: input.size,
    reach: input.reach ?? 'low',
    name: input.name ?? '',
    services: input.services ?? [],
    policyRef: input.policyRef ?? null,
    height: input.height,
  };
  const at = Math.min(input.column ?? drawing.length - 1, drawing.length - 1);
  const after =
    drawing.length === 0
      ? [{ width: 450, doors: [door] }]
      : drawing.map((column, index) => (index === at ? { ...column, doors: [...column.doors, door] } : column));
  const { row, ask } = await rebuild(tx, scope, facts, wall, after);
  return { row: await lockerRow(tx, scope, row[0] ?? ''), ask };
};

/** The cabinet of a locker, locked first, as every change of a wall does; throws `not-found` for one out of the caller's sight. */
const wallOf = async (tx: Tx, scope: Scope, facts: Facts, lockerId: string): Promise<LockedWall> => {
  const locker = await tx
    .selectFrom('lockers')
    .select('cabinet_id')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', lockerId)
    .executeTakeFirst();
  const wall = locker && maySeeLocker(lockerId, facts) ? await lockWall(tx, scope.tenantId, locker.cabinet_id) : null;
  if (!wall?.versions.has(lockerId)) throw absent();
  return wall;
};

export const changeLocker = async (
  tx: Tx,
  scope: Scope,
  facts: Facts,
  id: string,
  { version, ...fields }: BodyOf<'PUT', '/lockers/{id}'>,
): Promise<Built<Locker>> => {
  const wall = await wallOf(tx, scope, facts, id);
  if (!mayBuild([id], facts)) throw new Problem('forbidden');
  mustBeSeen({ version: wall.versions.get(id) ?? 0 }, version);
  const columns = wall.drawing.map((column) => ({
    width: column.width,
    doors: column.doors.map(({ lockerId, height }) => ({ lockerId: lockerId ?? '', height, ...(lockerId === id ? fields : {}) })),
  }));
  const { ask } = await rebuild(tx, scope, facts, wall, wantedWall(wall, columns));
  return { row: await lockerRow(tx, scope, id), ask };
};

export const removeLocker = async (tx: Tx, scope: Scope, facts: Facts, id: string): Promise<void> => {
  const wall = await wallOf(tx, scope, facts, id);
  if (!mayBuild([id], facts)) throw new Problem('forbidden');
  const after = wall.drawing.map(({ width, doors }) => ({ width, doors: doors.filter((door) => door.lockerId !== id) }));
  await rebuild(tx, scope, facts, wall, after);
};
