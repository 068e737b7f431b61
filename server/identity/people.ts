import { normalEmail } from '@hatchway/domain/receiver.ts';
import { SCOPES, type Scope } from '@hatchway/domain/terms.ts';
import { sql } from 'kysely';
import { isInternational, numbersMeant } from '../phone.ts';
import { asAccount, asTenant, type IdentityTx } from './tables.ts';

export type Account = {
  id: string;
  name: string;
  email: string | null;
  tlf: string | null;
  locale: string;
  disabled: boolean;
  /** They have shown that they read their address. A directory's word shows nothing, an SMS the number alone. */
  emailProved: boolean;
};
export type Company = { tenantId: string; name: string; roles: string[]; licenses: string[]; suspended: boolean };

/** `needsCountry`: a number without its country code, which may be another person's elsewhere. */
export type Login = { login: string; needsCountry: boolean };

/**
 * What somebody typed into the sign-in field, as the database knows it: an e-mail address in its normal form, or a number in E.164. Without
 * its country code it is the number that exactly one account has; where none or several do, the digits as they are, which nobody has.
 */
export async function readLogin(tx: IdentityTx, typed: string): Promise<Login> {
  const numbers = typed.includes('@') ? [] : numbersMeant(typed);
  const plain = normalEmail(typed);
  if (numbers.length === 0) return { login: plain, needsCountry: false };
  if (isInternational(typed)) return { login: numbers[0] ?? plain, needsCountry: false };
  const known = await sql<{ login: string }>`
    select login from unnest(${numbers}::text[]) as login where find_account(login) is not null limit 2`.execute(tx);
  const [one, another] = known.rows;
  return { login: one && !another ? one.login : plain.replaceAll(/\D/g, ''), needsCountry: true };
}

export async function findByLogin(tx: IdentityTx, login: string): Promise<Account | null> {
  const found = await sql<{ id: string | null }>`select find_account(${login}) as id`.execute(tx);
  const id = found.rows[0]?.id;
  return id ? findAccount(tx, id) : null;
}

export async function findAccount(tx: IdentityTx, accountId: string): Promise<Account | null> {
  await asAccount(tx, accountId);
  const row = await tx
    .selectFrom('accounts')
    .select(['id', 'name', 'email', 'tlf', 'locale', 'disabled_at', 'email_proved'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!row) return null;
  const { disabled_at, email_proved: emailProved, ...account } = row;
  return { ...account, disabled: disabled_at !== null, emailProved };
}

/** The companies that the person belongs to, suspended ones too: the API is what refuses those. One that is being deleted is none. */
export async function companiesOf(tx: IdentityTx, accountId: string): Promise<Company[]> {
  await asAccount(tx, accountId);
  const rows = await tx
    .selectFrom('memberships as m')
    .innerJoin('companies as c', 'c.id', 'm.tenant_id')
    .select(['m.tenant_id', 'm.roles', 'c.name', 'c.licenses', 'c.suspended_at'])
    .where('m.account_id', '=', accountId)
    .where('c.deleting_at', 'is', null)
    .orderBy(sql`c.name collate by_name_nb`)
    .execute();
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    name: row.name,
    roles: [...row.roles],
    licenses: [...row.licenses],
    suspended: row.suspended_at !== null,
  }));
}

/** Scopes that the person holds on at least one locker. Which lockers is read at each call, by whoever serves it. */
export async function lockerScopes(tx: IdentityTx, tenantId: string, accountId: string): Promise<Scope[]> {
  await asTenant(tx, tenantId);
  const result = await sql<{ scope: string }>`
    select distinct unnest(p.scopes) as scope
    from permissions p
    where p.tenant_id = ${tenantId}::uuid
      and cardinality(p.locker_ids) > 0
      and exists (select from group_members g
                  where g.tenant_id = ${tenantId}::uuid and g.account_id = ${accountId}::uuid and g.group_id = any(p.group_ids))`.execute(
    tx,
  );
  const held = new Set(result.rows.map((row) => row.scope));
  return SCOPES.filter((scope) => held.has(scope));
}

/** When the person was last here, to ten minutes: for the members list, not worth a write at each token. */
export async function noteSeen(tx: IdentityTx, tenantId: string, accountId: string, now: Date): Promise<void> {
  await asTenant(tx, tenantId);
  await tx
    .updateTable('memberships')
    .set({ last_seen_at: now.toISOString() })
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', new Date(now.getTime() - 600_000).toISOString())]))
    .execute();
}
