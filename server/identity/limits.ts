import crypto from 'node:crypto';
import type { IdentityTx, InIdentity } from './tables.ts';

/** Attempts in a window of time, counted in the database so that every node counts the same. */
export type Limit = { name: string; most: number; minutes: number };

export const LIMITS = {
  signInAccount: { name: 'sign-in:account', most: 5, minutes: 15 },
  signInAddress: { name: 'sign-in:address', most: 50, minutes: 15 },
  secondFactor: { name: 'second-factor', most: 5, minutes: 15 },
  resetAccount: { name: 'reset:account', most: 3, minutes: 60 },
  resetAddress: { name: 'reset:address', most: 20, minutes: 60 },
  /** Links that lead nowhere: nobody finds one by trying, but trying costs. */
  linkMiss: { name: 'link-miss', most: 60, minutes: 10 },
} as const satisfies Record<string, Limit>;

/** Names and addresses are hashed: the table says how often, not who. */
const bucketOf = (limit: Limit, who: string) => `identity:${limit.name}:${crypto.createHash('sha256').update(who).digest('base64url')}`;

const windowOf = (limit: Limit, now: Date) => {
  const length = limit.minutes * 60_000;
  const start = Math.floor(now.getTime() / length) * length;
  return { started: new Date(start), ends: new Date(start + length) };
};

/**
 * Counts one attempt for each of the given, before it is made, so that attempts sent at the same moment count too.
 * Gives the minutes to wait when any of them is past its limit, else null.
 */
export function countAttempt(run: InIdentity, now: Date, attempts: [Limit, string][]): Promise<number | null> {
  return run(async (tx) => {
    let wait: number | null = null;
    for (const [limit, who] of attempts) {
      const { started, ends } = windowOf(limit, now);
      const row = await tx
        .insertInto('rate_limits')
        .values({ bucket: bucketOf(limit, who), started_at: started.toISOString(), expires_at: ends.toISOString(), count: 1 })
        .onConflict((oc) => oc.columns(['bucket', 'started_at']).doUpdateSet((eb) => ({ count: eb('rate_limits.count', '+', 1) })))
        .returning('count')
        .executeTakeFirstOrThrow();
      if (row.count > limit.most) wait = Math.max(wait ?? 1, Math.ceil((ends.getTime() - now.getTime()) / 60_000));
    }
    return wait;
  });
}

/** Takes a counted attempt back: a whole shop signs in from one address, and only what went wrong counts against it. */
export async function returnAttempt(tx: IdentityTx, now: Date, limit: Limit, who: string): Promise<void> {
  await tx
    .updateTable('rate_limits')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('bucket', '=', bucketOf(limit, who))
    .where('started_at', '=', windowOf(limit, now).started.toISOString())
    .where('count', '>', 0)
    .execute();
}

/** Whoever succeeds begins anew: the limit is against guessing, not against working. */
export async function forgetAttempts(tx: IdentityTx, limit: Limit, who: string): Promise<void> {
  await tx.deleteFrom('rate_limits').where('bucket', '=', bucketOf(limit, who)).execute();
}
