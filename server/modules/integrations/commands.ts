import { SETUP, type Integration } from '@hatchway/contract/integrations.ts';
import {
  INTEGRATIONS,
  isElsewhere,
  isIntegrationKind,
  isOtherMerchant,
  isToolKind,
  type IntegrationKind,
} from '@hatchway/domain/integration.ts';
import type { Tx } from '../../db/database.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record, type Change } from '../../events/record.ts';
import { check } from '../../http/check.ts';
import { absent, mustBeSeen, Problem, ruled } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow } from '../../rows.ts';
import type { Seal } from '../../seal.ts';
import { leaveShop, testShop } from './shop-commands.ts';
import { shopOf } from './shop-queries.ts';
import { leaveAssets } from './tool-asset-commands.ts';
import { testTool } from './tool-commands.ts';
import { testVipps } from './vipps-commands.ts';
import { providerBy, vippsOf, wholeKeys, type WholeKeys } from './vipps-queries.ts';
import { integrationOf, lockIntegration, secretsOf, toIntegration } from './queries.ts';

const told = (id: string, method: Change['method']): Change => ({ kind: 'integrations', id, method });

/** Of another place than before nothing is known. */
const NEW_THERE = {
  webhook_id: null,
  heard_at: null,
  grant_hash: null,
  grant_until: null,
  synced_until: null,
  look_at: null,
  requests_until: null,
  whole_at: null,
  listing: null,
} as const;

type Input = { settings: Record<string, unknown>; secrets: Record<string, string | null> };
type Setup = { settings: Record<string, unknown>; secrets: Record<string, string | null> };

/** By the kind's own schemas. Throws `malformed` with a pointer for each wrong field; a kind that does not exist is `not-found`. */
const checked = (deps: Pick<Deps, 'outside'>, kind: IntegrationKind, input: Input): Setup => {
  const settings = check(SETUP[kind].settings, input.settings, '/settings') as Record<string, unknown>;
  const secrets = check(SETUP[kind].secrets, input.secrets, '/secrets') as Record<string, string | null>;
  const { url } = settings;
  const fault = typeof url === 'string' ? deps.outside.fault(url) : null;
  if (fault !== null) throw ruled(fault, '/settings/url');
  return { settings, secrets };
};
/** A directory has calls of its own. */
const known = (kind: string): IntegrationKind => {
  if (!isIntegrationKind(kind) || kind === 'entra') throw absent();
  return kind;
};

/** New over old; null takes one away. Sealed as one, null where nothing is left. */
const sealed = (seal: Seal, before: Record<string, string>, given: Record<string, string | null>): Buffer | null => {
  const kept = Object.entries({ ...before, ...given }).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return kept.length === 0 ? null : seal.close(JSON.stringify(Object.fromEntries(kept)));
};

/** Throws `not-found`, `malformed`, and `name-taken` where one of its kind is set up already. */
export const createIntegration = async (tx: Tx, deps: Deps, scope: Scope, word: string, input: Input): Promise<Integration> => {
  const kind = known(word);
  const { seal } = deps;
  const { settings, secrets } = checked(deps, kind, input);
  if (await integrationOf(tx, scope.tenantId, kind)) throw new Problem('name-taken', 'It is set up already');
  const id = newId();
  await insertRow(tx, 'integrations', scope, id, {
    type: INTEGRATIONS[kind].type,
    kind,
    settings: jsonb(settings),
    secrets_sealed: sealed(seal, {}, secrets),
  }).execute();
  await record(tx, scope, [], [told(id, 'POST')]);
  return toIntegration(seal, await lockIntegration(tx, scope.tenantId, kind, id));
};

type Wanted = Input & { version?: number | undefined };

/**
 * As it would be kept. Secrets were given for the address that it had: whoever names another one gives its own, else they would go where
 * their owner never sent them. Throws `malformed`, `stale`, `not-found`.
 */
const changed = async (tx: Tx, deps: Deps, { tenantId }: Scope, kind: IntegrationKind, id: string, input: Wanted) => {
  const row = await lockIntegration(tx, tenantId, kind, id);
  mustBeSeen(row, input.version);
  const { settings, secrets } = checked(deps, kind, input);
  const isMoved = isElsewhere(row.settings, settings);
  const kept = isMoved ? {} : secretsOf(deps.seal, row.secrets_sealed);
  const after = Object.fromEntries(Object.entries({ ...kept, ...secrets }).filter(([, value]) => value !== null)) as Record<string, string>;
  return { row, settings, secrets, isMoved, kept, after };
};

/** What was seen to work, worked with the old settings: it is `unverified` again, save with keys that were tried just now. */
const changeIntegration = async (
  tx: Tx,
  deps: Deps,
  scope: Scope,
  word: string,
  id: string,
  input: Wanted,
  isTried: boolean,
): Promise<Changed> => {
  const { seal } = deps;
  const kind = known(word);
  const { row, settings, secrets, isMoved, kept, after } = await changed(tx, deps, scope, kind, id, input);
  const isOther = isMoved || (kind === 'vipps' && isOtherMerchant(row.settings, settings));
  const isKeyless = kind === 'vipps' && INTEGRATIONS.vipps.secrets.some((name) => kept[name] !== undefined && after[name] === undefined);
  if (isOther || isKeyless) await mustBeSettled(tx, scope.tenantId, kind);
  // What is written back to a shop says nothing of how it is reached.
  const isProven = kind === 'woo' && !isMoved && Object.keys(secrets).length === 0;
  const gone = isOther ? await leaving(tx, deps, scope.tenantId, row) : () => {};
  if (isMoved) await tx.deleteFrom('shop_orders').where('tenant_id', '=', scope.tenantId).where('integration_id', '=', id).execute();
  if (isMoved && isToolKind(kind)) await leaveAssets(tx, scope, id);
  await changeRow(tx, 'integrations', scope, id, {
    settings: jsonb(settings),
    secrets_sealed: sealed(seal, kept, secrets),
    ...(isTried
      ? { state: 'active', last_error: null, last_sync_at: scope.now }
      : isProven
        ? {}
        : { state: 'unverified', last_error: null }),
    ...(isOther ? NEW_THERE : {}),
  }).execute();
  await record(tx, scope, [], [told(id, 'PUT')]);
  return { integration: toIntegration(seal, await lockIntegration(tx, scope.tenantId, kind, id)), gone };
};

/** Other keys than those that payments under way hang on. Null: nothing is to be tried before they are kept. */
const keysToTry = async (tx: Tx, deps: Deps, scope: Scope, kind: IntegrationKind, id: string, input: Wanted): Promise<WholeKeys | null> => {
  if (kind !== 'vipps') return null;
  const { row, settings, kept, after } = await changed(tx, deps, scope, kind, id, input);
  // That is refused without asking anybody.
  if (isOtherMerchant(row.settings, settings)) return null;
  const keys = wholeKeys(settings, after);
  if (keys === null || JSON.stringify(keys) === JSON.stringify(wholeKeys(row.settings, kept))) return null;
  return (await paymentsUnderWay(tx, scope.tenantId)).length === 0 ? null : keys;
};

/**
 * Keeps what was changed. While payments are under way, other keys are tried with their provider first: by wrong ones nobody could reach
 * them any more. Throws `keys-not-taken` with what the provider said, and nothing is changed then; else as `createIntegration` does,
 * `stale` and `in-use-elsewhere`.
 */
export const saveIntegration = async (
  deps: Deps,
  tenantId: string,
  scopeIn: (tx: Tx) => Promise<Scope>,
  word: string,
  id: string,
  input: Wanted,
): Promise<Changed> => {
  const kind = known(word);
  const save = (tried: WholeKeys | null) =>
    deps.db.tenant(tenantId, async (tx) => {
      const scope = await scopeIn(tx);
      const untried = await keysToTry(tx, deps, scope, kind, id, input);
      const isTried = untried !== null && JSON.stringify(untried) === JSON.stringify(tried);
      return untried !== null && !isTried ? untried : changeIntegration(tx, deps, scope, word, id, input, isTried);
    });
  const first = await save(null);
  if ('gone' in first) return first;
  const said = await providerBy(deps, first).test();
  if (said.kind !== 'ok') throw new Problem('keys-not-taken', 'The keys that are kept stay', { data: { error: said.error } });
  const then = await save(first);
  // Somebody else changed what was to be completed with what is kept.
  if (!('gone' in then)) throw new Problem('stale');
  return then;
};

/** What follows the commit: the other side tells us no more, as far as it can be asked. */
const leaving = async (
  tx: Tx,
  deps: Deps,
  tenantId: string,
  row: { kind: IntegrationKind; webhook_id: string | null },
): Promise<() => void> => {
  const { webhook_id: webhookId } = row;
  if (webhookId === null) return () => {};
  const vipps = row.kind === 'vipps' ? await vippsOf(tx, deps, tenantId) : null;
  const shop = row.kind === 'woo' ? await shopOf(tx, deps, tenantId) : null;
  return () => {
    const left = vipps ? vipps.provider.unregister(webhookId) : shop ? leaveShop(deps, shop) : Promise.resolve();
    left.catch((error: unknown) => deps.log.warn({ err: error }, 'a webhook was not taken back'));
  };
};

/** The newest payments that are not over, or of which something is asked of the provider. */
const paymentsUnderWay = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('payments as p')
    .select(['p.id', 'p.reference'])
    .where('p.tenant_id', '=', tenantId)
    .where('p.provider', '=', 'vipps')
    .where((eb) =>
      eb.or([
        eb('p.state', 'in', ['initiated', 'reserved']),
        eb.exists(
          eb
            .selectFrom('payment_operations as q')
            .select('q.id')
            .whereRef('q.tenant_id', '=', 'p.tenant_id')
            .whereRef('q.payment_id', '=', 'p.id')
            .where('q.state', 'in', ['wanted', 'sent', 'unknown']),
        ),
      ]),
    )
    .orderBy('p.created_at', 'desc')
    .limit(20)
    .execute();

/** Of another merchant, or with no keys, nobody could ever settle them. Throws `in-use-elsewhere` with the first of them. */
const mustBeSettled = async (tx: Tx, tenantId: string, kind: IntegrationKind): Promise<void> => {
  const payments = kind === 'vipps' ? await paymentsUnderWay(tx, tenantId) : [];
  if (payments.length > 0) throw new Problem('in-use-elsewhere', 'Payments are under way there', { data: { payments } });
};

type Changed = { integration: Integration; gone: () => void };

/** Disconnects. Throws `not-found`, and `in-use-elsewhere` while payments are under way. Answers what is to follow the commit: the other side tells us no more. */
export const deleteIntegration = async (tx: Tx, deps: Deps, scope: Scope, word: string, id: string): Promise<() => void> => {
  const kind = known(word);
  const row = await lockIntegration(tx, scope.tenantId, kind, id);
  await mustBeSettled(tx, scope.tenantId, kind);
  const gone = await leaving(tx, deps, scope.tenantId, row);
  if (isToolKind(kind)) await leaveAssets(tx, scope, id);
  await tx.deleteFrom('integrations').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
  await record(tx, scope, [], [told(id, 'DELETE')]);
  return gone;
};

/** Throws `not-found`, and `not-available` for a kind whose other side this version does not ask: that it answers would be made up. */
export const testIntegration = async (deps: Deps, scope: Scope, word: string, id: string): Promise<Integration> => {
  const kind = known(word);
  if (kind === 'vipps') return testVipps(deps, scope, id);
  if (kind === 'woo') return testShop(deps, scope, id);
  if (isToolKind(kind)) return testTool(deps, scope, kind, id);
  await deps.db.tenant(scope.tenantId, (tx) => lockIntegration(tx, scope.tenantId, kind, id));
  throw new Problem('not-available', 'This version cannot ask the other side yet');
};

/** Fetches what was changed. Throws `not-found`, and `not-available` for a kind of which nothing is fetched. */
export const syncIntegration = async (deps: Deps, scope: Scope, word: string, id: string): Promise<Integration> => {
  const kind = known(word);
  if (kind === 'woo') return testShop(deps, scope, id);
  if (isToolKind(kind)) return testTool(deps, scope, kind, id);
  await deps.db.tenant(scope.tenantId, (tx) => lockIntegration(tx, scope.tenantId, kind, id));
  throw new Problem('not-available', 'Nothing is fetched from there');
};
