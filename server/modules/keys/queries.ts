import { sql } from 'kysely';
import type { z } from 'zod';
import type { apiKey } from '@hatchway/contract/access.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Tx } from '../../db/database.ts';
import { page, wordsIn } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';

export type ApiKey = z.infer<typeof apiKey>;

/** Keys that were not revoked. A maker who left has no name here any more. */
const keyRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('api_keys as k')
    .leftJoin('accounts as a', 'a.id', 'k.created_by')
    .where('k.tenant_id', '=', tenantId)
    .where('k.revoked_at', 'is', null)
    .select([
      'k.id',
      'k.tenant_id',
      'k.name',
      'k.prefix',
      'k.scopes',
      'a.name as maker',
      'k.expires_at',
      'k.last_used_at',
      'k.created_at',
      'k.updated_at',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof keyRows>['executeTakeFirstOrThrow']>>;

const toKey = (row: Row): ApiKey => ({
  _id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes,
  createdBy: row.maker ?? '',
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Of those ids that are keys still. */
export const keysByIds = async (tx: Tx, tenantId: string, ids: readonly string[]): Promise<ApiKey[]> =>
  (await keyRows(tx, tenantId).where('k.id', 'in', ids).execute()).map(toKey);

export const listKeys = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(
    tx,
    keyRows(tx, tenantId),
    {
      fields: { _id: sql.ref('k.id'), name: sql.ref('k.name') },
      sorts: { createdAt: { column: sql.ref('k.created_at'), type: 'timestamptz' }, name: { column: sql`lower(k.name)`, type: 'text' } },
      id: sql.ref('k.id'),
      text: wordsIn(tenantId, sql`k.name || ' ' || k.prefix || ' ' || coalesce(a.name, '')`),
    },
    query,
    tenantId,
    toKey,
  );

export const oneKey = async (tx: Tx, tenantId: string, id: string): Promise<ApiKey> =>
  toKey(await keyRows(tx, tenantId).where('k.id', '=', id).executeTakeFirstOrThrow(absent));
