import { sql, type Generated, type JSONColumnType, type Transaction } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import type { Revoked } from './options.ts';

/** ISO 8601, as everywhere between the database and us. */
type Time = string;

/** Tables of the migrations 002, 036 and 037, which the provider alone reads. */
type IdentityTables = {
  identity_keys: { id: string; kind: 'signing' | 'cookie'; secret: string; created_at: Time };
  identity_store: {
    model: string;
    id: string;
    payload: unknown;
    grant_id: string | null;
    uid: string | null;
    account_id: string | null;
    expires_at: Time | null;
  };
  identity_sessions: {
    session_uid: string;
    account_id: string;
    tenant_id: string | null;
    /** By that company's directory: for no other one. */
    by_directory: Generated<boolean>;
    created_at: Time;
    expires_at: Time;
  };
  identity_passwords: { account_id: string; hash: string; weak: boolean; changed_at: Time };
  identity_second_factors: { account_id: string; secret: string; confirmed_at: Time | null; last_step: number | null; created_at: Time };
  identity_revocations: { id: Generated<string>; event: JSONColumnType<Revoked>; at: Time; told: Generated<boolean> };
  identity_recovery_codes: { account_id: string; hash: string; used_at: Time | null };
  identity_links: { hash: string; account_id: string; purpose: 'password'; created_at: Time; expires_at: Time; used_at: Time | null };
};

export type IdentityTx = Transaction<Database & IdentityTables>;

/** A transaction that sees the provider's own tables. Row-level security opens them to nobody else. */
export type InIdentity = <T>(fn: (tx: IdentityTx) => Promise<T>) => Promise<T>;

export function inIdentity(db: Db): InIdentity {
  return (fn) =>
    db.open(async (tx) => {
      await sql`set local app.identity = 'on'`.execute(tx);
      return fn(tx.withTables<IdentityTables>());
    });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

async function become(tx: IdentityTx, setting: 'app.account_id' | 'app.tenant_id', id: string): Promise<void> {
  if (!UUID.test(id)) throw new Error('not a UUID');
  await sql.raw(`set local ${setting} = '${id}'`).execute(tx);
}

/** From here on the transaction also sees this person's account, memberships and the companies they lead to. */
export const asAccount = (tx: IdentityTx, accountId: string) => become(tx, 'app.account_id', accountId);

/** From here on the transaction also sees this company. Only for a company that a membership or an invitation led to. */
export const asTenant = (tx: IdentityTx, tenantId: string) => become(tx, 'app.tenant_id', tenantId);
