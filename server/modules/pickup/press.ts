import { createHash } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { answerOnce, type Once } from '../../http/idempotency.ts';
import { Problem } from '../../http/problem.ts';
import { limited } from '../../http/rate-limit.ts';
import type { Visit } from './key.ts';

/** A finger presses so often in an hour and no more: a door and its staff are not for playing with. */
const PRESSES = 120;
/** A door has a handful of things to say of it, and each is a word to the staff: past twice as many they know. Also who holds an ended link may say them. */
const REPORTS = 10;
/** One address may be a whole phone network's or a building's, so it is given many doors' worth; trying one link after another is not. */
const FROM_ONE_ADDRESS = 3_000;
const HOUR_S = 3600;

/** Counts a press on one thing, and from one address. Throws Problem `too-many-requests`. */
export const countPress = (deps: Deps, bucket: string, { address, now }: Visit): Promise<unknown> =>
  deps.db.open(async (tx) => {
    await limited(tx, { bucket, most: PRESSES, seconds: HOUR_S }, now);
    await limited(tx, { bucket: `press-from:${address}`, most: FROM_ONE_ADDRESS, seconds: HOUR_S }, now);
  });

/** Counts what somebody reports of one use of a locker. Throws Problem `too-many-requests`. */
export const countReport = (deps: Deps, occupationId: string, now: string): Promise<unknown> =>
  deps.db.open((tx) => limited(tx, { bucket: `pickup-report:${occupationId}`, most: REPORTS, seconds: HOUR_S }, now));

export type Header = string | string[] | undefined;

/** The key that a press came under; null where it has none that could be one. */
export const keyOfPress = (header: Header): string | null => {
  const key = (typeof header === 'string' ? header : '').replace(/^"(.*)"$/, '$1');
  return /^[\x21-\x7e]{1,200}$/.test(key) ? key : null;
};

/** A press sent twice over a bad line is one press. The second waits for the first's answer instead of being refused. */
export const pressedOnce = async <T>(
  deps: Deps,
  visitor: { tenantId: string; name: string },
  press: { now: string; header: Header },
  what: string,
  act: () => Promise<T>,
): Promise<T> => {
  const key = keyOfPress(press.header);
  if (key === null) return act();
  const bodyHash = createHash('sha256').update(what).digest();
  const { tenantId, name: caller } = visitor;
  const once: Once = { tenantId, caller, method: 'POST', path: '/v1/pickup', key, bodyHash, secret: false };
  for (let wait = 0; ; wait++) {
    try {
      const answer = await answerOnce.outside(deps, tenantId, once, press.now, async () => ({
        status: 200,
        headers: {},
        body: await act(),
      }));
      return answer.body as T;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'still-running' || wait === 40) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
};
