import { sql } from 'kysely';
import type { Ended, Log, Revoked } from './options.ts';
import { LIFE, REVOKED_FOR_MS } from './options.ts';
import { companiesOf } from './people.ts';
import type { IdentityTx, InIdentity } from './tables.ts';

/** A session's company is kept a little longer than the session, so that it never goes first. */
const SPARE_SECONDS = 600;

type Person = { accountId: string; tenantId?: string };

/** What happens to a person's sign-ins from outside the sign-in pages: another company chosen, a right withdrawn. `told`: settled once what was written has been told. */
export function createSessions(run: InIdentity, now: () => Date, told: () => Promise<void>, log: Log) {
  return {
    /**
     * Chooses the company that the session's tokens are minted for from its next refresh on. Given an account alone, chooses
     * for all its sessions. False when the person has no membership there, or came by another company's directory.
     */
    choose: (who: { accountId: string; sessionUid?: string }, tenantId: string): Promise<boolean> =>
      run(async (tx) => {
        const companies = await companiesOf(tx, who.accountId);
        if (!companies.some((company) => company.tenantId === tenantId)) return false;
        let update = tx.updateTable('identity_sessions').set({ tenant_id: tenantId }).where('account_id', '=', who.accountId);
        update = update.where((eb) => eb.or([eb('by_directory', '=', false), eb('tenant_id', '=', tenantId)]));
        if (who.sessionUid) update = update.where('session_uid', '=', who.sessionUid);
        const done = await update.executeTakeFirst();
        return done.numUpdatedRows > 0n;
      }),

    /** Ends sign-ins: of a whole account (disabled, password changed), or those for one company (membership withdrawn). */
    async revoke({ accountId, tenantId }: Person, options: { except?: string } = {}): Promise<void> {
      await run((tx) => endSessions(tx, now(), accountId, tenantId, options.except));
      log.info({ accountId, tenantId }, 'sign-ins ended');
      await told();
    },

    started: (sessionUid: string, accountId: string, tenantId: string | null, byDirectory: boolean): Promise<void> =>
      run(async (tx) => {
        const expires_at = new Date(now().getTime() + (LIFE.session + SPARE_SECONDS) * 1000).toISOString();
        const row = { account_id: accountId, tenant_id: tenantId, by_directory: byDirectory, expires_at };
        await tx
          .insertInto('identity_sessions')
          .values({ session_uid: sessionUid, created_at: now().toISOString(), ...row })
          .onConflict((oc) => oc.column('session_uid').doUpdateSet(row))
          .execute();
      }),

    /** Ends one sign-in, and says so: both or neither, so that no token of it is good anywhere once its owner is told that they are out. */
    async ended(sessionUid: string, accountId: string | null): Promise<void> {
      await run(async (tx) => {
        await forget(tx, [sessionUid]);
        if (accountId !== null) await keep(tx, now(), { kind: 'session', sessionUid, accountId });
      });
      await told();
    },

    /** What a token that is still out may have been ended by, for a node that was not there to hear it. */
    revokedLately: (): Promise<Ended[]> =>
      run(async (tx) => {
        const since = new Date(now().getTime() - REVOKED_FOR_MS).toISOString();
        const rows = await tx.selectFrom('identity_revocations').select(['event', 'at']).where('at', '>', since).execute();
        return rows.map((row) => endedOf(row, now()));
      }),
  };
}

export type Sessions = ReturnType<typeof createSessions>;

const keep = (tx: IdentityTx, now: Date, event: Revoked) =>
  tx
    .insertInto('identity_revocations')
    .values({ event: JSON.stringify(event), at: now.toISOString() })
    .execute();

/** Refresh tokens and codes hang on the session: with it gone they answer 400 (expiresWithSession). */
const forget = async (tx: IdentityTx, uids: string[]) => {
  if (uids.length === 0) return;
  await tx.deleteFrom('identity_sessions').where('session_uid', 'in', uids).execute();
  await tx.deleteFrom('identity_store').where('model', '=', 'Session').where('uid', 'in', uids).execute();
};

/** Ends sign-ins with whatever else the transaction does; after it, the relay tells of it. */
export async function endSessions(tx: IdentityTx, now: Date, accountId: string, tenantId?: string, except?: string): Promise<void> {
  let ending = tx.selectFrom('identity_sessions').select('session_uid').where('account_id', '=', accountId);
  if (tenantId) ending = ending.where('tenant_id', '=', tenantId);
  if (except) ending = ending.where('session_uid', '!=', except);
  await forget(
    tx,
    (await ending.execute()).map((row) => row.session_uid),
  );
  await keep(tx, now, tenantId ? { kind: 'membership', accountId, tenantId } : { kind: 'account', accountId });
}

/** The last tokens of a sign-in may be made while its end is being committed, or by a node whose clock is ahead. */
const AFTER_MS = 2_000;
const endedOf = ({ event, at }: { event: Revoked; at: string }, now: Date): Ended => ({
  ...event,
  at: Math.min(now.getTime(), Date.parse(at) + AFTER_MS),
});

const BATCH = 200;

/** Tells of what ended and was not told yet; answers whether there is more. Another node that is telling the same is not waited for. */
export const tellEnded = (run: InIdentity, now: () => Date, tell: (events: Ended[]) => Promise<boolean>): Promise<boolean> =>
  run(async (tx) => {
    const rows = await tx
      .selectFrom('identity_revocations')
      .select(['id', 'event', 'at'])
      .where('told', '=', sql.lit(false))
      .orderBy('id')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0 || !(await tell(rows.map((row) => endedOf(row, now()))))) return false;
    const ids = rows.map((row) => row.id);
    await tx.updateTable('identity_revocations').set({ told: true }).where('id', 'in', ids).execute();
    return rows.length === BATCH;
  });

/** The company that a session's tokens are for; undefined when the session was never recorded. */
export async function sessionCompany(
  tx: IdentityTx,
  sessionUid: string,
): Promise<{ tenantId: string | null; byDirectory: boolean } | undefined> {
  const row = await tx
    .selectFrom('identity_sessions')
    .select(['tenant_id', 'by_directory'])
    .where('session_uid', '=', sessionUid)
    .executeTakeFirst();
  return row && { tenantId: row.tenant_id, byDirectory: row.by_directory };
}
