import { mayBuild, type Facts } from '@hatchway/domain/access.ts';
import type { Actor } from '@hatchway/domain/history.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { recordRows } from '../../events/record.ts';
import { factsOfActor } from '../../held.ts';
import type { Scope } from '../../scope.ts';

/** Of a cabinet that waits for no controller. */
export const NO_CODE = { pairing_hash: null, pairing_expires_at: null, pairing_by: null } as const;

/** A controller speaks for the cabinet as a whole: it is theirs to pair where all of its lockers are. */
export const mayPair = async (tx: Tx, tenantId: string, cabinetId: string, facts: Facts): Promise<boolean> => {
  const lockers = await tx
    .selectFrom('lockers')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('cabinet_id', '=', cabinetId)
    .execute();
  return mayBuild(
    lockers.map(({ id }) => id),
    facts,
  );
};

/** Whoever reads a code off the wall, or was sent it, pairs by the right of whoever gave it. */
export const mayStillPair = async (tx: Tx, { tenantId, now }: Pick<Scope, 'tenantId' | 'now'>, cabinetId: string, giver: Actor | null) =>
  giver !== null && (await mayPair(tx, tenantId, cabinetId, await factsOfActor(tx, tenantId, giver, now)));

const forget = async (tx: Tx, scope: Scope, which: readonly string[] | 'expired'): Promise<void> => {
  const { tenantId, now } = scope;
  const spent = await tx
    .updateTable('cabinets')
    .set((eb) => ({ ...NO_CODE, updated_at: now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('pairing_hash', 'is not', null)
    .where((eb) => (which === 'expired' ? eb('pairing_expires_at', '<=', now) : eb('id', 'in', which)))
    .returning('id')
    .execute();
  if (spent.length === 0) return;
  const ids = spent.map(({ id }) => id);
  await tx
    .deleteFrom('public_refs')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'pairing')
    .where('target_id', 'in', ids)
    .execute();
  await recordRows(tx, scope, 'cabinets', 'PUT', spent);
};

/** Codes that nobody typed in time: the cabinet waits for no controller any more, and its screens hear of it. */
export const forgetPairing = (deps: Deps, scope: Scope): Promise<void> =>
  deps.db.tenant(scope.tenantId, (tx) => forget(tx, scope, 'expired'));

/** Codes whose giver may not pair by now, of the few that are open at a time. Their cabinets wait for no controller any more either. */
export const endPairing = async (tx: Tx, scope: Scope): Promise<void> => {
  const open = await tx
    .selectFrom('cabinets')
    .select(['id', 'pairing_by'])
    .where('tenant_id', '=', scope.tenantId)
    .where('pairing_hash', 'is not', null)
    .execute();
  const over: string[] = [];
  for (const { id, pairing_by: giver } of open) if (!(await mayStillPair(tx, scope, id, giver))) over.push(id);
  if (over.length > 0) await forget(tx, scope, over);
};
