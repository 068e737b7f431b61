import { sql, type RawBuilder } from 'kysely';
import { STAGES } from '@hatchway/domain/terms.ts';

/** Of the asset's row under that name: it lies in a locker, waits to be put into one, or is lent. */
export const inUseHere = (asset: string): RawBuilder<boolean> => sql<boolean>`(
  exists (select from occupations u where u.tenant_id = ${sql.ref(`${asset}.tenant_id`)} and u.asset_id = ${sql.ref(`${asset}.id`)}
    and u.stage < ${STAGES.TERMINATED})
  or exists (select from loans n where n.tenant_id = ${sql.ref(`${asset}.tenant_id`)} and n.asset_id = ${sql.ref(`${asset}.id`)}
    and n.returned_at is null))`;
