import { count, forget, giveBack, secondsLeft } from '../http/rate-limit.ts';
import type { IdentityTx, InIdentity } from './tables.ts';

/** Attempts in a window of time. */
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

const limitOf = ({ name, most, minutes }: Limit, who: string) => ({ bucket: `identity:${name}:${who}`, most, seconds: minutes * 60 });

/**
 * Counts one attempt for each of the given in their order, before it is made, so that attempts sent at the same moment count too.
 * Past one limit it is none at the next: who is refused already uses up nothing of others'. Gives the minutes to wait then, else null.
 */
export function countAttempt(run: InIdentity, now: Date, attempts: [Limit, string][]): Promise<number | null> {
  const at = now.toISOString();
  return run(async (tx) => {
    for (const attempt of attempts) {
      const limit = limitOf(...attempt);
      if ((await count(tx, limit, at)) < 0) return Math.max(1, Math.ceil(secondsLeft(limit, at) / 60));
    }
    return null;
  });
}

/** Takes a counted attempt back: a whole shop signs in from one address, and only what went wrong counts against it. */
export const returnAttempt = (tx: IdentityTx, now: Date, limit: Limit, who: string): Promise<void> =>
  giveBack(tx, limitOf(limit, who), now.toISOString());

/** Whoever succeeds begins anew: the limit is against guessing, not against working. */
export const forgetAttempts = (tx: IdentityTx, limit: Limit, who: string): Promise<void> => forget(tx, limitOf(limit, who));
