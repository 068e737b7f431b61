import crypto from 'node:crypto';
import type { IdentityTx, InIdentity } from './tables.ts';

/** Attempts in a window of time, counted in the database so that every node counts the same. */
export type Limit = { name: string; most: number; minutes: number };

export const LIMITS = {
  /** `one`: a name from one network, or from one known device. `network`: that network, whatever the name. `strangers`: the name, from all networks. */
  signIn: {
    one: { name: 'sign-in', most: 5, minutes: 15 },
    network: { name: 'sign-in:network', most: 50, minutes: 15 },
    strangers: { name: 'sign-in:strangers', most: 30, minutes: 60 },
  },
  reset: {
    one: { name: 'reset', most: 3, minutes: 60 },
    network: { name: 'reset:network', most: 20, minutes: 60 },
    strangers: { name: 'reset:strangers', most: 6, minutes: 60 },
  },
  /** The password of somebody who is signed in, typed once more. */
  ownPassword: { name: 'own-password', most: 5, minutes: 15 },
  secondFactor: { name: 'second-factor', most: 5, minutes: 15 },
  /** Links that lead nowhere: nobody finds one by trying, but trying costs. */
  linkMiss: { name: 'link-miss', most: 60, minutes: 10 },
} as const satisfies Record<string, Limit | Record<string, Limit>>;

/** Names and addresses are hashed: the table says how often, not who. */
const bucketOf = (limit: Limit, who: string) => `identity:${limit.name}:${crypto.createHash('sha256').update(who).digest('base64url')}`;

const windowOf = (limit: Limit, now: Date) => {
  const length = limit.minutes * 60_000;
  const start = Math.floor(now.getTime() / length) * length;
  return { started: new Date(start), ends: new Date(start + length) };
};

/**
 * Counts one attempt for each of the given in their order, before it is made, so that attempts sent at the same moment count too.
 * Past one limit it is none at the next: who is refused already uses up nothing of others'. Gives the minutes to wait then, else null.
 */
export function countAttempt(run: InIdentity, now: Date, attempts: [Limit, string][]): Promise<number | null> {
  return run(async (tx) => {
    for (const [limit, who] of attempts) {
      const { started, ends } = windowOf(limit, now);
      const row = await tx
        .insertInto('rate_limits')
        .values({ bucket: bucketOf(limit, who), started_at: started.toISOString(), expires_at: ends.toISOString(), count: 1 })
        .onConflict((oc) => oc.columns(['bucket', 'started_at']).doUpdateSet((eb) => ({ count: eb('rate_limits.count', '+', 1) })))
        .returning('count')
        .executeTakeFirstOrThrow();
      if (row.count > limit.most) return Math.max(1, Math.ceil((ends.getTime() - now.getTime()) / 60_000));
    }
    return null;
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
