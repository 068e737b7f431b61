import { randomBytes } from 'node:crypto';
import { type Facts } from '@hatchway/domain/access.ts';
import { mayGrant } from '@hatchway/domain/granting.ts';
import { scopeOf as scopeNamed } from '@hatchway/domain/terms.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import { hashSecret, writeKey } from '../../http/caller.ts';
import { absent, ruled } from '../../http/problem.ts';
import { newId } from '../../ids.ts';
import { takeTurn } from '../../held.ts';
import type { Scope } from '../../scope.ts';
import { changeRow, insertRow } from '../../rows.ts';
import { endPairing } from '../cabinets/pairing-commands.ts';
import { withdrawKeys } from '../companies/invitation-commands.ts';
import { endAlerts } from '../companies/alert-commands.ts';
import { switchOffKeys } from '../webhooks/switch-off-commands.ts';
import { oneKey, type ApiKey } from './queries.ts';

const SECRET_BYTES = 24;
/** `hw_`, the company, and four letters of the secret: enough to tell two keys of a company apart in a list. */
const PREFIX = 'hw_'.length + 22 + 4;

type Input = { name: string; scopes: string[]; expiresAt: string | null };

/**
 * Answers the key with its secret: here and never again, only its hash is kept. Throws Problem `rule` for a scope that does not exist
 * or is beyond its maker, or a time that has passed.
 */
export const createKey = async (
  tx: Tx,
  scope: Scope,
  maker: { accountId: string; facts: Facts },
  input: Input,
): Promise<ApiKey & { secret: string }> => {
  const scopes = input.scopes.map((asked, at) => {
    const word = scopeNamed(asked) ?? asked;
    if (!mayGrant(word, maker.facts)) throw ruled('no such scope, or more than its maker holds', `/scopes/${at}`);
    return word;
  });
  if (input.expiresAt !== null && Date.parse(input.expiresAt) <= Date.parse(scope.now)) throw ruled('has passed', '/expiresAt');
  const id = newId();
  const secret = writeKey(scope.tenantId, randomBytes(SECRET_BYTES));
  await insertRow(tx, 'api_keys', scope, id, {
    name: input.name,
    prefix: secret.slice(0, PREFIX),
    secret_hash: hashSecret(secret),
    scopes: [...new Set(scopes)],
    created_by: maker.accountId,
    expires_at: input.expiresAt,
  }).execute();
  await record(tx, scope, [], [{ kind: 'keys', id, method: 'POST' }]);
  return { ...(await oneKey(tx, scope.tenantId, id)), secret };
};

/** Every call reads the row, so from this commit on the key opens nothing. The row stays: the history names it. */
export const revokeKey = async (tx: Tx, deps: Deps, scope: Scope, id: string): Promise<void> => {
  await takeTurn(tx, scope.tenantId, id);
  await changeRow(tx, 'api_keys', scope, id, { revoked_at: scope.now })
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(absent);
  await withdrawKeys(tx, scope, id);
  await switchOffKeys(tx, deps, scope, id);
  await endAlerts(tx, deps, scope);
  await endPairing(tx, scope);
  await record(tx, scope, [], [{ kind: 'keys', id, method: 'DELETE' }]);
};
