import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { isFound } from '../../ui/table/search.ts';
import type { Good } from './api.ts';

/** What it is called: the registered thing's name, or what was typed; its door where nobody said. */
export const goodName = (good: Good, t: TFunction): string =>
  good.assetName ?? good.assetText ?? t('storefront.unnamed', { tag: good.doorTag });

export const useGoodName = (good: Good): string => goodName(good, useTranslation().t);

/** Those whose name or door holds every word. */
export const goodsWith = (goods: readonly Good[], find: string | undefined, t: TFunction): readonly Good[] =>
  goods.filter((good) => isFound(find, [goodName(good, t), good.doorTag]));
