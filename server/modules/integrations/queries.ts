import { sql } from 'kysely';
import type { Integration } from '@hatchway/contract/integrations.ts';
import type { ListQuery } from '@hatchway/contract/list.ts';
import { INTEGRATIONS, type IntegrationKind } from '@hatchway/domain/integration.ts';
import type { Tx } from '../../db/database.ts';
import { page, type ListSpec } from '../../http/list.ts';
import { absent } from '../../http/problem.ts';
import type { Seal } from '../../seal.ts';

const integrationRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('integrations as i')
    .where('i.tenant_id', '=', tenantId)
    .select([
      'i.id', 'i.tenant_id', 'i.type', 'i.kind', 'i.settings', 'i.secrets_sealed', 'i.state', 'i.last_sync_at', 'i.last_error', 'i.webhook_id',
      'i.heard_at', 'i.version', 'i.created_at', 'i.updated_at',
    ]); // prettier-ignore
type IntegrationRow = Awaited<ReturnType<ReturnType<typeof integrationRows>['executeTakeFirstOrThrow']>>;

/** What is kept sealed, by name. What another key sealed is as good as gone. */
export const secretsOf = (seal: Seal, sealed: Buffer | null): Record<string, string> => {
  const plain = sealed === null ? null : seal.open(sealed);
  return plain === null ? {} : (JSON.parse(plain) as Record<string, string>);
};

export const toIntegration = (seal: Seal, row: IntegrationRow): Integration => {
  const kept = secretsOf(seal, row.secrets_sealed);
  return {
    _id: row.id,
    tenantId: row.tenant_id,
    type: row.type,
    kind: row.kind,
    settings: row.settings,
    secrets: Object.fromEntries(INTEGRATIONS[row.kind].secrets.map((name) => [name, kept[name] !== undefined])),
    state: row.state,
    lastSyncAt: row.last_sync_at,
    lastError: row.last_error,
    hasWebhook: row.webhook_id !== null,
    heardAt: row.heard_at,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
};

const LIST: ListSpec = {
  fields: { _id: sql.ref('i.id'), type: sql.ref('i.type'), kind: sql.ref('i.kind'), state: sql.ref('i.state') },
  sorts: { createdAt: { column: sql.ref('i.created_at'), type: 'timestamptz' } },
  id: sql.ref('i.id'),
};

export const listIntegrations = (
  tx: Tx,
  seal: Seal,
  tenantId: string,
  { type, ...query }: ListQuery & { type?: Integration['type'] | undefined },
) => {
  const rows = integrationRows(tx, tenantId);
  return page(tx, type === undefined ? rows : rows.where('i.type', '=', type), LIST, query, tenantId, (row) => toIntegration(seal, row));
};

/** Of those ids that are set up still. */
export const integrationsByIds = async (tx: Tx, seal: Seal, tenantId: string, ids: readonly string[]): Promise<Integration[]> =>
  (await integrationRows(tx, tenantId).where('i.id', 'in', ids).execute()).map((row) => toIntegration(seal, row));

export const integrationOf = (tx: Tx, tenantId: string, kind: IntegrationKind): Promise<IntegrationRow | undefined> =>
  integrationRows(tx, tenantId).where('i.kind', '=', kind).executeTakeFirst();

/** Held until the transaction ends. Throws `not-found`, also where the row is of another kind. */
export const lockIntegration = async (tx: Tx, tenantId: string, kind: string, id: string): Promise<IntegrationRow> => {
  const row = await integrationRows(tx, tenantId).where('i.id', '=', id).forUpdate().executeTakeFirst();
  if (!row || row.kind !== kind) throw absent();
  return row;
};
