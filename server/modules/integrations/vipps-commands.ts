import type { Integration } from '@hatchway/contract/integrations.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem } from '../../http/problem.ts';
import type { Said } from '../../providers/vipps.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { lockIntegration, secretsOf, toIntegration } from './queries.ts';
import { vippsHook, vippsOf } from './vipps-queries.ts';

type Seen = { error: string | null; webhook?: { id: string; secret: string } };

/** How it went with the keys. What holds already is not written again: every payment asks. */
const note = async (tx: Tx, deps: Deps, scope: Scope, id: string, { error, webhook }: Seen): Promise<void> => {
  const row = await lockIntegration(tx, scope.tenantId, 'vipps', id);
  const state = error === null ? 'active' : 'failing';
  if (row.state === state && row.last_error === error && !webhook) return;
  const secrets = { ...secretsOf(deps.seal, row.secrets_sealed), ...(webhook ? { webhookSecret: webhook.secret } : {}) };
  await tx
    .updateTable('integrations')
    .set({
      state,
      last_error: error,
      ...(error === null ? { last_sync_at: scope.now } : {}),
      ...(webhook ? { webhook_id: webhook.id, secrets_sealed: deps.seal.close(JSON.stringify(secrets)) } : {}),
      updated_at: scope.now,
    })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .execute();
  await record(tx, scope, [], [{ kind: 'integrations', id, method: 'PUT' }]);
};

/** What an answer of the provider says of the keys: a refusal of one payment says nothing of them. */
export const noteAnswer = async (deps: Deps, tenantId: string, integrationId: string, said: Said<unknown>): Promise<void> => {
  if (said.kind === 'refused') return;
  const scope = systemScope(tenantId, deps.now().toISOString());
  await deps.db
    .tenant(tenantId, (tx) => note(tx, deps, scope, integrationId, { error: said.kind === 'ok' ? null : said.error }))
    .catch((error: unknown) => {
      // Disconnected meanwhile: there is nothing to note it on.
      if (!(error instanceof Problem && error.code === 'not-found')) throw error;
    });
};

/**
 * Asks the provider whether it takes the keys, and to tell us from now on. What is wrong stands in `lastError`, as a `KeyFault` where it
 * is a key. Throws `not-found`, also where it is another kind's.
 */
export const testVipps = async (deps: Deps, scope: Scope, id: string): Promise<Integration> => {
  const { tenantId } = scope;
  const vipps = await deps.db.tenant(tenantId, async (tx) => {
    await lockIntegration(tx, tenantId, 'vipps', id);
    return vippsOf(tx, deps, tenantId);
  });
  const seen = vipps === null ? { error: 'keys-missing' } : await tryKeys(deps, tenantId, vipps);
  return deps.db.tenant(tenantId, async (tx) => {
    await note(tx, deps, scope, id, seen);
    return toIntegration(deps.seal, await lockIntegration(tx, tenantId, 'vipps', id));
  });
};

const tryKeys = async (deps: Deps, tenantId: string, vipps: NonNullable<Awaited<ReturnType<typeof vippsOf>>>): Promise<Seen> => {
  const { provider, integrationId, webhookId } = vipps;
  const asked = await provider.test();
  if (asked.kind !== 'ok') return { error: asked.error };
  if (webhookId !== null) return { error: null };
  const made = await provider.register(vippsHook(deps, tenantId, integrationId));
  // Payments go without it: the provider is asked by the clock too.
  return made.kind === 'ok' ? { error: null, webhook: made.value } : { error: null };
};

/** Something signed came by its webhook. Once a minute is enough to know that it is alive. */
export const noteHeard = async (tx: Tx, scope: Scope, integrationId: string, heardAt: string | null): Promise<void> => {
  if (heardAt !== null && Date.parse(scope.now) - Date.parse(heardAt) < 60_000) return;
  await tx
    .updateTable('integrations')
    .set({ heard_at: scope.now })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', integrationId)
    .execute();
  await record(tx, scope, [], [{ kind: 'integrations', id: integrationId, method: 'PUT' }]);
};
