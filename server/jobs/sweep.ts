import type { Deps } from '../deps.ts';
import { alertPlaces } from '../modules/cabinets/alert-commands.ts';
import { forgetPairing } from '../modules/cabinets/pairing-commands.ts';
import { goOnDeleting, isBeingDeleted } from '../modules/companies/commands.ts';
import { settleLeft } from '../modules/directory/commands.ts';
import { askEntra } from '../modules/directory/entra-sync.ts';
import { askShop } from '../modules/integrations/shop-commands.ts';
import { forgetOrders } from '../modules/integrations/order-commands.ts';
import { forgetTools } from '../modules/integrations/tool-asset-commands.ts';
import { askTools } from '../modules/integrations/tool-commands.ts';
import { takeUpLeft } from '../modules/messages/left-commands.ts';
import { archive, forgetVisitors, retained, retainedUntil } from '../modules/occupations/archive.ts';
import { leftAlone, lookNow, LOOKS, ranOut } from '../modules/occupations/clock.ts';
import { late, remindAndMark } from '../modules/occupations/overdue.ts';
import { forgetSecrets } from '../modules/occupations/secret-commands.ts';
import { endHold } from '../modules/payments/commands.ts';
import { askLeft, noteNearEnd } from '../modules/payments/provider-commands.ts';
import { nearingEnd, paymentsOver } from '../modules/payments/queries.ts';
import { sweepDeliveries } from '../modules/webhooks/sweep-commands.ts';
import { endAlerts } from '../modules/companies/alert-commands.ts';
import { switchOffExpired } from '../modules/webhooks/switch-off-commands.ts';
import { systemScope, type Scope } from '../scope.ts';

/** As many at a time as a minute easily holds; the rest is the next turn's, which follows at once, with the other companies' in between. */
const BATCH = 500;
/** Deleting a large company takes that long of a minute, and the other companies get the rest. */
const DELETING_MS = 20_000;

/**
 * What time alone brings about, for one company: lateness is marked, reservations that ran out end, doors that nobody looked at again are
 * looked at, reminders go out (none while it is suspended), shops, asset tools and directories are asked, messages that were left lying are taken up, old records lose their personal
 * data, what a payment provider soon gives back is told, webhooks of keys that expired are switched off, spent keys, codes and counts are dropped.
 * Each row is a transaction of its own: cut off anywhere, the next round goes on. Of one whose deletion was cut off, the rest is deleted.
 * Says whether more than one turn's was found, and another turn asked for.
 */
export const sweep = async (deps: Deps, tenantId: string, batch = BATCH): Promise<boolean> => {
  if (await deps.db.tenant(tenantId, (tx) => isBeingDeleted(tx, tenantId))) {
    const until = performance.now() + DELETING_MS;
    await goOnDeleting(deps, tenantId, { enough: () => performance.now() > until });
    return false;
  }
  const scope = systemScope(tenantId, deps.now().toISOString());
  let more = false;
  /** A whole company's day may run out in the same minute. Another turn follows only where this one changed something, so that it comes to an end. */
  const turn = async (found: readonly string[], act: (id: string) => Promise<boolean>): Promise<void> => {
    const changed = await each(deps, found, act);
    more ||= found.length >= batch && changed > 0;
  };
  const parts: (() => Promise<unknown>)[] = [
    async () => turn(await ranOut(deps, scope, batch), (id) => lookNow(deps, tenantId, id, 'expire-reservation')),
    ...LOOKS.map((command) => async () => turn(await leftAlone(deps, scope, command, batch), (id) => lookNow(deps, tenantId, id, command))),
    async () => turn(await late(deps, scope, batch), (id) => remindAndMark(deps, scope, id)),
    () => alertPlaces(deps, scope),
    async () => {
      const before = await retainedUntil(deps, scope);
      await turn(await retained(deps, scope, before, batch), (id) => archive(deps, scope, id));
      await forgetVisitors(deps, scope, before);
    },
    async () => turn(await paymentsOver(deps, scope, batch), (id) => endHold(deps, tenantId, id)),
    async () => askLeft(deps, scope, batch),
    async () => turn(await nearingEnd(deps, scope, batch), (id) => noteNearEnd(deps, scope, id)),
    () => askShop(deps, scope),
    () => askEntra(deps, scope),
    () => settleLeft(deps, tenantId),
    async () => forgetOrders(deps, scope, await retainedUntil(deps, scope)),
    () => askTools(deps, scope),
    async () => {
      const before = await retainedUntil(deps, scope);
      await deps.db.tenant(tenantId, (tx) => forgetTools(tx, scope, before));
    },
    () => takeUpLeft(deps, scope),
    () => forgetPairing(deps, scope),
    () => forgetSecrets(deps, scope),
    () => forgetSpent(deps, scope),
    () => deps.db.tenant(tenantId, (tx) => switchOffExpired(tx, deps, scope)),
    () => deps.db.tenant(tenantId, (tx) => endAlerts(tx, deps, scope)),
    async () => sweepDeliveries(deps, scope, await retainedUntil(deps, scope)),
  ];
  // One part that fails must not keep the others waiting; it has its next turn in a minute.
  for (const part of parts) await part().catch((error: unknown) => deps.log.error({ err: error }, 'a part of the sweep failed'));
  if (more) await deps.db.tenant(tenantId, (tx) => deps.jobs.enqueue(tx, { name: 'sweep', tenantId }, { key: tenantId }));
  deps.outbox.wake();
  return more;
};

/** One row that cannot be dealt with must not keep the others waiting. Answers how many were changed. */
const each = async (deps: Deps, rows: readonly string[], act: (id: string) => Promise<boolean>): Promise<number> => {
  let changed = 0;
  for (const id of rows) {
    const done = await act(id).catch((error: unknown) => deps.log.error({ err: error, id }, 'the sweep met an error'));
    changed += Number(done === true);
  }
  return changed;
};

const forgetSpent = async (deps: Deps, { tenantId, now }: Scope) => {
  await deps.db.tenant(tenantId, (tx) =>
    tx.deleteFrom('idempotency').where('tenant_id', '=', tenantId).where('expires_at', '<=', now).execute(),
  );
  await deps.db.open((tx) => tx.deleteFrom('rate_limits').where('expires_at', '<=', now).execute());
};
