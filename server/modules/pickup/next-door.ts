import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { beginElsewhere } from '../occupations/elsewhere-commands.ts';
import type { PickupFacts } from './facts.ts';
import { linkFacts } from './link-right.ts';

/** Who came to put something in found the locker not empty: the next best door, with the same key. Null where none is free here. */
export const nextDoor = async (tx: Tx, deps: Deps, scope: Scope, { o, place, by }: PickupFacts): Promise<string | null> => {
  const right = by === null ? null : await linkFacts(tx, o.tenantId, by.linkId, scope.now);
  const here = { size: place.size, cabinetId: place.cabinet_id, siteId: place.site_id };
  const occupation = await beginElsewhere(tx, deps, scope, o, here, right);
  if (occupation === null) return null;
  await tx
    .updateTable('access_link_uses')
    .set({ occupation_id: occupation.id, locker_id: occupation.lockerId, door_tag: occupation.doorTag, updated_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('occupation_id', '=', o.id)
    .execute();
  return occupation.id;
};
