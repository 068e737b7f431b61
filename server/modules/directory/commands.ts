import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { holdMembers } from '../../held.ts';
import { systemScope, type Scope } from '../../scope.ts';
import type { Run } from './run.ts';
import { isDue, settleSome } from './settle-commands.ts';

export type { Run };

/** A run ends before its job does; the rest is another one's. */
const AT_MOST_MS = 20_000;

export const directorySoon = (tx: Tx, deps: Deps, tenantId: string): Promise<void> =>
  deps.jobs.enqueue(tx, { name: 'directory', tenantId }, { key: tenantId });

/**
 * The one way to change what is known of a directory: what it said is written by `act`, and what follows for its people here is done in the
 * same transaction, or, where they are many, at once after it by a job. Members change one call at a time in a company.
 */
export const inDirectory = async <T>(deps: Deps, scope: Scope, act: (run: Run) => Promise<T>): Promise<T> => {
  const out = new Set<string>();
  const result = await deps.db.tenant(scope.tenantId, async (tx) => {
    out.clear(); // a retried transaction starts over
    await holdMembers(tx, scope.tenantId);
    const run = { tx, deps, scope, out };
    const done = await act(run);
    await settleSome(run);
    if (await isDue(tx, scope.tenantId)) await directorySoon(tx, deps, scope.tenantId);
    return done;
  });
  deps.outbox.wake();
  for (const accountId of out)
    await deps.identity
      .endSignIns(accountId, scope.tenantId)
      .catch((error: unknown) => deps.log.error({ err: error }, 'sign-ins could not be ended'));
  return result;
};

/** Until nobody is left who is to be looked at. Cut off anywhere, the next run goes on. */
export const settleDue = async (deps: Deps, tenantId: string): Promise<void> => {
  const until = performance.now() + AT_MOST_MS;
  const scope = systemScope(tenantId, deps.now().toISOString());
  while (performance.now() < until && (await deps.db.tenant(tenantId, (tx) => isDue(tx, tenantId))))
    await inDirectory(deps, scope, () => Promise.resolve());
};

/** For the sweep: whoever could not go while nobody else ran the company, or had somebody else's or an administrator's address, is looked at again. */
export const settleLeft = async (deps: Deps, tenantId: string): Promise<void> => {
  await deps.db.tenant(tenantId, (tx) =>
    tx
      .updateTable('directory_people')
      .set({ due: true })
      .where('tenant_id', '=', tenantId)
      .where('problem', 'in', ['last-admin', 'address-taken', 'administrator'])
      .execute(),
  );
  await settleDue(deps, tenantId);
};
