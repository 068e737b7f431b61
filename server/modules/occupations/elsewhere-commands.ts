import type { Facts } from '@hatchway/domain/access.ts';
import type { Occupation } from '@hatchway/domain/occupation-types.ts';
import type { Size } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { setContent } from '../lockers/commands.ts';
import { apply } from './commands.ts';
import { takeBest, type Next } from './fit.ts';
import { register } from './register.ts';

type Here = { size: Size; cabinetId: string; siteId: string };

/** The best free door where somebody stands: in the same cabinet, else in one beside it. */
const bestHere = async (tx: Tx, o: Occupation, here: Here, right: Facts | null): Promise<Next | null> => {
  const cabinets = await tx
    .selectFrom('cabinets')
    .select('id')
    .where('tenant_id', '=', o.tenantId)
    .where('site_id', '=', here.siteId)
    .orderBy('number')
    .execute();
  const near = [here.cabinetId, ...cabinets.map(({ id }) => id).filter((id) => id !== here.cabinetId)];
  for (const cabinetId of near) {
    const wish = { size: here.size, service: o.service, cabinetId, not: [o.lockerId] };
    const found = await takeBest(tx, o.tenantId, wish, right, false);
    if (found !== null) return found;
  }
  return null;
};

const SECRETS = ['token_sealed', 'token_hash', 'code_sealed', 'code_hash'] as const;
const NO_SECRETS = { token_sealed: null, token_hash: null, code_sealed: null, code_hash: null, secrets_until: null };

/**
 * Something lies in the locker that was set aside for `o`: it ends there, in doubt, and begins anew behind the next best door with the
 * same link and code, so that whoever stands there with a parcel goes on. `right` narrows the doors (an access link's own). Answers the
 * new occupation; null, and nothing has changed, where no door is free here.
 */
export const beginElsewhere = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  o: Occupation,
  here: Here,
  right: Facts | null,
): Promise<Occupation | null> => {
  const { tenantId } = scope;
  const next = await bestHere(tx, o, here, right);
  if (next === null) return null;
  const rows = () => tx.updateTable('occupations').where('tenant_id', '=', tenantId);
  const secrets = await tx
    .selectFrom('occupations')
    .select(SECRETS)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', o.id)
    .executeTakeFirstOrThrow();
  await apply(tx, deps, scope, o.id, { kind: 'delete', reason: 'not-empty' }, { as: 'server' });
  await setContent(tx, scope, o.lockerId, { kind: 'not-empty' });
  await rows().set(NO_SECRETS).where('id', '=', o.id).execute();
  const { occupation } = await register(
    tx,
    deps,
    scope,
    {
      type: o.type,
      service: o.service,
      lockerId: next.lockerId,
      receiver: o.receiver,
      ...(o.assetId === null ? {} : { assetId: o.assetId }),
      ...(o.assetText === null ? {} : { assetText: o.assetText }),
      ...(o.orderRef === null ? {} : { orderRef: o.orderRef }),
      ...(o.externalRef === null ? {} : { externalRef: o.externalRef }),
      ...(o.note === null ? {} : { note: o.note }),
      // One that has passed meanwhile is none, and would have the move refused.
      ...(o.pickupBy === null || o.pickupBy <= scope.now ? {} : { pickupBy: o.pickupBy }),
      ...(o.policyRef === null ? {} : { policyRef: o.policyRef }),
    },
    null,
  );
  await rows().set({ continued_by: occupation.id }).where('id', '=', o.id).execute();
  await rows()
    .set({ ...secrets, secrets_until: null })
    .where('id', '=', occupation.id)
    .execute();
  return occupation;
};
