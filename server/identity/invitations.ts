import crypto from 'node:crypto';
import { sql } from 'kysely';
import { mayAdminister } from '@hatchway/domain/access.ts';
import { mayRaise } from '@hatchway/domain/granting.ts';
import type { Actor } from '@hatchway/domain/history.ts';
import { record, type Change } from '../events/record.ts';
import { factsOfActor } from '../held.ts';
import { newId } from '../ids.ts';
import { systemScope } from '../scope.ts';
import { newToken, tenantOfToken } from '../tokens.ts';
import { findByLogin, type Account } from './people.ts';
import { asAccount, asTenant, type IdentityTx } from './tables.ts';

/**
 * The secret of an invitation's link names its company (a link is followed by somebody whom nobody knows yet) and carries 128 random
 * bits; the database keeps the hash, in `invitations.mail_token_hash` or `.sms_token_hash`.
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
  /** Which way the link came that was followed, */
  channel: 'mail' | 'sms';
  /** and where it was sent to: the one address or number that following it proves, and so the account's name at sign-in. */
  login: string;
  /** The other way goes to an address, where this one goes to a number. */
  mailedToo: boolean;
  roles: string[];
  state: 'pending' | 'accepted' | 'expired' | 'withdrawn';
  /** Who signs in by that name already. */
  account: Account | null;
};

/** An invitation is somebody's word, and is worth what their right is when it is followed. The operator's needs none. */
async function mayStillInvite(tx: IdentityTx, tenantId: string, sender: Actor, roles: readonly string[], now: Date): Promise<boolean> {
  if (sender.kind === 'system') return true;
  const facts = await factsOfActor(tx, tenantId, sender, now.toISOString());
  return mayAdminister('invitations', facts) && mayRaise({ roles }, facts);
}

export async function findInvitation(tx: IdentityTx, token: string, now: Date): Promise<Invitation | null> {
  const tenantId = tenantOfToken(token);
  if (!tenantId) return null;
  await asTenant(tx, tenantId);
  const hash = hashOf(token);
  const row = await tx
    .selectFrom('invitations')
    .select(['id', 'email', 'tlf', 'roles', 'state', 'expires_at', 'mail_token_hash', 'invited_by', 'invited_by_kind', 'invited_by_name'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('mail_token_hash', '=', hash), eb('sms_token_hash', '=', hash)]))
    .forUpdate()
    .executeTakeFirst();
  const standing = () => tx.selectFrom('companies').select('name').where('id', '=', tenantId).where('deleting_at', 'is', null);
  const company = row && (await standing().executeTakeFirst());
  if (!row || !company) return null;
  const channel = row.mail_token_hash?.equals(hash) ? 'mail' : 'sms';
  const login = (channel === 'mail' ? row.email : row.tlf) ?? '';
  const late = row.state === 'pending' && new Date(row.expires_at).getTime() <= now.getTime();
  const sender = { kind: row.invited_by_kind, id: row.invited_by, name: row.invited_by_name };
  const stands = row.state !== 'pending' || (await mayStillInvite(tx, tenantId, sender, row.roles, now));
  return {
    tenantId,
    id: row.id,
    company: company.name,
    channel,
    login,
    mailedToo: channel === 'sms' && row.email !== null,
    roles: [...row.roles],
    state: !stands ? 'withdrawn' : late ? 'expired' : row.state,
    account: await findByLogin(tx, login),
  };
}

/**
 * Makes the account when there is none, and the membership. The invitation was found pending in this same transaction, and is locked.
 * Null, and nothing is made, where somebody else's invitation made an account of that name in this very moment: whoever accepts has
 * not shown yet that it is theirs.
 */
export async function acceptInvitation(
  tx: IdentityTx,
  invitation: Invitation,
  name: string,
  locale: string,
  now: Date,
): Promise<string | null> {
  const accountId = invitation.account?.id ?? (await newAccount(tx, invitation, name, locale, now));
  if (accountId === null) return null;
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
        // what the directory gives them already is theirs by the invitation too
        kept_roles: sql<
          string[]
        >`array(select unnest(memberships.kept_roles) union (select unnest(${invitation.roles}::text[]) intersect select unnest(memberships.directory_roles)))`,
        version: eb('memberships.version', '+', 1),
        updated_at: now.toISOString(),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await leaveDirectories(tx, invitation, accountId);
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

/**
 * The account is its person's own from now on: no other company's directory says its name and address any more. This company's directory,
 * which could not let in whoever has this address, or may not since an administrator removed them before, looks again.
 */
async function leaveDirectories(tx: IdentityTx, { tenantId, login, channel }: Invitation, accountId: string): Promise<void> {
  await asAccount(tx, accountId);
  if (channel === 'mail') await tx.updateTable('accounts').set({ email_proved: true }).where('id', '=', accountId).execute();
  await tx
    .updateTable('accounts')
    .set({ managed_by: null })
    .where('id', '=', accountId)
    .where('managed_by', 'is not', null)
    .where('managed_by', '!=', tenantId)
    .execute();
  await tx
    .updateTable('directory_people')
    .set({ problem: null, due: true })
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('account_id', '=', accountId), eb('email', '=', login).and('account_id', 'is', null)]))
    .execute();
}

/** Under what the link proves and nothing else: an account must not hold an address that somebody else reads. */
async function newAccount(tx: IdentityTx, { channel, login }: Invitation, name: string, locale: string, now: Date): Promise<string | null> {
  const id = newId(now.getTime());
  await asAccount(tx, id);
  const made = await tx
    .insertInto('accounts')
    .values({
      id,
      name,
      email: channel === 'mail' ? login : null,
      tlf: channel === 'sms' ? login : null,
      locale: locale === 'nb' ? 'nb' : 'en',
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    })
    // another company's invitation to the same new address, accepted at once: the first makes the account
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return made.numInsertedOrUpdatedRows === 1n ? id : null;
}
