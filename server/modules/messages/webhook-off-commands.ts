import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { systemScope } from '../../scope.ts';
import { queueMessage } from './commands.ts';
import { bodyOf } from './texts.ts';
import { NOTHING } from './words.ts';

type Off = { tenantId: string; webhookId: string; version: number; url: string };

/** A mail to each admin: nobody looks at a list of addresses every day, and what hangs on one stands still from now on. */
export const tellWebhookOff = async (tx: Tx, deps: Deps, { tenantId, webhookId, version, url }: Off, now: string): Promise<void> => {
  const company = await tx.selectFrom('companies').select(['name', 'locale']).where('id', '=', tenantId).executeTakeFirst();
  const admins = await tx
    .selectFrom('memberships as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .select(['a.id', 'a.name', 'a.email', 'a.locale'])
    .where('m.tenant_id', '=', tenantId)
    .where((eb) => eb('m.roles', '@>', eb.val(['admin'])))
    .where('a.email', 'is not', null)
    .where('a.disabled_at', 'is', null)
    .execute();
  for (const admin of admins) {
    const locale = (admin.locale ?? company?.locale) === 'en' ? 'en' : 'nb';
    const link = `${deps.config.publicUrl}/portal/admin?section=webhooks`;
    const told = { ...NOTHING, company: company?.name ?? '', name: admin.name, link, host: new URL(url).host };
    await queueMessage(tx, deps, systemScope(tenantId, now), {
      occupationId: null,
      kind: 'webhook-off',
      // Switched on again and off again is news again.
      cause: `webhook-off:${webhookId}:${version}:${admin.id}`,
      channel: 'mail',
      receiver: { name: admin.name, tlf: null, email: admin.email },
      locale,
      body: bodyOf('mail', 'webhook-off', told, locale),
    });
  }
};
