import { SETUP } from '@hatchway/contract/integrations.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { openShop, type Shop } from '../../providers/woo.ts';
import { integrationOf, secretsOf } from './queries.ts';

export type OpenShop = {
  integrationId: string;
  url: string;
  /** Of the webhooks that are registered there. */
  webhookIds: readonly number[];
  /** What webhooks are signed with. */
  webhookSecret: string | null;
  heardAt: string | null;
  shop: Shop;
};

/** Where the shop tells us what was changed, one address an integration. */
export const shopHook = ({ config }: Pick<Deps, 'config'>, tenantId: string, integrationId: string): string =>
  `${config.publicUrl}/hooks/woo/${tenantId}.${integrationId}`;
/** Where it posts the keys that its owner approved. */
export const keysHook = ({ config }: Pick<Deps, 'config'>): string => `${config.publicUrl}/hooks/woo/keys`;

export const idsOf = (webhookId: string | null): number[] => (webhookId ?? '').split(' ').filter(Boolean).map(Number);

/** The company's shop with its own keys. Null: none is set up, or one of its keys is missing. */
export const shopOf = async (tx: Tx, deps: Pick<Deps, 'seal' | 'outside'>, tenantId: string): Promise<OpenShop | null> => {
  const row = await integrationOf(tx, tenantId, 'woo');
  const settings = SETUP.woo.settings.safeParse(row?.settings);
  const { consumerKey, consumerSecret, webhookSecret } = secretsOf(deps.seal, row?.secrets_sealed ?? null);
  if (!row || !settings.success || !consumerKey || !consumerSecret) return null;
  const { url } = settings.data;
  return {
    integrationId: row.id,
    url,
    webhookIds: idsOf(row.webhook_id),
    webhookSecret: webhookSecret ?? null,
    heardAt: row.heard_at,
    shop: openShop(deps.outside, url, { consumerKey, consumerSecret }),
  };
};
