import { useTranslation } from 'react-i18next';
import type { Good } from './api.ts';

/** What it is called: the registered thing's name, or what was typed; its door where nobody said. */
export const useGoodName = (good: Good): string => {
  const { t } = useTranslation();
  return good.assetName ?? good.assetText ?? t('storefront.unnamed', { tag: good.doorTag });
};
