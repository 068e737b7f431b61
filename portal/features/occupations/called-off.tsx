import { IconShoppingCartX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Occupation } from '../../app/queries.ts';
import { StateBadge } from '../../ui/state-badge.tsx';

/** Beside its stage, in every list: what lies there, or is to lie there, nobody is to have any more. */
export const CalledOffBadge = ({ one }: { one: Pick<Occupation, 'orderCalledOff'> }) => {
  const { t } = useTranslation();
  return one.orderCalledOff ? <StateBadge icon={IconShoppingCartX} tone="bad" word={t('occupations.manage.calledOff')} /> : null;
};
