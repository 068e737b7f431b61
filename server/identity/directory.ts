import { signsInAtDirectory } from '@hatchway/domain/entra.ts';
import { sql } from 'kysely';
import type { Credentials } from './credentials.ts';
import { companiesOf } from './people.ts';
import type { IdentityTx, InIdentity } from './tables.ts';

/** Who a person of a directory is here. `accountId` null: they were not taken over, or their access ended. */
export async function personOf(tx: IdentityTx, tid: string, oid: string): Promise<{ tenantId: string; accountId: string | null } | null> {
  const found = await sql<{ tenant_id: string; account_id: string | null; active: boolean | null }>`
    select tenant_id, account_id, active from find_in_directory(${tid}::uuid, ${oid})`.execute(tx);
  const [row] = found.rows;
  if (!row) return null;
  const { tenant_id: tenantId, account_id: accountId } = row;
  if (accountId === null || row.active !== true) return { tenantId, accountId: null };
  const isMember = (await companiesOf(tx, accountId)).some((company) => company.tenantId === tenantId);
  return { tenantId, accountId: isMember ? accountId : null };
}

/** The directory that whoever signs in by that name is sent to; null: their password decides, as for anybody. */
export async function directoryOf(run: InIdentity, credentials: Credentials, login: string): Promise<string | null> {
  const found = await run(async (tx) => {
    const rows = await sql<{ directory: string; tenant_id: string; account_id: string | null }>`
      select directory, tenant_id, account_id from find_directory_of(${login})`.execute(tx);
    const [row] = rows.rows;
    return row && { ...row, companies: row.account_id === null ? [] : await companiesOf(tx, row.account_id) };
  });
  if (!found) return null;
  if (found.account_id === null) return found.directory;
  const hasPassword = await credentials.hasPassword(found.account_id);
  return signsInAtDirectory({ hasPassword, tenantId: found.tenant_id, companies: found.companies }) ? found.directory : null;
}
