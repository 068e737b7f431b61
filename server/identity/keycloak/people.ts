import { sql } from 'kysely';
import { asTenant, type IdentityTx } from '../tables.ts';

/** Somebody of whom Keycloak is to be told, taken by whoever tells it. */
export type Taken = {
  account_id: string;
  subject: string | null;
  chosen_id: string | null;
  told_id: string | null;
  told: string | null;
  asked: number;
  log_out: boolean;
  password: string | null;
  tries: number;
};

/** Longer than all calls about one person take together. */
const BUSY_S = 90;
const TAKEN = sql`account_id, subject, chosen_id, told_id, told, asked::int as asked, log_out, password, tries`;

/** These are to be told of, for whatever reason: what is told is read when it is told. */
export async function ask(tx: IdentityTx, accountIds: readonly string[], now: Date): Promise<void> {
  if (accountIds.length === 0) return;
  await sql`
    insert into identity_people (account_id, asked, waiting_since)
    select id, 1, ${now.toISOString()}::timestamptz from unnest(${[...new Set(accountIds)].toSorted()}::uuid[]) as id order by id
    on conflict (account_id) do update set asked = identity_people.asked + 1,
      waiting_since = coalesce(identity_people.waiting_since, excluded.waiting_since), next_at = null`.execute(tx);
}

/**
 * Whose tokens a change in this company may touch: its members whose tokens are for it or for none yet, and those whose tokens are still
 * for it though they are members no more. `only`: these memberships, and whoever left.
 */
export async function concerned(tx: IdentityTx, tenantId: string, only: readonly string[] | null): Promise<string[]> {
  await asTenant(tx, tenantId);
  const { rows } = await sql<{ id: string }>`
    select m.account_id as id from memberships m left join identity_people p on p.account_id = m.account_id
    where m.tenant_id = ${tenantId}::uuid and (p.told_id is null or p.told_id = ${tenantId}::uuid)
      and (${only === null} or m.id = any(${only ?? []}::uuid[]))
    union
    select p.account_id from identity_people p where p.told_id = ${tenantId}::uuid
      and not exists (select from memberships m where m.tenant_id = ${tenantId}::uuid and m.account_id = p.account_id)`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Takes up to so many that are due, for as long as telling of them takes; nobody else takes them meanwhile. */
export async function take(tx: IdentityTx, now: Date, most: number, accountId?: string): Promise<Taken[]> {
  const at = now.toISOString();
  const until = new Date(now.getTime() + BUSY_S * 1000).toISOString();
  const due = accountId === undefined ? sql`(next_at is null or next_at <= ${at})` : sql`account_id = ${accountId}::uuid`;
  const { rows } = await sql<Taken>`
    update identity_people set busy_until = ${until} where account_id in (
      select account_id from identity_people where asked > done and (busy_until is null or busy_until <= ${at}) and ${due}
      order by waiting_since limit ${most} for update skip locked)
    returning ${TAKEN}`.execute(tx);
  return rows;
}

/** Told. What was asked meanwhile waits on. */
export async function finish(tx: IdentityTx, taken: Taken, told: { subject: string; told: string; toldId: string | null }, now: Date) {
  const at = now.toISOString();
  await sql`
    update identity_people set subject = ${told.subject}, told = ${told.told}, told_id = ${told.toldId}::uuid, told_at = ${at},
      done = ${taken.asked}, log_out = log_out and asked > ${taken.asked},
      password = case when password = ${taken.password} then null else password end,
      waiting_since = case when asked > ${taken.asked} then ${at}::timestamptz end,
      tries = 0, next_at = null, busy_until = null, last_error = null
    where account_id = ${taken.account_id}::uuid`.execute(tx);
}

const LONGEST_S = 60;
/** Not told, and why: again after a while, which grows. */
export async function postpone(tx: IdentityTx, taken: Taken, why: string, now: Date): Promise<void> {
  const seconds = Math.min(LONGEST_S, 2 ** Math.min(taken.tries, 10));
  await sql`
    update identity_people set tries = tries + 1, busy_until = null, last_error = ${why.slice(0, 500)},
      next_at = ${new Date(now.getTime() + seconds * 1000).toISOString()}
    where account_id = ${taken.account_id}::uuid`.execute(tx);
}

export async function waitingState(tx: IdentityTx) {
  const { rows } = await sql<{ waiting: number; waitingSince: string | null; lastToldAt: string | null; lastError: string | null }>`
    select count(*) filter (where asked > done)::int as waiting, min(waiting_since) filter (where asked > done) as "waitingSince",
      max(told_at) as "lastToldAt",
      (array_agg(last_error order by next_at desc) filter (where asked > done and last_error is not null))[1] as "lastError"
    from identity_people`.execute(tx);
  return rows[0] ?? { waiting: 0, waitingSince: null, lastToldAt: null, lastError: null };
}
