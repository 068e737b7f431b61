import { isKeyFault } from '@hatchway/domain/integration.ts';
import type { TFunction } from 'i18next';

/** Why the payment provider does not take the keys, and where the right one is found; what is no key’s fault, in the provider’s own words. */
export const faultWords = (error: string, t: TFunction): string =>
  isKeyFault(error) && error !== 'not-a-shop' ? t(`integrations.faults.${error}`) : t('integrations.theirWords', { words: error });
