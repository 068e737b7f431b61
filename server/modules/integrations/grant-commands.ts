import { later, MINUTE } from '@hatchway/domain/deadlines.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { Problem, ruled } from '../../http/problem.ts';
import { limited } from '../../http/rate-limit.ts';
import { approvalAddress, openShop, readGranted, type ShopKeys } from '../../providers/woo.ts';
import { systemScope, type Scope } from '../../scope.ts';
import { changeRow, updateRow } from '../../rows.ts';
import { hashToken, newToken, tenantOfToken } from '../../tokens.ts';
import { integrationOf, lockIntegration, secretsOf } from './queries.ts';
import { shopSoon } from './shop-commands.ts';
import { keysHook } from './shop-queries.ts';
import { noteState } from './state-commands.ts';

/** As long as an owner takes to sign in and read. */
const HOLDS = 10 * MINUTE;
/** Nobody finds a grant by trying, but trying costs. */
const MISSES = { most: 60, seconds: 600 };

const urlOf = (settings: Readonly<Record<string, unknown>>): string | null =>
  typeof settings['url'] === 'string' ? settings['url'] : null;

/** Where the shop's owner lets us in, once. Another one takes the place of what was asked before. Throws `not-connected` without a shop's address. */
export const askOwner = async (tx: Tx, deps: Deps, { tenantId, now }: Scope): Promise<string> => {
  const row = await integrationOf(tx, tenantId, 'woo');
  const url = row ? urlOf(row.settings) : null;
  if (!row || url === null) throw new Problem('not-connected', 'No shop’s address is set up');
  const token = newToken(tenantId);
  await updateRow(tx, 'integrations', tenantId, row.id)
    .set({ grant_hash: hashToken(deps, token), grant_until: later(now, HOLDS) })
    .execute();
  const returnUrl = `${deps.config.publicUrl}/portal/admin?section=integrations`;
  return approvalAddress(url, { userId: token, returnUrl, callbackUrl: keysHook(deps) });
};

type Grant = { id: string; url: string };
/** Uses it up, whatever comes of it. Null: there is none, or its time is over. */
const useGrant = async (tx: Tx, deps: Deps, tenantId: string, token: string, now: string): Promise<Grant | null> => {
  const row = await tx
    .updateTable('integrations')
    .set({ grant_hash: null, grant_until: null })
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'woo')
    .where('grant_hash', '=', hashToken(deps, token))
    .where('grant_until', '>', now)
    .returning(['id', 'settings'])
    .executeTakeFirst();
  const url = row ? urlOf(row.settings) : null;
  return row && url !== null ? { id: row.id, url } : null;
};

const keep = async (tx: Tx, deps: Deps, scope: Scope, { id, url }: Grant, keys: ShopKeys): Promise<void> => {
  const row = await lockIntegration(tx, scope.tenantId, 'woo', id);
  if (urlOf(row.settings) !== url) throw new Problem('stale', 'The company has named another shop meanwhile');
  await changeRow(tx, 'integrations', scope, id, {
    secrets_sealed: deps.seal.close(JSON.stringify({ ...secretsOf(deps.seal, row.secrets_sealed), ...keys })),
    state: 'active',
    last_error: null,
  }).execute();
  await record(tx, scope, [], [{ kind: 'integrations', id, method: 'PUT' }]);
  await shopSoon(tx, deps, scope.tenantId);
};

/**
 * Takes the keys that a shop posts after its owner approved. Anybody may post here: the grant says for whom, and the very shop that the
 * company named says that the keys are its own, before they are kept. Throws for all else, and the shop deletes its key then.
 */
export const takeKeys = async (deps: Deps, body: Buffer, address: string): Promise<void> => {
  const now = deps.now().toISOString();
  const told = readGranted(body);
  const tenantId = told === null ? null : tenantOfToken(told.userId);
  const grant =
    told === null || tenantId === null ? null : await deps.db.tenant(tenantId, (tx) => useGrant(tx, deps, tenantId, told.userId, now));
  if (told === null || tenantId === null || grant === null) {
    await deps.db.open((tx) => limited(tx, { bucket: `shop-keys-miss:${address}`, ...MISSES }, now));
    throw new Problem('not-found');
  }
  if (!told.isReadWrite) throw ruled('Keys that may read and write are needed', '/key_permissions');
  const scope = systemScope(tenantId, now);
  const said = await openShop(deps.outside, grant.url, told.keys).test();
  if (said.kind !== 'ok') {
    await deps.db.tenant(tenantId, (tx) => noteState(tx, deps, scope, { kind: 'woo', id: grant.id }, { error: said.error }));
    deps.outbox.wake();
    throw ruled('The shop that was named does not take these keys', '/consumer_key');
  }
  await deps.db.tenant(tenantId, (tx) => keep(tx, deps, scope, grant, told.keys));
  deps.outbox.wake();
};
