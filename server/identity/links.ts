import crypto from 'node:crypto';
import { LIFE } from './options.ts';
import type { IdentityTx } from './tables.ts';

const hashed = (token: string) => crypto.createHash('sha256').update(token).digest('base64url');

/** A link that lets its holder choose a new password, once, within the hour. An older one dies with the newer. */
export async function newPasswordLink(tx: IdentityTx, accountId: string, now: Date): Promise<string> {
  const token = crypto.randomBytes(24).toString('base64url');
  await tx.deleteFrom('identity_links').where('account_id', '=', accountId).where('purpose', '=', 'password').execute();
  await tx
    .insertInto('identity_links')
    .values({
      hash: hashed(token),
      account_id: accountId,
      purpose: 'password',
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + LIFE.resetLink * 1000).toISOString(),
      used_at: null,
    })
    .execute();
  return token;
}

/** Whose link it is; looking does not spend it, since mail scanners look too. */
export async function linkOwner(tx: IdentityTx, token: string, now: Date): Promise<string | null> {
  const row = await tx
    .selectFrom('identity_links')
    .select('account_id')
    .where('hash', '=', hashed(token))
    .where('purpose', '=', 'password')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return row?.account_id ?? null;
}

export async function spendLink(tx: IdentityTx, token: string, now: Date): Promise<boolean> {
  const spent = await tx
    .updateTable('identity_links')
    .set({ used_at: now.toISOString() })
    .where('hash', '=', hashed(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return spent.numUpdatedRows === 1n;
}
