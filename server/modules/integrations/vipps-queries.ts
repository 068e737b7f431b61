import { SETUP } from '@hatchway/contract/integrations.ts';
import { KEY_FAULTS } from '@hatchway/domain/integration.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { openVipps, vippsAddress, type PaymentProvider, type VippsKeys } from '../../providers/vipps.ts';
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

export type WholeKeys = { testMode: boolean; keys: VippsKeys };
/** Null: one of them is missing. */
export const wholeKeys = (settings: Record<string, unknown>, secrets: Record<string, string>): WholeKeys | null => {
  const set = SETUP.vipps.settings.safeParse(settings);
  const { clientSecret, subscriptionKey } = secrets;
  if (!set.success || !clientSecret || !subscriptionKey) return null;
  const { merchantSerialNumber, clientId, testMode } = set.data;
  return { testMode, keys: { merchantSerialNumber, clientId, clientSecret, subscriptionKey } };
};

export const providerBy = (deps: Deps, { testMode, keys }: WholeKeys): PaymentProvider =>
  openVipps(deps.outside, vippsAddress(deps.config.vippsUrl, testMode), keys, () => deps.now().getTime());

/** What a company has set up of it, as far as it is whole. Null: nothing, or one of its keys is missing. */
const keysOf = async (tx: Tx, { seal }: Pick<Deps, 'seal'>, tenantId: string) => {
  const row = await integrationOf(tx, tenantId, 'vipps');
  const secrets = secretsOf(seal, row?.secrets_sealed ?? null);
  const whole = row ? wholeKeys(row.settings, secrets) : null;
  return row && whole ? { row, whole, webhookSecret: secrets['webhookSecret'] ?? null } : null;
};

/** Whether customers of the company can pay by it: its keys are there, and it has not said that one of them is wrong. */
export const isPayable = async (tx: Tx, deps: Pick<Deps, 'seal'>, tenantId: string): Promise<boolean> => {
  const found = await keysOf(tx, deps, tenantId);
  return found !== null && !(KEY_FAULTS as readonly string[]).includes(found.row.last_error ?? '');
};

/** The company's payment provider with its own keys. Null: none is set up, or one of its keys is missing. */
export const vippsOf = async (tx: Tx, deps: Deps, tenantId: string): Promise<Vipps | null> => {
  const found = await keysOf(tx, deps, tenantId);
  if (found === null) return null;
  const { row, whole, webhookSecret } = found;
  return {
    integrationId: row.id,
    version: row.version,
    webhookId: row.webhook_id,
    webhookSecret,
    heardAt: row.heard_at,
    provider: providerBy(deps, whole),
  };
};
