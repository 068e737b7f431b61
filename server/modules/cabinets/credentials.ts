import { readDeviceUsername, type ControllerRef } from '@hatchway/contract/devices.ts';
import type { Db } from '../../db/database.ts';
import { secretMatches } from '../../devices/pairing.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whose credential it is, or null. The tenant is part of the user name; the password decides. */
export const cabinetCredentials =
  (db: Db) =>
  async (username: string, password: string): Promise<ControllerRef | null> => {
    const ref = readDeviceUsername(username);
    if (!ref || !UUID.test(ref.tenantId) || !UUID.test(ref.controllerId)) return null;
    const row = await db.tenant(ref.tenantId, (tx) =>
      tx
        .selectFrom('cabinets')
        .select('credential_hash')
        .where('tenant_id', '=', ref.tenantId)
        .where('id', '=', ref.controllerId)
        .executeTakeFirst(),
    );
    return row?.credential_hash && secretMatches(password, row.credential_hash.toString('hex')) ? ref : null;
  };

/** Cabinets that the database believes online: those not heard of soon after a start are said to be offline. */
export const believedOnline = async (db: Db): Promise<readonly ControllerRef[]> => {
  const companies = await db.operator((tx) => tx.selectFrom('companies').select('id').execute());
  const found: ControllerRef[] = [];
  for (const { id } of companies) {
    const rows = await db.tenant(id, (tx) =>
      tx.selectFrom('cabinets').select('id').where('tenant_id', '=', id).where('connection', '=', 'online').execute(),
    );
    found.push(...rows.map((row) => ({ tenantId: id, controllerId: row.id })));
  }
  return found;
};
