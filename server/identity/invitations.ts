import crypto from 'node:crypto';
import { sql } from 'kysely';
import { record, type Change } from '../events/record.ts';
import { newId } from '../ids.ts';
import { systemScope } from '../scope.ts';
import { newToken, tenantOfToken } from '../tokens.ts';
import { findAccount, findByLogin, type Account } from './people.ts';
import { asAccount, asTenant, type IdentityTx } from './tables.ts';

/**
 * The secret of an invitation names its company (a link is followed by somebody whom nobody knows yet) and carries 128 random
 * bits; the database keeps the hash, in `invitations.token_hash`.
 */
export function newInvitationToken(tenantId: string): { token: string; hash: Buffer } {
  const token = newToken(tenantId);
  return { token, hash: hashOf(token) };
}

const hashOf = (token: string) => crypto.createHash('sha256').update(token).digest();

export type Invitation = {
  tenantId: string;
  id: string;
  company: string;
  email: string | null;
  tlf: string | null;
  roles: string[];
  state: 'pending' | 'accepted' | 'expired' | 'withdrawn';
  /** Who is invited, where they have an account already. */
  account: Account | null;
};

export async function findInvitation(tx: IdentityTx, token: string, now: Date): Promise<Invitation | null> {
  const tenantId = tenantOfToken(token);
  if (!tenantId) return null;
  await asTenant(tx, tenantId);
  const row = await tx
    .selectFrom('invitations')
    .select(['id', 'email', 'tlf', 'roles', 'state', 'expires_at'])
    .where('tenant_id', '=', tenantId)
    .where('token_hash', '=', hashOf(token))
    .forUpdate()
    .executeTakeFirst();
  const standing = () => tx.selectFrom('companies').select('name').where('id', '=', tenantId).where('deleting_at', 'is', null);
  const company = row && (await standing().executeTakeFirst());
  if (!row || !company) return null;
  const late = row.state === 'pending' && new Date(row.expires_at).getTime() <= now.getTime();
  // The address says who is meant; a number is only asked where there is none, since people share and pass on numbers.
  const account = await findByLogin(tx, row.email ?? row.tlf ?? '');
  return {
    tenantId,
    id: row.id,
    company: company.name,
    email: row.email,
    tlf: row.tlf,
    roles: [...row.roles],
    state: late ? 'expired' : row.state,
    account,
  };
}

/** Makes the account when there is none, and the membership. The invitation was found pending in this same transaction, and is locked. */
export async function acceptInvitation(tx: IdentityTx, invitation: Invitation, name: string, locale: string, now: Date): Promise<string> {
  const accountId = invitation.account?.id ?? (await newAccount(tx, invitation, name, locale, now));
  await asTenant(tx, invitation.tenantId);
  const made = await tx
    .insertInto('memberships')
    .values({
      tenant_id: invitation.tenantId,
      id: newId(now.getTime()),
      account_id: accountId,
      roles: invitation.roles,
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    // Somebody who is a member already gets the roles of the invitation on top.
    .onConflict((oc) =>
      oc.columns(['tenant_id', 'account_id']).doUpdateSet((eb) => ({
        roles: sql<
          string[]
        >`array(select distinct role from unnest(memberships.roles || ${invitation.roles}::text[]) as role order by role)`,
        version: eb('memberships.version', '+', 1),
        updated_at: now.toISOString(),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  // Whoever looks at the members sees them come, and a member's open sockets learn of what they hold now.
  const changes: Change[] = [
    { kind: 'memberships', id: made.id, method: 'POST' },
    { kind: 'invitations', id: invitation.id, method: 'PUT' },
  ];
  await record(tx, systemScope(invitation.tenantId, now.toISOString()), [], changes);
  await tx
    .updateTable('invitations')
    .set((eb) => ({ state: 'accepted', accepted_by: accountId, updated_at: now.toISOString(), version: eb('version', '+', 1) }))
    .where('tenant_id', '=', invitation.tenantId)
    .where('id', '=', invitation.id)
    .execute();
  return accountId;
}

async function newAccount(tx: IdentityTx, { email, tlf }: Invitation, name: string, locale: string, now: Date): Promise<string> {
  const id = newId(now.getTime());
  // A number that another account holds stays there: one person, one account, and the mail address says which.
  const free = tlf && !(await findByLogin(tx, tlf)) ? tlf : null;
  await asAccount(tx, id);
  await tx
    .insertInto('accounts')
    .values({
      id,
      name,
      email: email?.toLowerCase() ?? null,
      tlf: free,
      locale: locale === 'nb' ? 'nb' : 'en',
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    .execute();
  await findAccount(tx, id);
  return id;
}
