import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Webhook } from '@hatchway/contract/webhooks.ts';
import type { DeliveryError } from '@hatchway/domain/webhook.ts';
import type { Tx } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { tellWebhookOff } from '../messages/admin-mail-commands.ts';

type Which = (webhooks: ExpressionBuilder<Database, 'webhooks'>) => Expression<SqlBool>;

/** Switches off those of them that are on. What still waited is kept with what happens meanwhile; a test, and what is sent once more, go nowhere. */
export const switchOff = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  which: Which,
  reason: NonNullable<Webhook['disabledReason']>,
): Promise<void> => {
  const off = await tx
    .updateTable('webhooks')
    .set((eb) => ({ active: false, disabled_reason: reason, updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('active', '=', true)
    .where(which)
    .returning(['id', 'url', 'version'])
    .execute();
  for (const { id, url, version } of off) {
    const waiting = () =>
      tx
        .updateTable('webhook_deliveries')
        .where('tenant_id', '=', scope.tenantId)
        .where('webhook_id', '=', id)
        .where('state', '=', 'queued');
    await waiting()
      .set({ state: 'missed', next_at: null, updated_at: scope.now })
      .where('event_id', 'is not', null)
      .where('replay_of', 'is', null)
      .execute();
    await waiting()
      .set({ state: 'failed', error: 'switched-off' satisfies DeliveryError, next_at: null, updated_at: scope.now })
      .execute();
    await record(tx, scope, [], [{ kind: 'webhooks', id, method: 'PUT' }]);
    await tellWebhookOff(tx, deps, { tenantId: scope.tenantId, webhookId: id, version, url, reason }, scope.now);
  }
};

/** Those that this person answers for, or a key that they made: whom they tell everything is no longer theirs to say. */
export const switchOffPersons = (tx: Tx, deps: Deps, scope: Scope, accountId: string): Promise<void> => {
  const theirs: Which = (eb) =>
    eb.or([
      eb('created_by', '=', accountId),
      eb(
        'created_by',
        'in',
        eb.selectFrom('api_keys as k').select('k.id').where('k.tenant_id', '=', scope.tenantId).where('k.created_by', '=', accountId),
      ),
    ]);
  return switchOff(tx, deps, scope, theirs, 'maker');
};

/** Those of keys whose time has passed: the secret opens nothing any more, and the address that it named hears nothing more. */
export const switchOffExpired = (tx: Tx, deps: Deps, scope: Scope): Promise<void> => switchOff(tx, deps, scope, isExpired(scope), 'maker');

export const isExpired =
  ({ tenantId, now }: Pick<Scope, 'tenantId' | 'now'>) =>
  (eb: ExpressionBuilder<Database, 'webhooks'>) =>
    eb.exists(
      eb
        .selectFrom('api_keys as k')
        .select('k.id')
        .where('k.tenant_id', '=', tenantId)
        .whereRef('k.id', '=', 'webhooks.created_by')
        .where('k.expires_at', '<=', now),
    );

/** Those that this key made, which is revoked. */
export const switchOffKeys = (tx: Tx, deps: Deps, scope: Scope, keyId: string): Promise<void> =>
  switchOff(tx, deps, scope, (eb) => eb('created_by', '=', keyId), 'maker');
