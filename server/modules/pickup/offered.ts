import { sql, type SqlBool } from 'kysely';
import type { PickupCabinet } from '@hatchway/contract/pickup.ts';
import { OFFERED } from '@hatchway/domain/lifecycle.ts';
import { policiesAt } from '@hatchway/domain/policy.ts';
import { STAGES } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import { policiesFor } from '../occupations/context-queries.ts';

/** Of an occupation `o`: taken by whoever signs in and may, since it bears nobody's name; what costs once they have paid. */
export const isOffer = sql<SqlBool>`(o.type in ('lending', 'consumable') and o.receiver_name is null
  and o.stage in (${sql.join(OFFERED)}))`;

/** Of an occupation `o`: taken, or being taken, by a person with an account; perhaps by who comes back with it now. */
const isTaken = sql<SqlBool>`(o.type in ('lending', 'consumable') and o.stage in (${sql.join([STAGES.CLAIMING, STAGES.VACANT])})
  and o.claimed_by->>'kind' = 'person' and o.claimed_by->>'id' is not null)`;

/** What signing in at this cabinet can be of use for, and by which policy where it is one alone. */
export const offeredAt = async (tx: Tx, tenantId: string, cabinetId: string): Promise<Pick<PickupCabinet, 'offers' | 'offersPolicy'>> => {
  const rows = await tx
    .selectFrom('occupations as o')
    .innerJoin('lockers as l', (join) => join.onRef('l.tenant_id', '=', 'o.tenant_id').onRef('l.id', '=', 'o.locker_id'))
    .select(['o.type', 'o.service', 'l.id as lockerId', sql<string | null>`coalesce(o.policy_ref, l.policy_ref)`.as('ref')])
    .where('o.tenant_id', '=', tenantId)
    .where('l.cabinet_id', '=', cabinetId)
    .where((eb) => eb.or([isOffer, isTaken]))
    .execute();
  const offers = (['lending', 'consumable'] as const).filter((type) => rows.some((row) => row.type === type));
  if (offers.length === 0) return { offers, offersPolicy: null };
  const all = await policiesFor(
    tx,
    tenantId,
    rows.map((row) => row.lockerId),
  );
  const refs = new Set(rows.flatMap((row) => policiesAt(all, row)).map((policy) => policy.ref));
  const [only = null] = refs;
  return { offers, offersPolicy: refs.size === 1 ? only : null };
};
