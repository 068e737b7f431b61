import type { IntegrationKind } from '@hatchway/domain/integration.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { updateRow } from '../../rows.ts';
import { lockIntegration, secretsOf } from './queries.ts';

type Which = { kind: IntegrationKind; id: string };
export type Seen = {
  error: string | null;
  /** `id` null: none is registered yet that signs with it. */
  webhook?: { id: string | null; secret: string };
  /** The time of change up to which all of the other side is known now. */
  syncedUntil?: string | null;
  /** It answered just now, whatever held before. */
  isHeard?: boolean;
};

/** How it went with the keys. What holds already is not written again: every call asks. */
export const noteState = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  { kind, id }: Which,
  { error, webhook, syncedUntil, isHeard }: Seen,
): Promise<void> => {
  const row = await lockIntegration(tx, scope.tenantId, kind, id);
  const state = error === null ? 'active' : 'failing';
  const holds = row.state === state && row.last_error === error && !webhook;
  if (holds && syncedUntil === undefined && isHeard !== true) return;
  const secrets = { ...secretsOf(deps.seal, row.secrets_sealed), ...(webhook ? { webhookSecret: webhook.secret } : {}) };
  await updateRow(tx, 'integrations', scope.tenantId, id)
    .set({
      state,
      last_error: error,
      ...(error === null ? { last_sync_at: scope.now } : {}),
      ...(syncedUntil === undefined ? {} : { synced_until: syncedUntil }),
      ...(webhook ? { webhook_id: webhook.id, secrets_sealed: deps.seal.close(JSON.stringify(secrets)) } : {}),
      // Since when it works, or fails.
      ...(holds ? {} : { updated_at: scope.now }),
    })
    .execute();
  await record(tx, scope, [], [{ kind: 'integrations', id, method: 'PUT' }]);
};

/** Something signed came by its webhook. Once a minute is enough to know that it is alive. */
export const noteHeard = async (tx: Tx, scope: Scope, integrationId: string, heardAt: string | null): Promise<void> => {
  if (heardAt !== null && Date.parse(scope.now) - Date.parse(heardAt) < 60_000) return;
  await updateRow(tx, 'integrations', scope.tenantId, integrationId).set({ heard_at: scope.now }).execute();
  await record(tx, scope, [], [{ kind: 'integrations', id: integrationId, method: 'PUT' }]);
};
