import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { setContent } from '../lockers/commands.ts';
import { apply } from '../occupations/commands.ts';
import { takeBest, type Next } from '../occupations/fit.ts';
import { register } from '../occupations/register.ts';
import type { PickupFacts } from './facts.ts';
import { linkFacts } from './link-right.ts';

/** The best free door where the person stands: in the same cabinet, else in one beside it. With an access link, one of its own. */
const bestHere = async (tx: Tx, { o, place, by }: PickupFacts): Promise<Next | null> => {
  const right = by === null ? null : await linkFacts(tx, o.tenantId, by.linkId);
  const cabinets = await tx
    .selectFrom('cabinets')
    .select('id')
    .where('tenant_id', '=', o.tenantId)
    .where('site_id', '=', place.site_id)
    .orderBy('number')
    .execute();
  const near = [place.cabinet_id, ...cabinets.map(({ id }) => id).filter((id) => id !== place.cabinet_id)];
  for (const cabinetId of near) {
    const found = await takeBest(tx, o.tenantId, { size: place.size, service: o.service, cabinetId, not: [o.lockerId] }, right);
    if (found !== null) return found;
  }
  return null;
};

const SECRETS = ['token_sealed', 'token_hash', 'code_sealed', 'code_hash'] as const;
const NO_SECRETS = { token_sealed: null, token_hash: null, code_sealed: null, code_hash: null, secrets_until: null };

/**
 * Something lies in the locker that was set aside: it ends there, in doubt, and begins anew behind the next best door with the same link
 * and code, so that whoever stands there with a parcel goes on. Answers the new occupation's id; null where nothing is free here.
 */
export const nextDoor = async (tx: Tx, deps: Deps, scope: Scope, facts: PickupFacts): Promise<string | null> => {
  const { o } = facts;
  const { tenantId } = scope;
  const next = await bestHere(tx, facts);
  if (next === null) return null;
  const mine = () => tx.updateTable('occupations').where('tenant_id', '=', tenantId);
  const secrets = await tx
    .selectFrom('occupations')
    .select(SECRETS)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', o.id)
    .executeTakeFirstOrThrow();
  await apply(tx, deps, scope, o.id, { kind: 'delete', reason: 'not-empty' }, { as: 'server' });
  await setContent(tx, scope, o.lockerId, { kind: 'not-empty' });
  await mine().set(NO_SECRETS).where('id', '=', o.id).execute();
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
      ...(o.policyRef === null ? {} : { policyRef: o.policyRef }),
    },
    null,
  );
  await mine()
    .set({ ...secrets, secrets_until: null })
    .where('id', '=', occupation.id)
    .execute();
  await tx
    .updateTable('access_link_uses')
    .set({ occupation_id: occupation.id, locker_id: occupation.lockerId, door_tag: occupation.doorTag, updated_at: scope.now })
    .where('tenant_id', '=', tenantId)
    .where('occupation_id', '=', o.id)
    .execute();
  return occupation.id;
};
