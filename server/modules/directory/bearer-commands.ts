import { randomBytes } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret } from '../../http/caller.ts';
import { limited } from '../../http/rate-limit.ts';
import { absent } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import type { Scope } from '../../scope.ts';

const START = 'hwscim_';
const PREFIX = START.length + 22 + 4;
const SECRET_BYTES = 24;
/** At most once a minute: a directory that is busy must not write a row with each call. */
const NOTED_MS = 60_000;
/** Nobody finds a bearer by trying, but trying costs. */
const MISSES = { most: 60, seconds: 600 };

/** `hwscim_{tenant}{secret}`: the tenant (16 bytes) and 192 random bits, base64url. */
const writeBearer = (tenantId: string): string =>
  `${START}${Buffer.from(tenantId.replaceAll('-', ''), 'hex').toString('base64url')}${randomBytes(SECRET_BYTES).toString('base64url')}`;

const tenantOf = (bearer: string): string | null => {
  const tenant = /^hwscim_([A-Za-z0-9_-]{22})[A-Za-z0-9_-]{32}$/.exec(bearer)?.[1];
  if (tenant === undefined) return null;
  const hex = Buffer.from(tenant, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** A new one, in the place of the one before, which opens nothing from this commit on. Answered here and never again. */
export const makeBearer = async (tx: Tx, scope: Scope, accountId: string): Promise<string> => {
  const secret = writeBearer(scope.tenantId);
  const columns = {
    prefix: secret.slice(0, PREFIX),
    secret_hash: hashSecret(secret),
    created_by: accountId,
    last_used_at: null,
    ended_at: null,
    ended_why: null,
    created_at: scope.now,
    updated_at: scope.now,
  };
  await tx
    .insertInto('scim_bearers')
    .values({ tenant_id: scope.tenantId, id: newId(), ...columns })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id']).doUpdateSet((eb) => ({ ...columns, version: eb('scim_bearers.version', '+', 1) })),
    )
    .execute();
  return secret;
};

/** Throws `not-found` where there is none that opens anything. */
export const withdrawBearer = async (tx: Tx, scope: Scope): Promise<void> => {
  await tx
    .updateTable('scim_bearers')
    .set((eb) => ({ ended_at: scope.now, ended_why: 'withdrawn', updated_at: scope.now, version: eb('version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(absent);
};

const use = async (tx: Tx, tenantId: string, secret: string, now: string): Promise<'ok' | 'wrong' | 'suspended'> => {
  const row = await tx
    .selectFrom('scim_bearers')
    .select(['id', 'last_used_at'])
    .where('tenant_id', '=', tenantId)
    .where('secret_hash', '=', hashSecret(secret))
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  const company = await tx.selectFrom('companies').select(['suspended_at', 'deleting_at']).where('id', '=', tenantId).executeTakeFirst();
  if (!row || !company || company.deleting_at !== null) return 'wrong';
  if (!row.last_used_at || Date.parse(now) - Date.parse(row.last_used_at) > NOTED_MS)
    await tx.updateTable('scim_bearers').set({ last_used_at: now }).where('tenant_id', '=', tenantId).where('id', '=', row.id).execute();
  return company.suspended_at === null ? 'ok' : 'suspended';
};

export type Called = { tenantId: string } | 'wrong' | 'suspended';

/** The company that calls. Throws `too-many-requests` for many wrong ones. */
export const companyOfBearer = async (deps: Deps, secret: string, address: string): Promise<Called> => {
  const now = deps.now().toISOString();
  const tenantId = tenantOf(secret);
  const found = tenantId === null ? 'wrong' : await deps.db.tenant(tenantId, (tx) => use(tx, tenantId, secret, now));
  if (found === 'ok' && tenantId !== null) return { tenantId };
  if (found === 'suspended') return found;
  if (secret !== '') await deps.db.open((tx) => limited(tx, { bucket: `scim-miss:${address}`, ...MISSES }, now));
  return 'wrong';
};
