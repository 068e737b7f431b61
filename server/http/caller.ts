import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { tenantOfKey } from '@hatchway/contract/api-key.ts';
import type { Access } from '@hatchway/contract/route.ts';
import { keyFacts, NOBODY, type Claims, type Facts } from '@hatchway/domain/access.ts';
import type { Actor } from '@hatchway/domain/history.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { record } from '../events/record.ts';
import { factsOf, heldBy, holdMembers, holdRights, shareTurn } from '../held.ts';
import { ProviderAway } from '../identity/published-keys.ts';
import type { Scope } from '../scope.ts';
import { updateRow } from '../rows.ts';
import { Problem } from './problem.ts';

/** After which the identity provider may have come back. */
const AWAY_S = 2;

const NO_COUNTRY = 'NO';

/** What the request itself proves, before the database is asked. */
export type Credential =
  | { kind: 'person'; subject: string; tenantId: string | null; session: string | null; claims: Claims | null }
  | { kind: 'key'; subject: string; tenantId: string; hash: Buffer };

export type Caller = {
  kind: 'person' | 'key';
  tenantId: string;
  /** The account; of a key, its maker's. */
  accountId: string;
  actor: Actor;
  facts: Facts;
  /** Of their company: how a number without one is read. */
  country: string;
  /** False for who belongs to no company, or whose membership of the token's company is gone. */
  member: boolean;
  suspended: boolean;
  /** Their token is of a company that was deleted, or is being. */
  gone: boolean;
  /** The provider's session that the token belongs to. */
  session: string | null;
};

/** In whose name a command of this request runs. */
export const scopeOf = (caller: Caller, now: string): Scope => ({ tenantId: caller.tenantId, actor: caller.actor, now });

/** `hw_{tenant}{secret}`: the tenant (16 bytes) and 192 random bits, base64url. */
export const writeKey = (tenantId: string, secret: Uint8Array): string =>
  `hw_${Buffer.from(tenantId.replaceAll('-', ''), 'hex').toString('base64url')}${Buffer.from(secret).toString('base64url')}`;
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const sameText = (a: string, b: string): boolean => timingSafeEqual(hashSecret(a), hashSecret(b));

const bearer = (request: FastifyRequest): string => {
  const match = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '');
  if (!match?.[1]) throw new Problem('unauthenticated');
  return match[1];
};

/** Reads the bearer token. Throws Problem `unauthenticated`. Answers null for the operator, who belongs to no company. */
export const authenticate = async (deps: Deps, access: Access, request: FastifyRequest): Promise<Credential | null> => {
  const token = bearer(request);
  if (access === 'operator') {
    if (deps.config.operatorKey.length < 16 || !sameText(token, deps.config.operatorKey)) throw new Problem('unauthenticated');
    return null;
  }
  const tenantId = tenantOfKey(token);
  if (tenantId !== null) return { kind: 'key', subject: '', tenantId, hash: hashSecret(token) };
  return personOf(deps, token);
};

/** The person of an access token, and its times (s). Throws Problem `unauthenticated` for a token that is expired, forged, revoked or another issuer's. */
export const personOf = async (
  deps: Deps,
  token: string,
): Promise<Credential & { kind: 'person'; issuedAt: number; expiresAt: number }> => {
  const claims = await deps.verify(token).catch((error: unknown) => {
    throw error instanceof ProviderAway ? new Problem('unavailable', undefined, { retryAfter: AWAY_S }) : new Problem('unauthenticated');
  });
  return {
    kind: 'person',
    subject: claims.sub,
    tenantId: claims.tenant?.tenant_id ?? null,
    session: claims.sid ?? null,
    claims: claims as Claims,
    issuedAt: claims.iat,
    expiresAt: claims.exp,
  };
};

const stands = async (tx: Tx, tenantId: string): Promise<boolean> =>
  (await tx.selectFrom('companies').select('id').where('id', '=', tenantId).where('deleting_at', 'is', null).executeTakeFirst()) !==
  undefined;

/**
 * Who calls, as the database knows them in this transaction. Throws Problem `unauthenticated` for a key that is gone. `hold`: until the
 * transaction ends nobody takes from them what they hold now; `members` for a call that takes it from others.
 */
export const loadCaller = async (tx: Tx, credential: Credential, now: string, hold?: 'rights' | 'members'): Promise<Caller> => {
  if (hold === 'members' && credential.tenantId) await holdMembers(tx, credential.tenantId);
  if (credential.kind === 'key') return loadKey(tx, credential, now, hold !== undefined);
  const { tenantId, subject } = credential;
  const holding = hold === 'rights' && tenantId ? holdRights(tx, tenantId, subject) : undefined;
  // Sent with it and carried out after it: what is read is what is held.
  const [held] = await Promise.all([tenantId ? heldBy(tx, tenantId, subject) : undefined, holding]);
  return {
    kind: 'person',
    tenantId: credential.tenantId ?? '',
    accountId: credential.subject,
    actor: { kind: 'person', id: credential.subject, name: held?.name ?? '' },
    facts: held ? factsOf(held, credential.claims) : NOBODY,
    country: held?.country ?? NO_COUNTRY,
    member: held !== undefined,
    suspended: (held?.suspended_at ?? null) !== null,
    gone: credential.tenantId !== null && (held ? held.deleting_at !== null : !(await stands(tx, credential.tenantId))),
    session: credential.session,
  };
};

const NOTED_MS = 60_000;
/** Told to whoever looks at the keys: at most once a minute, as it is written; of two calls at once by the one that was first. */
const noteUse = async (tx: Tx, tenantId: string, key: { id: string; name: string }, now: string): Promise<void> => {
  const noted = await updateRow(tx, 'api_keys', tenantId, key.id)
    .set({ last_used_at: now, updated_at: now })
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', new Date(Date.parse(now) - NOTED_MS).toISOString())]))
    .executeTakeFirst();
  if (noted.numUpdatedRows === 0n) return;
  const actor: Actor = { kind: 'key', id: key.id, name: key.name };
  await record(tx, { tenantId, actor, now }, [], [{ kind: 'keys', id: key.id, method: 'PUT' }]);
};

const loadKey = async (tx: Tx, credential: Credential & { kind: 'key' }, now: string, holding: boolean): Promise<Caller> => {
  const lookup = tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'scopes', 'created_by', 'last_used_at'])
    .where('tenant_id', '=', credential.tenantId)
    .where('secret_hash', '=', credential.hash)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));
  const key = await lookup.executeTakeFirstOrThrow(() => new Problem('unauthenticated'));
  // At most once a minute: a busy key must not write a row with each call.
  if (!key.last_used_at || Date.parse(now) - Date.parse(key.last_used_at) > NOTED_MS) await noteUse(tx, credential.tenantId, key, now);
  // After its use is noted: of two calls that hold it together none could write it. Its maker's right ends with it.
  if (holding) {
    for (const id of [key.created_by, key.id]) await shareTurn(tx, credential.tenantId, id);
    if (!(await lookup.forShare().executeTakeFirst())) throw new Problem('unauthenticated');
  }
  const maker = await heldBy(tx, credential.tenantId, key.created_by);
  return {
    kind: 'key',
    tenantId: credential.tenantId,
    accountId: key.created_by,
    actor: { kind: 'key', id: key.id, name: key.name },
    facts: maker ? keyFacts(factsOf(maker, null), key.scopes) : NOBODY,
    country: maker?.country ?? NO_COUNTRY,
    member: maker !== undefined,
    suspended: (maker?.suspended_at ?? null) !== null,
    gone: false,
    session: null,
  };
};
