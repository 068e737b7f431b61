import { sql } from 'kysely';
import { factsFrom, keyFacts, NOBODY, rolesOf, type Claims, type Facts } from '@hatchway/domain/access.ts';
import type { Actor } from '@hatchway/domain/history.ts';
import type { Tx } from './db/database.ts';

type Held = {
  name: string;
  email: string | null;
  roles: string[];
  licenses: string[] | null;
  suspended_at: string | null;
  deleting_at: string | null;
  permissions: { scopes: string[]; lockers: string[] }[];
};

/** Membership, licences and permissions as they are now, in one statement: a right that was withdrawn is gone with the next call. */
export const heldBy = async (tx: Tx, tenantId: string, accountId: string): Promise<Held | undefined> => {
  const { rows } = await sql<Held>`
    select a.name, a.email, m.roles, c.licenses, c.suspended_at, c.deleting_at,
      coalesce((select json_agg(json_build_object('scopes', p.scopes, 'lockers', p.locker_ids)) from permissions p
        where p.tenant_id = ${tenantId} and p.group_ids && array(
          select g.group_id from group_members g where g.tenant_id = ${tenantId} and g.account_id = ${accountId})), '[]') as permissions
    from memberships m
    join accounts a on a.id = m.account_id
    left join companies c on c.id = m.tenant_id
    where m.tenant_id = ${tenantId} and m.account_id = ${accountId} and a.disabled_at is null`.execute(tx);
  return rows[0];
};

export const factsOf = (held: Held, claims: Claims | null): Facts => {
  const inToken = claims ? new Set<string>(rolesOf(claims)) : null;
  return factsFrom({
    roles: held.roles.filter((role) => inToken === null || inToken.has(role)),
    licenses: held.licenses ?? [],
    permissions: held.permissions,
  });
};

/**
 * What somebody may now whose name stands under something that acts for them later, an access link or an invitation: as much as if they called. Nothing
 * where their membership, account or key has ended.
 */
export const factsOfActor = async (tx: Tx, tenantId: string, actor: Actor, now: string): Promise<Facts> => {
  if (actor.id === null || (actor.kind !== 'person' && actor.kind !== 'key')) return NOBODY;
  if (actor.kind === 'person') {
    const held = await heldBy(tx, tenantId, actor.id);
    return held ? factsOf(held, null) : NOBODY;
  }
  const key = await tx
    .selectFrom('api_keys')
    .select(['scopes', 'created_by'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', actor.id)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();
  const maker = key ? await heldBy(tx, tenantId, key.created_by) : undefined;
  return key && maker ? keyFacts(factsOf(maker, null), key.scopes) : NOBODY;
};
