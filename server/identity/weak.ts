import { endSessions } from './sessions.ts';
import type { InIdentity } from './tables.ts';

/** Demo people may lie in a database that production is started on: their passwords work there no more, and nor do sign-ins from before. */
export function endWeakSessions(run: InIdentity, now: Date): Promise<void> {
  return run(async (tx) => {
    const weak = await tx
      .selectFrom('identity_sessions as s')
      .innerJoin('identity_passwords as p', 'p.account_id', 's.account_id')
      .select('s.account_id')
      .distinct()
      .where('p.weak', '=', true)
      .execute();
    for (const { account_id } of weak) await endSessions(tx, now, account_id);
  });
}
