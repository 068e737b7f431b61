import type { Entra } from '@hatchway/contract/entra.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';

const entraRows = (tx: Tx, tenantId: string) =>
  tx
    .selectFrom('integrations')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'entra')
    .select([
      'id', 'settings', 'state', 'last_sync_at', 'last_error', 'version', 'updated_at', 'directory_tid', 'grant_hash', 'grant_until',
      'grant_sealed', 'users_link', 'groups_link',
    ]); // prettier-ignore
export type EntraRow = Awaited<ReturnType<ReturnType<typeof entraRows>['executeTakeFirstOrThrow']>>;

export const entraRow = (tx: Tx, tenantId: string): Promise<EntraRow | undefined> => entraRows(tx, tenantId).executeTakeFirst();
/** Held until the transaction ends. */
export const lockEntra = (tx: Tx, tenantId: string): Promise<EntraRow | undefined> =>
  entraRows(tx, tenantId).forUpdate().executeTakeFirst();

export const entraOf = async (
  tx: Tx,
  { config }: Pick<Deps, 'config'>,
  tenantId: string,
  consentUrl: string | null = null,
): Promise<Entra> => {
  const row = await entraRow(tx, tenantId);
  const tid = row?.directory_tid ?? row?.settings['tid'];
  return {
    _id: row?.id ?? null,
    tid: typeof tid === 'string' ? tid : null,
    state: row?.state ?? 'not-connected',
    since: row?.updated_at ?? null,
    lastSyncAt: row?.last_sync_at ?? null,
    lastError: row?.last_error ?? null,
    version: row?.version ?? 0,
    available: config.entra !== null,
    signsIn: config.keycloak === null,
    consentUrl,
  };
};
