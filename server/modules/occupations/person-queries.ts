import { sql, type RawBuilder } from 'kysely';
import type { Policy } from '@hatchway/domain/policy.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { Tx } from '../../db/database.ts';
import { groupIdsOf } from '../../person-groups.ts';
import { activeNow, stageNo } from '../../stages.ts';

/** Who is counted for, known by account, number or address. */
export type Person = { accountId: string | null; receiver: Receiver | null };

/** Groups of somebody known by account, number or address. Nobody is asked where no policy asks for groups. */
export const groupsOf = async (
  tx: Tx,
  tenantId: string,
  policies: readonly Policy[],
  { accountId, receiver }: Person,
): Promise<readonly string[]> => {
  if (policies.every((policy) => policy.groupIds.length === 0)) return [];
  const person = {
    account: sql`${accountId}::uuid`,
    email: sql`${receiver?.email ?? null}::text`,
    tlf: sql`${receiver?.tlf ?? null}::text`,
  };
  const { rows } = await sql<{ ids: string[] }>`select ${groupIdsOf(tenantId, person)} as ids`.execute(tx);
  return rows[0]?.ids ?? [];
};

/**
 * Whoever counts what a person has already, to let them have one more, does it alone until the transaction ends. Taken after lockers and
 * occupation, the names in one order: two at once for one person come one after the other, and the second counts the first.
 */
export const lockPerson = async (tx: Tx, tenantId: string, { accountId, receiver }: Person): Promise<void> => {
  const known = { account: accountId, email: receiver?.email ?? null, tlf: receiver?.tlf ?? null };
  for (const [kind, value] of Object.entries(known)) {
    if (value !== null) await sql`select pg_advisory_xact_lock(hashtextextended(${`${tenantId} ${kind} ${value}`}, 0))`.execute(tx);
  }
};

/** Loans, storages and claims of whoever has this address, this number or this account. What was brought for staff is nobody's claim. */
const activeCount = (
  tenantId: string,
  { email, tlf, account }: Record<'email' | 'tlf' | 'account', RawBuilder<unknown>>,
  without: string | null,
): RawBuilder<number> => {
  const claimed = sql`o.stage = ${stageNo('CLAIMING')} and o.type not in ('drop-off', 'recall')`;
  // Each way by itself, so that each is found by its own index: an `or` over all of them walks everybody's.
  const theirs = sql`select o.id from occupations o
    left join loans n on n.tenant_id = o.tenant_id and n.occupation_id = o.id and n.returned_at is null
    where o.tenant_id = ${tenantId} and ${activeNow} and (n.id is not null or o.type = 'storage' or (${claimed}))`;
  const lent = sql`select o.id from loans n join occupations o on o.tenant_id = n.tenant_id and o.id = n.occupation_id
    where n.tenant_id = ${tenantId} and n.returned_at is null and ${activeNow}`;
  return sql`(
    select count(*)::int from (
      ${theirs} and o.receiver_tlf = ${tlf}
      union ${theirs} and o.receiver_email = ${email}
      union select o.id from occupations o where o.tenant_id = ${tenantId} and ${claimed} and o.claimed_by->>'id' = ${account}::text
      union ${lent} and n.borrower_tlf = ${tlf}
      union ${lent} and n.borrower_email = ${email}
      union ${lent} and n.borrower_account_id = ${account}::uuid) mine
    where id is distinct from ${without}::uuid)`;
};

/** What is meant for one of these members, by number or address, or is with them: what they would leave behind. Null: of any member. */
export const openOfMembers = (tenantId: string, memberIds: readonly string[] | null): RawBuilder<string> => {
  const theirs = sql`select o.id from memberships m join accounts a on a.id = m.account_id
    join occupations o on o.tenant_id = m.tenant_id and ${activeNow}`;
  const lent = sql`select n.occupation_id from memberships m join accounts a on a.id = m.account_id
    join loans n on n.tenant_id = m.tenant_id and n.returned_at is null`;
  const of = sql`where m.tenant_id = ${tenantId} and ${memberIds === null ? sql`true` : sql`m.id = any(${[...memberIds]}::uuid[])`}`;
  return sql<string>`(
    ${theirs} and o.receiver_tlf = a.tlf ${of}
    union ${theirs} and o.receiver_email = a.email ${of}
    union ${theirs} and o.stage = ${stageNo('CLAIMING')} and o.claimed_by->>'id' = a.id::text ${of}
    union ${lent} and n.borrower_tlf = a.tlf ${of}
    union ${lent} and n.borrower_email = a.email ${of}
    union ${lent} and n.borrower_account_id = a.id ${of})`;
};

/** How many a person has in use; without the occupation in question. */
export const activeOf = async (tx: Tx, tenantId: string, { accountId, receiver }: Person, without: string | null): Promise<number> => {
  const { tlf, email } = receiver ?? { tlf: null, email: null };
  if (tlf === null && email === null && accountId === null) return 0;
  const person = { account: sql`${accountId}`, email: sql`${email}`, tlf: sql`${tlf}` };
  const { rows } = await sql<{ count: number }>`select ${activeCount(tenantId, person, without)} as count`.execute(tx);
  return rows[0]?.count ?? 0;
};

/** What the rules ask of people who may take something by themselves: their groups, and how many they have in use, where it is asked. */
export const takersFacts = async (
  tx: Tx,
  tenantId: string,
  policies: readonly Policy[],
  accountIds: readonly string[],
): Promise<{ accountId: string; groupIds: readonly string[]; activeOfPerson: number }[]> => {
  const person = { account: sql`a.id`, email: sql`a.email`, tlf: sql`a.tlf` };
  const groups = policies.some((policy) => policy.groupIds.length > 0) ? groupIdsOf(tenantId, person) : sql`'{}'::uuid[]`;
  const active = policies.some((policy) => policy.maxActivePerPerson !== null) ? activeCount(tenantId, person, null) : sql`0`;
  const { rows } = await sql<{ accountId: string; groupIds: string[]; activeOfPerson: number }>`
    select a.id as "accountId", ${groups} as "groupIds", ${active} as "activeOfPerson"
    from accounts a where a.id = any(${[...accountIds]}::uuid[])`.execute(tx);
  return rows;
};
