import { randomBytes } from 'node:crypto';
import type { Integration } from '@hatchway/contract/integrations.ts';
import { DAY, later, MINUTE, SECOND } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../http/problem.ts';
import { TOPICS } from '../../providers/woo.ts';
import type { Said } from '../../providers/said.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';
import { hearOrders } from './order-commands.ts';
import { lockIntegration, toIntegration } from './queries.ts';
import { shopHook, shopOf, type OpenShop } from './shop-queries.ts';
import { noteState, type Seen } from './state-commands.ts';
import { sendBack } from './write-back-commands.ts';

/** So often a shop is asked what was changed, whatever its webhooks told. */
const EVERY = 5 * MINUTE;
/** What a shop was just writing is seen by whoever asks a little later, under a time from before. */
const OVERLAP = 2 * MINUTE;
/** Of a shop that was just connected: orders that were not touched for longer are picked by nobody. */
const FIRST = 30 * DAY;
/** A run ends before its job does; the rest is another one's. */
const AT_MOST_MS = 30_000;

export const shopSoon = (tx: Tx, deps: Deps, tenantId: string): Promise<void> =>
  deps.jobs.enqueue(tx, { name: 'shop', tenantId }, { key: tenantId });

/** A shop that was seen to work is asked when its time has come, also while it fails; and a minute after it could not be told something. */
export const askShop = (deps: Deps, { tenantId, now }: Scope): Promise<void> =>
  deps.db.tenant(tenantId, async (tx) => {
    const due = await tx
      .selectFrom('integrations')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('kind', '=', 'woo')
      .where('state', 'in', ['active', 'failing'])
      .where((eb) =>
        eb.or([
          eb('look_at', 'is', null),
          eb('look_at', '<=', now),
          eb.exists(
            eb
              .selectFrom('shop_operations as q')
              .select('q.id')
              .where('q.tenant_id', '=', tenantId)
              .where('q.state', 'in', ['wanted', 'sent', 'unknown'])
              .where('q.updated_at', '<=', later(now, -MINUTE)),
          ),
        ]),
      )
      .executeTakeFirst();
    if (due) await shopSoon(tx, deps, tenantId);
  });

type Begun = { open: OpenShop; since: string };
const begin = async (tx: Tx, deps: Deps, { tenantId, now }: Scope): Promise<Begun | null> => {
  const open = await shopOf(tx, deps, tenantId);
  if (open === null) return null;
  const row = await updateRow(tx, 'integrations', tenantId, open.integrationId)
    .set({ look_at: later(now, EVERY) })
    .returning('synced_until')
    .executeTakeFirst();
  return { open, since: row?.synced_until ?? later(now, -FIRST) };
};

const noteShop = (deps: Deps, scope: Scope, id: string, seen: Seen): Promise<void> =>
  deps.db
    .tenant(scope.tenantId, (tx) => noteState(tx, deps, scope, { kind: 'woo', id }, seen))
    .catch((error: unknown) => {
      // Disconnected meanwhile: there is nothing to note it on.
      if (!(error instanceof Problem && error.code === 'not-found')) throw error;
    });

/**
 * Sees to it that the shop tells us: it gives a webhook up after some failures, and whoever looks after the shop may delete one. The secret
 * is kept before anything is signed with it. Without webhooks the clock is enough, so what is refused here is no failure of the shop.
 */
const keepHooks = async (deps: Deps, scope: Scope, { open }: Begun): Promise<void> => {
  const { shop, integrationId, webhookIds } = open;
  const url = shopHook(deps, scope.tenantId, integrationId);
  const said = await shop.webhooks();
  if (said.kind !== 'ok') return;
  const ours = said.value.filter((hook) => hook.url === url);
  const isWhole = ours.length === TOPICS.length && ours.every(({ id, isActive }) => isActive && webhookIds.includes(id));
  if (isWhole && open.webhookSecret !== null) return;
  const secret = open.webhookSecret ?? randomBytes(32).toString('base64url');
  await noteShop(deps, scope, integrationId, { error: null, webhook: { id: null, secret } });
  for (const { id } of ours) await shop.unregister(id);
  const made: number[] = [];
  for (const topic of TOPICS) {
    const one = await shop.register(topic, url, secret);
    if (one.kind === 'ok') made.push(one.value);
  }
  await noteShop(deps, scope, integrationId, { error: null, webhook: { id: made.length > 0 ? made.join(' ') : null, secret } });
};

type Caught = { until: string; isWhole: boolean };
/**
 * Reads what was changed since, the oldest first. Each full page begins the next at its last change, and not at a page's number: what is
 * changed meanwhile moves to the end, and would move others out of sight. Only of one second that fills more than a page are pages counted.
 */
const catchUp = async (deps: Deps, scope: Scope, { open, since }: Begun): Promise<Said<Caught>> => {
  const until = performance.now() + AT_MOST_MS;
  let newest = since;
  // The deleted ones first: where time ends within the others, how far those are known is how far all are.
  for (const trash of [true, false]) {
    let after = later(since, -OVERLAP);
    let page = 1;
    for (;;) {
      const said = await open.shop.orders(after, page, trash);
      if (said.kind !== 'ok') return said;
      const { orders, isLast } = said.value;
      await deps.db.tenant(scope.tenantId, (tx) => hearOrders(tx, deps, scope, open.integrationId, orders, 'read'));
      const last = orders.at(-1)?.modifiedAt;
      if (last !== undefined && !trash && last > newest) newest = last;
      if (isLast) break;
      if (!trash && performance.now() > until) return { kind: 'ok', value: { until: newest, isWhole: false } };
      const next = last === undefined ? after : later(last, -SECOND);
      page = next > after ? 1 : page + 1;
      if (next > after) after = next;
    }
  }
  return { kind: 'ok', value: { until: newest, isWhole: true } };
};

/**
 * Tells the shop what it is to be told, and brings what is known of its orders up to now. No transaction is open while the shop is asked.
 * Run again, nothing is doubled; two at once may each register webhooks, which the next look puts right.
 */
export const syncShop = async (deps: Deps, tenantId: string): Promise<void> => {
  const scope = systemScope(tenantId, deps.now().toISOString());
  const begun = await deps.db.tenant(tenantId, (tx) => begin(tx, deps, scope));
  if (begun === null) return;
  const { integrationId } = begun.open;
  const told = await sendBack(deps, scope, begun.open.shop);
  const said = told.kind === 'away' || told.kind === 'keys' ? told : await catchUp(deps, scope, begun);
  if (said.kind === 'ok') {
    await noteShop(deps, scope, integrationId, { error: null, syncedUntil: said.value.until });
    if (!said.value.isWhole) await deps.db.tenant(tenantId, (tx) => shopSoon(tx, deps, tenantId));
    await keepHooks(deps, scope, begun);
  } else await noteShop(deps, scope, integrationId, { error: said.error });
  deps.outbox.wake();
};

/** Asks the shop whether it takes the keys, and then all that was changed. What is wrong stands in `lastError`. Throws `not-found`. */
export const testShop = async (deps: Deps, scope: Scope, id: string): Promise<Integration> => {
  const { tenantId } = scope;
  const open = await deps.db.tenant(tenantId, async (tx) => {
    await lockIntegration(tx, tenantId, 'woo', id);
    return shopOf(tx, deps, tenantId);
  });
  const said = open === null ? null : await open.shop.test();
  if (said?.kind === 'ok') await syncShop(deps, tenantId);
  else await noteShop(deps, scope, id, { error: said?.error ?? 'keys-missing' });
  return deps.db.tenant(tenantId, async (tx) => toIntegration(deps.seal, await lockIntegration(tx, tenantId, 'woo', id)));
};

/** Takes the webhooks back, as far as the shop answers. */
export const leaveShop = async (deps: Deps, open: OpenShop): Promise<void> => {
  for (const id of open.webhookIds) {
    const said = await open.shop.unregister(id);
    if (said.kind !== 'ok') deps.log.warn({ reason: said.error }, 'a webhook was not taken back');
  }
};
