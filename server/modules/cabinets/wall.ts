import type { CabinetChange, ChangedDoor } from '@hatchway/contract/cabinets.ts';
import { reachAt, type DrawnDoor, type Drawing, type Hold } from '@hatchway/domain/layout.ts';
import { inDoubt } from '@hatchway/domain/locker.ts';
import type { Tx } from '../../db/database.ts';
import { Problem, unknownReference } from '../../http/problem.ts';
import { activeBy } from '../../stages.ts';

/** A wall as it stands, its row and doors locked until the transaction ends. Null where there is none. */
export const lockWall = async (tx: Tx, tenantId: string, cabinetId: string) => {
  const cabinet = await tx
    .selectFrom('cabinets')
    .select(['id', 'name', 'number', 'site_id', 'columns', 'layout_version', 'controller_id', 'credential_hash'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', cabinetId)
    // a command that names the cabinet need not wait: somebody stands at its door
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!cabinet) return null;
  const rows = await tx
    .selectFrom('lockers')
    .select(['id', 'door_tag', 'compartment', 'size', 'reach', 'name', 'services', 'policy_ref', 'content', 'version'])
    .where('tenant_id', '=', tenantId)
    .where('cabinet_id', '=', cabinetId)
    .orderBy('id')
    .forUpdate()
    .execute();
  const used = await tx
    .selectFrom('occupations')
    .select('locker_id')
    .where('tenant_id', '=', tenantId)
    .where(activeBy('stage'))
    .where('locker_id', 'in', rows.length > 0 ? rows.map((row) => row.id) : [cabinetId])
    .execute();
  const occupied = new Set(used.map((one) => one.locker_id));
  const holds = new Map<string, Hold>();
  for (const row of rows) {
    if (occupied.has(row.id)) holds.set(row.id, 'in-use');
    else if (inDoubt(row.content, null)) holds.set(row.id, 'in-doubt');
  }
  const doors = new Map(
    rows.map(({ id, door_tag, policy_ref, ...row }): [string, Omit<DrawnDoor, 'height'>] => [
      id,
      {
        lockerId: id,
        doorTag: door_tag,
        policyRef: policy_ref,
        compartment: row.compartment,
        size: row.size,
        reach: row.reach,
        name: row.name,
        services: row.services,
      },
    ]),
  );
  const drawing: Drawing = cabinet.columns.map(({ width, doors: drawn }) => ({
    width,
    doors: drawn.flatMap(({ lockerId, height }) => {
      const door = doors.get(lockerId);
      return door ? [{ ...door, height }] : [];
    }),
  }));
  return { cabinet, drawing, holds, versions: new Map(rows.map((row) => [row.id, row.version])) };
};
export type LockedWall = NonNullable<Awaited<ReturnType<typeof lockWall>>>;

/** The wall that a change asks for: what it leaves out of a door stays. Throws `unknown-reference` for a locker of another wall. */
export const wantedWall = (wall: LockedWall, columns: NonNullable<CabinetChange['columns']>): Drawing => {
  const before = new Map(wall.drawing.flatMap(({ doors }) => doors.map((door) => [door.lockerId, door] as const)));
  return columns.map(({ width, doors }, column) => {
    const total = doors.reduce((sum, door) => sum + door.height, 0);
    let above = 0;
    return {
      width,
      doors: doors.map((door, row) => {
        const was = door.lockerId === undefined ? undefined : before.get(door.lockerId);
        if (door.lockerId !== undefined && !was) throw unknownReference(`/columns/${column}/doors/${row}/lockerId`);
        const drawn = was
          ? { ...was, ...said(door) }
          : newDoor(door, reachAt(above, door.height, total), `/columns/${column}/doors/${row}`);
        above += door.height;
        return { ...drawn, height: door.height };
      }),
    };
  });
};

const said = (door: ChangedDoor): Partial<DrawnDoor> =>
  Object.fromEntries(Object.entries(door).filter(([field, value]) => value !== undefined && field !== 'lockerId'));

const newDoor = (door: ChangedDoor, reach: DrawnDoor['reach'], pointer: string): DrawnDoor => {
  const { doorTag, compartment, size } = door;
  if (doorTag === undefined || compartment === undefined || size === undefined)
    throw new Problem('rule', 'A new door needs a door tag, a compartment and a size', {
      errors: (['doorTag', 'compartment', 'size'] as const)
        .filter((field) => door[field] === undefined)
        .map((field) => ({ pointer: `${pointer}/${field}`, detail: 'needed for a new door' })),
    });
  const { name = '', services = [], policyRef = null, height } = door;
  return { lockerId: null, doorTag, compartment, size, reach: door.reach ?? reach, name, services, policyRef, height };
};
