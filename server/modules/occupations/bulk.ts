import type { BulkAnswer, Occupation } from '@hatchway/contract/occupations.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { problemOf } from '../../http/errors.ts';
import { answerOnce, type Once } from '../../http/idempotency.ts';
import { statusOf } from '../../http/problem.ts';

/** So many at once: one person's long list must not take every connection. */
const AT_ONCE = 3;

/**
 * Each in a transaction of its own, so that one that is refused keeps no other from being done. Answers in the order of the ids; one that
 * stands there twice is done once. A defect is told as one, and logged.
 */
export const bulk = async (
  deps: Deps,
  tenantId: string,
  { ids, once }: { ids: readonly string[]; once: Once | null },
  act: (tx: Tx, id: string) => Promise<Occupation>,
): Promise<BulkAnswer[]> => {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  // Cut off in the middle and sent again, it does what is left: who was sent a message is sent no second one.
  const done = async (tx: Tx, id: string): Promise<Occupation> => {
    if (once === null) return act(tx, id);
    const own = { ...once, key: `${once.key} ${id}` };
    const answer = await answerOnce.within(tx, own, deps.now().toISOString(), async () => ({
      status: 200,
      headers: {},
      body: await act(tx, id),
    }));
    return answer.body as Occupation;
  };
  const answers = new Map<string, BulkAnswer>();
  const one = async (id: string): Promise<BulkAnswer> => {
    try {
      return { id, ok: true, occupation: await deps.db.tenant(tenantId, (tx) => done(tx, id)), problem: null };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'defect') deps.log.error({ err: error }, 'one of many met a defect');
      return { id, ok: false, occupation: null, problem: { code: problem.code, status: statusOf(problem.code), detail: problem.message } };
    }
  };
  // Three and then the next three, not as each comes free: each holds its caller's rights, and whoever takes those away comes in between.
  for (let at = 0; at < wanted.length; at += AT_ONCE)
    await Promise.all(wanted.slice(at, at + AT_ONCE).map(async (id) => answers.set(id, await one(id))));
  deps.outbox.wake();
  return wanted.flatMap((id) => answers.get(id) ?? []);
};
