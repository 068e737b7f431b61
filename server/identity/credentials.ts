import { decoyOf, hashPassword, passwordFault, verifyPassword, type PasswordCost } from './passwords.ts';
import { findAccount, findByLogin, type Account } from './people.ts';
import { bareRecoveryCode, looksLikeRecoveryCode, matchingStep, newRecoveryCodes, newSecret } from './second-factor.ts';
import type { TextSeal } from './seal.ts';
import type { IdentityTx, InIdentity } from './tables.ts';

/** What a person proves themselves with. `sandbox` decides whether a password that breaks the rules is worth anything. */
export function createCredentials(
  run: InIdentity,
  seal: TextSeal,
  now: () => Date,
  { sandbox, cost }: { sandbox: boolean; cost: PasswordCost },
) {
  const pretendToVerify = decoyOf(cost);
  const storedHash = (tx: IdentityTx, accountId: string) =>
    tx.selectFrom('identity_passwords').select(['hash', 'weak']).where('account_id', '=', accountId).executeTakeFirst();

  const confirmedFactor = (tx: IdentityTx, accountId: string) =>
    tx
      .selectFrom('identity_second_factors')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst();

  return {
    hash: (password: string): Promise<string> => hashPassword(password, cost),

    async passwordMatches(accountId: string, password: string): Promise<boolean> {
      const stored = await run((tx) => storedHash(tx, accountId));
      return stored && (sandbox || !stored.weak) ? verifyPassword(stored.hash, password) : pretendToVerify(password);
    },

    hasPassword: (accountId: string): Promise<boolean> =>
      run(async (tx) => {
        const stored = await storedHash(tx, accountId);
        return stored !== undefined && (sandbox || !stored.weak);
      }),

    /** The account that login and password belong to, or null, in the same time whatever was wrong. */
    async signIn(login: string, password: string): Promise<Account | null> {
      const account = await run((tx) => findByLogin(tx, login));
      const stored = account && !account.disabled ? await run((tx) => storedHash(tx, account.id)) : undefined;
      const usable = stored && (sandbox || !stored.weak);
      const right = usable ? await verifyPassword(stored.hash, password) : await pretendToVerify(password);
      return right ? account : null;
    },

    /** Sets a password without asking its rules; one that breaks them is marked and works in a sandbox only. */
    async setPassword(accountId: string, password: string): Promise<void> {
      const hash = await this.hash(password);
      await run((tx) => this.savePassword(tx, accountId, password, hash));
    },

    async savePassword(tx: IdentityTx, accountId: string, password: string, hash: string): Promise<void> {
      const account = await findAccount(tx, accountId);
      const row = {
        hash,
        weak: passwordFault(password, [account?.email ?? null, account?.tlf ?? null]) !== null,
        changed_at: now().toISOString(),
      };
      await tx
        .insertInto('identity_passwords')
        .values({ account_id: accountId, ...row })
        .onConflict((oc) => oc.column('account_id').doUpdateSet(row))
        .execute();
      await tx.deleteFrom('identity_links').where('account_id', '=', accountId).where('purpose', '=', 'password').execute();
    },

    hasSecondFactor: (accountId: string): Promise<boolean> => run(async (tx) => (await confirmedFactor(tx, accountId)) !== undefined),

    /** Takes a code of the app or an unused recovery code; each works once. */
    checkSecondFactor: (accountId: string, code: string): Promise<boolean> =>
      run(async (tx) => {
        if (looksLikeRecoveryCode(code)) {
          const used = await tx
            .updateTable('identity_recovery_codes')
            .set({ used_at: now().toISOString() })
            .where('account_id', '=', accountId)
            .where('hash', '=', seal.hash(bareRecoveryCode(code)))
            .where('used_at', 'is', null)
            .executeTakeFirst();
          return used.numUpdatedRows === 1n;
        }
        const factor = await tx
          .selectFrom('identity_second_factors')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('confirmed_at', 'is not', null)
          .forUpdate()
          .executeTakeFirst();
        const secret = factor && seal.open(factor.secret);
        if (!secret) return false;
        const step = matchingStep(secret, code, now(), factor.last_step);
        if (step === null) return false;
        await tx.updateTable('identity_second_factors').set({ last_step: step }).where('account_id', '=', accountId).execute();
        return true;
      }),

    recoveryCodesLeft: (accountId: string): Promise<number> =>
      run(async (tx) => {
        const rows = await tx
          .selectFrom('identity_recovery_codes')
          .select('hash')
          .where('account_id', '=', accountId)
          .where('used_at', 'is', null)
          .execute();
        return rows.length;
      }),

    /** The secret of a set-up that has begun; the same one until it is confirmed, so that a reload does not spoil a scanned picture. Null when it is on already. */
    beginSecondFactor: (accountId: string): Promise<string | null> =>
      run(async (tx) => {
        const present = await tx.selectFrom('identity_second_factors').selectAll().where('account_id', '=', accountId).executeTakeFirst();
        if (present?.confirmed_at) return null;
        const kept = present && seal.open(present.secret);
        if (kept) return kept;
        const secret = newSecret();
        const row = { secret: seal.close(secret), confirmed_at: null, last_step: null, created_at: now().toISOString() };
        await tx
          .insertInto('identity_second_factors')
          .values({ account_id: accountId, ...row })
          .onConflict((oc) => oc.column('account_id').doUpdateSet(row))
          .execute();
        return secret;
      }),

    /** Turns the second step on when the code is right, and gives the recovery codes, this once. */
    confirmSecondFactor: (accountId: string, code: string): Promise<string[] | null> =>
      run(async (tx) => {
        const begun = await tx
          .selectFrom('identity_second_factors')
          .selectAll()
          .where('account_id', '=', accountId)
          .forUpdate()
          .executeTakeFirst();
        const secret = begun && !begun.confirmed_at ? seal.open(begun.secret) : null;
        const step = secret ? matchingStep(secret, code, now(), null) : null;
        if (step === null) return null;
        await tx
          .updateTable('identity_second_factors')
          .set({ confirmed_at: now().toISOString(), last_step: step })
          .where('account_id', '=', accountId)
          .execute();
        return replaceRecoveryCodes(tx, seal, accountId);
      }),

    renewRecoveryCodes: (accountId: string): Promise<string[]> => run((tx) => replaceRecoveryCodes(tx, seal, accountId)),

    removeSecondFactor: (accountId: string): Promise<void> =>
      run(async (tx) => {
        await tx.deleteFrom('identity_second_factors').where('account_id', '=', accountId).execute();
        await tx.deleteFrom('identity_recovery_codes').where('account_id', '=', accountId).execute();
      }),
  };
}

export type Credentials = ReturnType<typeof createCredentials>;

async function replaceRecoveryCodes(tx: IdentityTx, seal: TextSeal, accountId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.deleteFrom('identity_recovery_codes').where('account_id', '=', accountId).execute();
  await tx
    .insertInto('identity_recovery_codes')
    .values(codes.map((code) => ({ account_id: accountId, hash: seal.hash(bareRecoveryCode(code)), used_at: null })))
    .execute();
  return codes;
}
