import type { Integration } from '@hatchway/contract/integrations.ts';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../http/problem.ts';
import type { Said } from '../../providers/said.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { lockIntegration, toIntegration } from './queries.ts';
import { noteState, type Seen } from './state-commands.ts';
import { vippsHook, vippsOf } from './vipps-queries.ts';

/** What an answer of the provider says of the keys: a refusal of one payment says nothing of them. */
export const noteAnswer = async (deps: Deps, tenantId: string, integrationId: string, said: Said<unknown>): Promise<void> => {
  if (said.kind === 'refused') return;
  const scope = systemScope(tenantId, deps.now().toISOString());
  await deps.db
    .tenant(tenantId, (tx) =>
      noteState(tx, deps, scope, { kind: 'vipps', id: integrationId }, { error: said.kind === 'ok' ? null : said.error }),
    )
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
    await noteState(tx, deps, scope, { kind: 'vipps', id }, seen);
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
