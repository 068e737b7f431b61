import type { Tx } from '../../db/database.ts';
import type { CompanySettings } from '../../db/tables/people.ts';
import { jsonb } from '../../db/tables/columns.ts';
import type { Deps } from '../../deps.ts';
import { record } from '../../events/record.ts';
import type { Scope } from '../../scope.ts';
import { tellAlertsOff } from '../messages/admin-mail-commands.ts';

/**
 * Takes out what keys that are revoked, or whose time has passed, had somebody alerted of: a secret that leaked would else go on telling.
 * The administrators get a mail. A new version: who has the settings open since before would else save them back.
 */
export const endAlerts = async (tx: Tx, deps: Deps, scope: Scope): Promise<void> => {
  const { tenantId, now } = scope;
  const company = tx.selectFrom('companies').select('settings').where('id', '=', tenantId);
  const byKeys = (settings: CompanySettings | undefined) => (settings?.alerts ?? []).flatMap(({ key }) => (key ? [key] : []));
  if (byKeys((await company.executeTakeFirst())?.settings).length === 0) return;
  const settings = (await company.forUpdate().executeTakeFirst())?.settings ?? {};
  const keys = byKeys(settings);
  if (keys.length === 0) return;
  const live = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', keys)
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .execute();
  const ended = (settings.alerts ?? []).filter(({ key }) => key !== undefined && !live.some(({ id }) => id === key));
  if (ended.length === 0) return;
  const alerts = (settings.alerts ?? []).filter((one) => !ended.includes(one));
  const { version } = await tx
    .updateTable('companies')
    .set((eb) => ({ settings: jsonb<CompanySettings>({ ...settings, alerts }), updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', tenantId)
    .returning('version')
    .executeTakeFirstOrThrow();
  await record(tx, scope, [], [{ kind: 'companies', id: tenantId, method: 'PUT' }]);
  await tellAlertsOff(tx, deps, { tenantId, version, addresses: [...new Set(ended.map(({ to }) => to))] }, now);
};
