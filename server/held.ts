import { sql, type RawBuilder } from 'kysely';
import { factsFrom, keyFacts, NOBODY, rolesOf, type Claims, type Facts } from '@hatchway/domain/access.ts';
import type { Actor } from '@hatchway/domain/history.ts';
import type { Tx } from './db/database.ts';
import { madeOnce } from './db/made-once.ts';

type Held = {
  name: string;
  email: string | null;
  country: string | null;
  roles: string[];
  licenses: string[] | null;
  suspended_at: string | null;
  deleting_at: string | null;
  permissions: { scopes: string[]; lockers: string[] }[];
};

type Of = { tenantId: string; accountId: string };

const held = madeOnce((tx, { tenantId, accountId }: Of) =>
  sql<Held>`
    select a.name, a.email, c.country, m.roles, c.licenses, c.suspended_at, c.deleting_at,
      coalesce((select json_agg(json_build_object('scopes', p.scopes, 'lockers', p.locker_ids)) from permissions p
        where p.tenant_id = ${tenantId} and p.group_ids && array(
          select g.group_id from group_members g where g.tenant_id = ${tenantId} and g.account_id = ${accountId})), '[]') as permissions
    from memberships m
    join accounts a on a.id = m.account_id
    left join companies c on c.id = m.tenant_id
    where m.tenant_id = ${tenantId} and m.account_id = ${accountId} and a.disabled_at is null`.compile(tx),
);
/** Membership, licences and permissions as they are now, in one statement: a right that was withdrawn is gone with the next call. */
export const heldBy = async (tx: Tx, tenantId: string, accountId: string): Promise<Held | undefined> =>
  (await held(tx, { tenantId, accountId }))[0];

const turn = (tenantId: string, id: string | RawBuilder<string>) =>
  sql`hashtextextended(lower(${tenantId}::text || ' ' || ${id} || ' rights'), 0)`;

/**
 * A row that is shared all the while lets nobody in who wants it alone: whoever takes the rights of an account or key, or what a group
 * gives, takes their turn at them first, before they lock any of those rows, and the calls that come after wait for it. Several in the
 * order of their ids.
 */
export const takeTurn = async (tx: Tx, tenantId: string, ...ids: readonly string[]): Promise<void> => {
  for (const id of ids.toSorted()) await sql`select pg_advisory_xact_lock(${turn(tenantId, id)})`.execute(tx);
};

const sharedTurn = madeOnce((tx, { tenantId, id }: { tenantId: string; id: string }) =>
  sql`select pg_advisory_xact_lock_shared(${turn(tenantId, id)})`.compile(tx),
);
export const shareTurn = async (tx: Tx, tenantId: string, id: string): Promise<void> => void (await sharedTurn(tx, { tenantId, id }));

const turnsOfGroups = madeOnce((tx, { tenantId, accountId }: Of) =>
  sql`
    select pg_advisory_xact_lock_shared(${turn(tenantId, sql<string>`group_id::text`)}) from (
      select group_id from group_members where tenant_id = ${tenantId} and account_id = ${accountId} and not exists (
        select from memberships where tenant_id = ${tenantId} and account_id = ${accountId} and 'admin' = any(roles))
      order by group_id) as via`.compile(tx),
);

// not `for key share`: taking a role changes no column of a key
const sharedRights = madeOnce((tx, { tenantId, accountId }: Of) =>
  sql`
    with own as materialized (
      select roles from memberships where tenant_id = ${tenantId} and account_id = ${accountId} for share),
    via as materialized (
      select group_id from group_members
      where tenant_id = ${tenantId} and account_id = ${accountId} and not exists (select 1 from own where 'admin' = any(roles)) for share),
    by as materialized (
      select id from permissions where tenant_id = ${tenantId} and group_ids && array(select group_id from via) for share)
    select (select count(*) from own), (select count(*) from via), (select count(*) from by)`.compile(tx),
);

/**
 * Keeps the rights of who calls as they are until the commit; `heldBy` reads them after it. Whoever takes one away waits for the calls
 * under way, and finds what those made; a call that waited for a row, and was let in long before, is none that goes on without its right.
 * An administrator's hang on their membership alone. Sent at once: a connection carries out one after the other, each after the one before
 * has what it waited for.
 */
export const holdRights = async (tx: Tx, tenantId: string, accountId: string): Promise<void> => {
  const of = { tenantId, accountId };
  await Promise.all([shareTurn(tx, tenantId, accountId), turnsOfGroups(tx, of), sharedRights(tx, of)]);
};

/**
 * The same for calls that change members, one at a time in a company: two administrators who lower each other would each hold what the
 * other one changes.
 */
export const holdMembers = async (tx: Tx, tenantId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} members`}, 0))`.execute(tx);
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
