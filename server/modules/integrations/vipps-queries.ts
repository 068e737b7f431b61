import { SETUP } from '@hatchway/contract/integrations.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { openVipps, vippsAddress, type PaymentProvider } from '../../providers/vipps.ts';
import { integrationOf, secretsOf } from './queries.ts';

type Vipps = {
  integrationId: string;
  version: number;
  webhookId: string | null;
  /** What webhooks are signed with. */
  webhookSecret: string | null;
  heardAt: string | null;
  provider: PaymentProvider;
};

/** Where the provider tells us what happened, one address an integration. */
export const vippsHook = ({ config }: Pick<Deps, 'config'>, tenantId: string, integrationId: string): string =>
  `${config.publicUrl}/hooks/vipps/${tenantId}.${integrationId}`;

/** The company's payment provider with its own keys. Null: none is set up, or one of its keys is missing. */
export const vippsOf = async (tx: Tx, deps: Deps, tenantId: string): Promise<Vipps | null> => {
  const row = await integrationOf(tx, tenantId, 'vipps');
  const settings = SETUP.vipps.settings.safeParse(row?.settings);
  const { clientSecret, subscriptionKey, webhookSecret } = secretsOf(deps.seal, row?.secrets_sealed ?? null);
  if (!row || !settings.success || !clientSecret || !subscriptionKey) return null;
  const { merchantSerialNumber, clientId, testMode } = settings.data;
  const keys = { merchantSerialNumber, clientId, clientSecret, subscriptionKey };
  return {
    integrationId: row.id,
    version: row.version,
    webhookId: row.webhook_id,
    webhookSecret: webhookSecret ?? null,
    heardAt: row.heard_at,
    provider: openVipps(deps.outside, vippsAddress(deps.config.vippsUrl, testMode), keys, () => deps.now().getTime()),
  };
};
