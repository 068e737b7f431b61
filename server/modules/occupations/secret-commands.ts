import { randomInt } from 'node:crypto';
import { sql, type ExpressionBuilder } from 'kysely';
import { PICKUP_CODE_DIGITS } from '@hatchway/domain/codes.ts';
import type { Tx } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import type { Scope } from '../../scope.ts';
import { hashCode, hashToken, newToken } from '../../tokens.ts';

/** A code that no living occupation of the company has. The lock keeps two transactions from taking the same one at once. */
const freeCode = async (tx: Tx, deps: Deps, tenantId: string): Promise<{ code: string; hash: Buffer } | null> => {
  for (let attempt = 0; attempt < 60; attempt++) {
    const code = String(randomInt(10 ** PICKUP_CODE_DIGITS)).padStart(PICKUP_CODE_DIGITS, '0');
    const hash = hashCode(deps, tenantId, code);
    const locked = await sql<{
      got: boolean;
    }>`select pg_try_advisory_xact_lock(${hash.readBigInt64BE(0).toString()}::bigint) as got`.execute(tx);
    if (!locked.rows[0]?.got) continue;
    const taken = await tx
      .selectFrom('occupations')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('code_hash', '=', hash)
      .executeTakeFirst();
    if (!taken) return { code, hash };
  }
  // So many living codes are beyond any company's lockers; the link alone still works.
  return null;
};

/** A new link and code. What there was before opens nothing any more. */
export const giveSecrets = async (tx: Tx, deps: Deps, tenantId: string, id: string): Promise<void> => {
  const token = newToken(tenantId);
  const code = await freeCode(tx, deps, tenantId);
  await tx
    .updateTable('occupations')
    .set({
      token_sealed: deps.seal.close(token),
      token_hash: hashToken(deps, token),
      // Nothing has ended for whoever had the link before a correction: of it nothing is said.
      ended_token_hash: null,
      code_sealed: code === null ? null : deps.seal.close(code.code),
      code_hash: code?.hash ?? null,
      secrets_until: null,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
};

/** What is left of a link that is over: enough to tell its holder so. */
const ended = (eb: ExpressionBuilder<Database, 'occupations'>) => ({
  ended_token_hash: eb.fn.coalesce('token_hash', 'ended_token_hash'),
  token_sealed: null,
  token_hash: null,
  code_sealed: null,
  code_hash: null,
  secrets_until: null,
});

/** They die at that time, or sooner where that was said before; what is over already is forgotten at once. */
export const endSecrets = async (tx: Tx, tenantId: string, id: string, at: string, now: string): Promise<void> => {
  await tx
    .updateTable('occupations')
    .set((eb) => (Date.parse(at) <= Date.parse(now) ? ended(eb) : { secrets_until: sql<string>`least(secrets_until, ${at}::timestamptz)` }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute();
};

/** Links and codes whose last minutes are over: the codes are free for others then. */
export const forgetSecrets = (deps: Deps, { tenantId, now }: Scope) =>
  deps.db.tenant(tenantId, (tx) =>
    tx.updateTable('occupations').set(ended).where('tenant_id', '=', tenantId).where('secrets_until', '<=', now).execute(),
  );
