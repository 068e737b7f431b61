import type { Deps } from '../deps.ts';
import { alertPlaces } from '../modules/cabinets/alert-commands.ts';
import { forgetPairing } from '../modules/cabinets/pairing-commands.ts';
import { goOnDeleting, isBeingDeleted } from '../modules/companies/commands.ts';
import { takeUpLeft } from '../modules/messages/left-commands.ts';
import { archive, forgetVisitors, retained, retainedUntil } from '../modules/occupations/archive.ts';
import { lookNow, ranOut } from '../modules/occupations/clock.ts';
import { late, remindAndMark } from '../modules/occupations/overdue.ts';
import { forgetSecrets } from '../modules/occupations/secret-commands.ts';
import { endHold } from '../modules/payments/commands.ts';
import { paymentsOver } from '../modules/payments/queries.ts';
import { sweepDeliveries } from '../modules/webhooks/sweep-commands.ts';
import { systemScope, type Scope } from '../scope.ts';

/** As many at a time as a minute easily holds; the rest is the next minute's, and of what is late the next turn's, which follows at once. */
const BATCH = 500;
/** Deleting a large company takes that long of a minute, and the other companies get the rest. */
const DELETING_MS = 20_000;

/**
 * What time alone brings about, for one company: lateness is marked, reservations that ran out end, reminders go out (none while it is
 * suspended), messages that were left lying are taken up, old records lose their personal data, spent keys, codes and counts are dropped.
 * Each row is a transaction of its own: cut off anywhere, the next round goes on. Of one whose deletion was cut off, the rest is deleted.
 */
export const sweep = async (deps: Deps, tenantId: string): Promise<void> => {
  if (await deps.db.tenant(tenantId, (tx) => isBeingDeleted(tx, tenantId))) {
    const until = performance.now() + DELETING_MS;
    return goOnDeleting(deps, tenantId, { enough: () => performance.now() > until });
  }
  const scope = systemScope(tenantId, deps.now().toISOString());
  const parts: (() => Promise<unknown>)[] = [
    async () => each(deps, await ranOut(deps, scope, BATCH), (id) => lookNow(deps, tenantId, id, 'expire-reservation')),
    () => markLate(deps, scope),
    () => alertPlaces(deps, scope),
    async () => {
      const before = await retainedUntil(deps, scope);
      await each(deps, await retained(deps, scope, before, BATCH), (id) => archive(deps, scope, id));
      await forgetVisitors(deps, scope, before);
    },
    async () => each(deps, await paymentsOver(deps, scope, BATCH), (id) => endHold(deps, tenantId, id)),
    () => takeUpLeft(deps, scope),
    () => forgetPairing(deps, scope),
    () => forgetSecrets(deps, scope),
    () => forgetSpent(deps, scope),
    () => sweepDeliveries(deps, scope),
  ];
  // One part that fails must not keep the others waiting; it has its next turn in a minute.
  for (const part of parts) await part().catch((error: unknown) => deps.log.error({ err: error }, 'a part of the sweep failed'));
  deps.outbox.wake();
};

/** A whole company's day may run out in the same minute. Another turn follows only where this one changed something, so that it comes to an end. */
const markLate = async (deps: Deps, scope: Scope): Promise<void> => {
  const { tenantId } = scope;
  const found = await late(deps, scope, BATCH);
  let changed = 0;
  await each(deps, found, async (id) => void (changed += Number(await remindAndMark(deps, scope, id))));
  if (found.length < BATCH || changed === 0) return;
  await deps.db.tenant(tenantId, (tx) => deps.jobs.enqueue(tx, { name: 'sweep', tenantId }, { key: tenantId }));
};

/** One row that cannot be dealt with must not keep the others waiting. */
const each = async (deps: Deps, rows: readonly string[], act: (id: string) => Promise<void>): Promise<void> => {
  for (const id of rows) await act(id).catch((error: unknown) => deps.log.error({ err: error, id }, 'the sweep met an error'));
};

const forgetSpent = async (deps: Deps, { tenantId, now }: Scope) => {
  await deps.db.tenant(tenantId, (tx) =>
    tx.deleteFrom('idempotency').where('tenant_id', '=', tenantId).where('expires_at', '<=', now).execute(),
  );
  await deps.db.open((tx) => tx.deleteFrom('rate_limits').where('expires_at', '<=', now).execute());
};
