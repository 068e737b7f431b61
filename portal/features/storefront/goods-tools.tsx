import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../app/money.ts';
import { saveRows } from '../../ui/table/file.ts';
import { SearchField } from '../../ui/table/tools.tsx';
import { freePieces, type Good, isOffered } from './api.ts';
import { goodName } from './good-name.ts';
import styles from './storefront.module.css';

type Props = { goods: readonly Good[]; find: string; onFind: (find: string | undefined) => void };

/** Looks for goods by name or door, and saves those that are shown as a file. */
export const GoodsTools = ({ goods, find, onFind }: Props) => {
  const { t } = useTranslation();
  const money = useMoney();
  const columns = [
    { header: t('storefront.goods'), text: (good: Good) => goodName(good, t) },
    { header: t('policies.price'), text: ({ price }: Good) => (price ? money(price.amount, price.currency) : null) },
    { header: t('storefront.leftHead'), text: freePieces },
    {
      header: t('occupations.manage.stage'),
      text: (good: Good) =>
        t(good.inDoubt ? 'terms.lockerState.inDoubt' : isOffered(good) ? 'storefront.offered' : 'storefront.notOffered'),
    },
    { header: t('terms.locker'), text: ({ doorTag }: Good) => doorTag },
  ];
  return (
    <div className={styles.tools}>
      <SearchField label={t('storefront.search')} value={find} onChange={(words) => onFind(words || undefined)} />
      <Button
        variant="default"
        size="sm"
        leftSection={<IconDownload size={16} aria-hidden />}
        disabled={goods.length === 0}
        onClick={() => saveRows(t('terms.service.storefront'), columns, goods)}
      >
        {t('table.csv')}
      </Button>
    </div>
  );
};
