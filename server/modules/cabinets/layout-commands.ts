import { sql, type SqlBool } from 'kysely';
import { mayBuild, mayBuildAnywhere, type Facts } from '@hatchway/domain/access.ts';
import { sameTag } from '@hatchway/domain/codes.ts';
import { DOORS_AT_MOST, layoutDiff, layoutFaults, lostDoors, touchedBy, type Drawing, type LayoutDiff } from '@hatchway/domain/layout.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import { record, type Change } from '../../events/record.ts';
import { Problem, unknownReference } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { activeNow } from '../../stages.ts';
import { changeRow } from '../../rows.ts';
import type { LockedWall } from './wall.ts';

const FAULT = {
  'tag-missing': ['doorTag', 'a door tag is needed'],
  'tag-wrong': ['doorTag', 'letters, digits and single dashes, 20 at most'],
  'tag-twice': ['doorTag', 'taken'],
  'compartment-wrong': ['compartment', 'out of range'],
  'compartment-twice': ['compartment', 'taken'],
  'locker-twice': ['lockerId', 'named twice'],
  'measure-wrong': ['height', 'out of range'],
  'too-many-doors': ['column', `${DOORS_AT_MOST} doors at most`],
} as const;
/** Where in the request a door is. */
type DoorAt = (column: number, row: number) => string;
const inDrawing: DoorAt = (column, row) => `/columns/${column}/doors/${row}`;
/** A drawing of thousands of doors may be wrong at each. */
const TOLD_AT_MOST = 100;
const TAKEN: ReadonlySet<string> = new Set(['tag-twice', 'compartment-twice']);

/** Throws for what cannot stand: `name-taken` where a tag or compartment is there twice, in the wall or (tags) in the company; else `rule`. */
const refuseFaults = async (
  tx: Tx,
  tenantId: string,
  { cabinet, drawing }: LockedWall,
  after: Drawing,
  diff: LayoutDiff,
  doorAt: DoorAt,
): Promise<void> => {
  const faults = layoutFaults(after, drawing);
  if (faults.length > 0) {
    const errors = faults.slice(0, TOLD_AT_MOST).map(({ code, column, row }) => {
      const [field, detail] = FAULT[code];
      const door = doorAt(column, row);
      // Of a drawing it is the door itself that is too much, of a single door the column that it was to stand in.
      return { pointer: code === 'too-many-doors' && door !== '' ? door : `${door}/${field}`, detail };
    });
    throw new Problem(faults.every(({ code }) => TAKEN.has(code)) ? 'name-taken' : 'rule', 'The wall cannot be built like this', {
      errors,
    });
  }
  const tags = new Map(after.flatMap(({ doors }, column) => doors.map((door, row) => [sameTag(door.doorTag), { column, row }] as const)));
  const fresh = [...diff.added, ...diff.renamed.map(({ door }) => door)].map((door) => sameTag(door.doorTag));
  if (fresh.length === 0) return;
  const taken = await tx
    .selectFrom('lockers')
    .select('door_tag')
    .where('tenant_id', '=', tenantId)
    .where('cabinet_id', '!=', cabinet.id)
    .where(sql<SqlBool>`upper(door_tag) = any(${fresh})`)
    .execute();
  if (taken.length > 0)
    throw new Problem('name-taken', 'Another cabinet has doors with these tags', {
      errors: taken.flatMap(({ door_tag }) => {
        const at = tags.get(sameTag(door_tag));
        return at ? [{ pointer: `${doorAt(at.column, at.row)}/doorTag`, detail: 'taken' }] : [];
      }),
      data: { tags: taken.map(({ door_tag }) => door_tag) },
    });
};

/** Every locker that the change touches must be theirs; a new one is nobody's yet, so a scope on some lockers is not enough for it. */
const mayChange = (diff: LayoutDiff, facts: Facts): void => {
  const touched = touchedBy(diff);
  const allowed = mayBuildAnywhere(facts) || (diff.added.length === 0 && (touched.length === 0 || mayBuild(touched, facts)));
  if (!allowed) throw new Problem('forbidden');
};

const policiesKnown = async (tx: Tx, tenantId: string, after: Drawing, before: Drawing, doorAt: DoorAt): Promise<void> => {
  const kept = new Set(before.flatMap(({ doors }) => doors.map((door) => door.policyRef)));
  for (const [column, { doors }] of after.entries())
    for (const [row, { policyRef }] of doors.entries()) {
      if (policyRef === null || kept.has(policyRef)) continue;
      await tx
        .selectFrom('policies')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where(sql<SqlBool>`(ref = ${policyRef} or id::text = ${policyRef})`)
        .forKeyShare()
        .executeTakeFirstOrThrow(() => unknownReference(`${doorAt(column, row)}/policyRef`));
      kept.add(policyRef);
    }
};

/**
 * Builds the wall that is wanted, all of it or nothing. Throws `forbidden`, `name-taken`, `rule`, `unknown-reference`, and `doors-in-use` with
 * the tags of the doors in use or in doubt that would be lost. Answers the changes to be recorded, and whether the controller must be
 * asked for its doors: what it said of a lock before a locker was there was heard by nobody.
 */
export const buildWall = async (
  tx: Tx,
  scope: Scope,
  facts: Facts,
  wall: LockedWall,
  after: Drawing,
  doorAt = inDrawing,
): Promise<{ changes: Change[]; ask: boolean; columns: { width: number; doors: { lockerId: string; height: number }[] }[] }> => {
  const { tenantId } = scope;
  const diff = layoutDiff(wall.drawing, after);
  mayChange(diff, facts);
  await refuseFaults(tx, tenantId, wall, after, diff, doorAt);
  await policiesKnown(tx, tenantId, after, wall.drawing, doorAt);
  const lost = lostDoors(diff, (id) => wall.holds.get(id) ?? null);
  if (lost.length > 0)
    throw new Problem('doors-in-use', `In use or in doubt: ${lost.map(({ doorTag }) => doorTag).join(', ')}`, {
      data: { doors: lost.map(({ doorTag, hold, how }) => ({ doorTag, hold, how })) },
    });
  const changes: Change[] = [];
  if (diff.removed.length > 0) {
    const ids = diff.removed.flatMap((door) => door.lockerId ?? []);
    changes.push(...(await forget(tx, scope, ids)));
    await tx.deleteFrom('lockers').where('tenant_id', '=', tenantId).where('id', 'in', ids).execute();
    changes.push(...ids.map((id): Change => ({ kind: 'lockers', id, method: 'DELETE' })));
  }
  changes.push(...(await changeDoors(tx, scope, diff)));
  const made = new Map(diff.added.map((door) => [door, newId()]));
  if (made.size > 0)
    await tx
      .insertInto('lockers')
      .values(
        [...made].map(([door, id]) => ({
          tenant_id: tenantId,
          id,
          cabinet_id: wall.cabinet.id,
          compartment: door.compartment,
          door_tag: door.doorTag,
          size: door.size,
          reach: door.reach,
          name: door.name,
          services: [...door.services],
          policy_ref: door.policyRef,
          content_at: scope.now,
          created_at: scope.now,
          updated_at: scope.now,
        })),
      )
      .execute();
  changes.push(...[...made.values()].map((id): Change => ({ kind: 'lockers', id, method: 'POST' })));
  return {
    changes,
    ask: wall.cabinet.credential_hash !== null && (diff.added.length > 0 || diff.rewired.length > 0),
    columns: after.map(({ width, doors }) => ({
      width,
      doors: doors.map((door) => ({ lockerId: door.lockerId ?? made.get(door) ?? '', height: door.height })),
    })),
  };
};

/** One statement, at whose end tags and compartments must be unique: two doors may swap theirs. */
const changeDoors = async (tx: Tx, scope: Scope, diff: LayoutDiff): Promise<Change[]> => {
  const doors = new Map(
    [...diff.renamed.map(({ door }) => door), ...diff.rewired.map(({ door }) => door), ...diff.described].map((door) => [
      door.lockerId,
      door,
    ]),
  );
  if (doors.size === 0) return [];
  const wanted = JSON.stringify(
    [...doors.values()].map((door) => ({
      id: door.lockerId,
      tag: door.doorTag,
      compartment: door.compartment,
      size: door.size,
      reach: door.reach,
      name: door.name,
      services: door.services,
      policy: door.policyRef,
    })),
  );
  // What was sensed and commanded was of another lock, so nothing is known of a door that changed its own until its controller speaks.
  await sql`
    update lockers l set
      door_tag = w.tag, size = w.size, reach = w.reach, name = w.name, policy_ref = w.policy,
      services = array(select jsonb_array_elements_text(w.services)),
      door = case when l.compartment = w.compartment then l.door else 'unknown' end,
      door_at = case when l.compartment = w.compartment then l.door_at end,
      lock_state = case when l.compartment = w.compartment then l.lock_state else 'unknown' end,
      occupancy = case when l.compartment = w.compartment then l.occupancy else 'unknown' end,
      occupancy_at = case when l.compartment = w.compartment then l.occupancy_at end,
      sensed = case when l.compartment = w.compartment then l.sensed end,
      sensed_since = case when l.compartment = w.compartment then l.sensed_since end,
      device_seq = case when l.compartment = w.compartment then l.device_seq end,
      device_session = case when l.compartment = w.compartment then l.device_session end,
      last_command = case when l.compartment = w.compartment then l.last_command end,
      alert = case when l.compartment = w.compartment then l.alert end,
      alert_at = case when l.compartment = w.compartment then l.alert_at end,
      compartment = w.compartment, version = l.version + 1, updated_at = ${scope.now}
    from jsonb_to_recordset(${wanted}::jsonb)
      as w(id uuid, tag text, compartment int, size text, reach text, name text, services jsonb, policy text)
    where l.tenant_id = ${scope.tenantId} and l.id = w.id`.execute(tx);
  // What lies there now is looked for under the tag that is read on the door.
  const renamed = diff.renamed.flatMap(({ door }) => (door.lockerId === null ? [] : [{ id: door.lockerId, tag: door.doorTag }]));
  const uses =
    renamed.length === 0
      ? []
      : (
          await sql<{ id: string }>`
            update occupations o set door_tag = w.tag, version = o.version + 1, updated_at = ${scope.now}
            from jsonb_to_recordset(${JSON.stringify(renamed)}::jsonb) as w(id uuid, tag text)
            where o.tenant_id = ${scope.tenantId} and o.locker_id = w.id and ${activeNow}
            returning o.id`.execute(tx)
        ).rows;
  return [
    ...[...doors.keys()].flatMap((id): Change[] => (id === null ? [] : [{ kind: 'lockers', id, method: 'PUT' }])),
    ...uses.map(({ id }): Change => ({ kind: 'occupations', id, method: 'PUT' })),
  ];
};

/**
 * Takes lockers out of what names them. A policy whose list would become empty would hold for every locker from then on, so such a change
 * is refused: `in-use-elsewhere`, with the policies' names.
 */
const forget = async (tx: Tx, scope: Scope, ids: readonly string[]): Promise<Change[]> => {
  const gone = sql`${[...ids]}::uuid[]`;
  const left = sql<string[]>`array(select unnest(locker_ids) except select unnest(${gone}))`;
  const stamps = { updated_at: scope.now };
  const names = sql<SqlBool>`locker_ids && ${gone}`;
  // All that name one of them are held before any is looked at: of two walls taken down at once, the second sees what the first left.
  const held = await tx
    .selectFrom('policies')
    .select(['name', sql<boolean>`locker_ids <@ ${gone}`.as('alone')])
    .where('tenant_id', '=', scope.tenantId)
    .where(names)
    .orderBy('id')
    .forUpdate()
    .execute();
  const alone = held.filter((policy) => policy.alone).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (alone.length > 0)
    throw new Problem('in-use-elsewhere', `These doors alone are named by: ${alone.map(({ name }) => name).join(', ')}`, {
      data: { policies: alone.map(({ name }) => name) },
    });
  const policies = await tx
    .updateTable('policies')
    .set((eb) => ({ locker_ids: left, version: eb('version', '+', 1), ...stamps }))
    .where('tenant_id', '=', scope.tenantId)
    .where(names)
    .returning('id')
    .execute();
  // A link that has lost its last door opens nothing any more, and says so.
  const links = await tx
    .updateTable('access_links')
    .set((eb) => ({
      locker_ids: left,
      revoked_at: sql<
        string | null
      >`case when locker_ids <@ ${gone} then coalesce(revoked_at, ${scope.now}::timestamptz) else revoked_at end`,
      version: eb('version', '+', 1),
      ...stamps,
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where(names)
    .returning('id')
    .execute();
  const permissions = await tx
    .updateTable('permissions')
    .set((eb) => ({ locker_ids: left, version: eb('version', '+', 1), ...stamps }))
    .where('tenant_id', '=', scope.tenantId)
    .where(names)
    .returning('id')
    .execute();
  return [
    ...policies.map(({ id }): Change => ({ kind: 'policies', id, method: 'PUT' })),
    ...links.map(({ id }): Change => ({ kind: 'links', id, method: 'PUT' })),
    ...permissions.map(({ id }): Change => ({ kind: 'permissions', id, method: 'PUT' })),
  ];
};

/** The drawing and its version, after a change by people. */
export const saveCabinet = async (
  tx: Tx,
  scope: Scope,
  cabinetId: string,
  fields: {
    columns?: { width: number; doors: { lockerId: string; height: number }[] }[];
    name?: string;
    number?: number;
    site_id?: string;
  },
): Promise<void> => {
  const { columns, ...plain } = fields;
  await changeRow(tx, 'cabinets', scope, cabinetId, {
    ...plain,
    ...(columns ? { columns: jsonb(columns) } : {}),
    layout_version: sql<number>`layout_version + 1`,
  }).execute();
};

export const told = (
  tx: Tx,
  scope: Scope,
  cabinetId: string,
  changes: readonly Change[],
  method: Change['method'] = 'PUT',
): Promise<void> => record(tx, scope, [], [...changes, { kind: 'cabinets', id: cabinetId, method }]);
