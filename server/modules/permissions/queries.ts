import { sql, type Selectable } from 'kysely';
import type { z } from 'zod';
import type { permission } from '@hatchway/contract/access.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import type { Tx } from '../../db/database.ts';
import type { PermissionsTable } from '../../db/tables/people.ts';
import { page, wordsIn } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';

export type Permission = z.infer<typeof permission>;

export const toPermission = (row: Selectable<PermissionsTable>): Permission => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  scopes: row.scopes,
  groups: row.group_ids,
  lockers: row.locker_ids,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const rows = (tx: Tx, tenantId: string) => tx.selectFrom('permissions').selectAll().where('tenant_id', '=', tenantId);

export const listPermissions = (tx: Tx, tenantId: string, query: ListQuery) =>
  page(
    tx,
    rows(tx, tenantId),
    {
      fields: { id: sql.ref('id'), name: sql.ref('name') },
      sorts: { createdAt: { column: sql.ref('created_at'), type: 'timestamptz' }, name: { column: sql`lower(name)`, type: 'text' } },
      id: sql.ref('id'),
      text: wordsIn(tenantId, sql`name`),
    },
    query,
    tenantId,
    toPermission,
  );

export const onePermission = async (tx: Tx, tenantId: string, id: string): Promise<Permission> =>
  toPermission(await rows(tx, tenantId).where('id', '=', id).executeTakeFirstOrThrow(absent));
