import { IconWorldOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../app/money.ts';
import { useCompanyName } from '../../app/who.ts';
import { Panel } from '../../ui/panel.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { freePieces, type Good, isOffered } from './api.ts';
import { useGoodName } from './good-name.ts';
import styles from './storefront.module.css';

/** What the public shop will show. There is no such page yet: no link and no code that would lead nowhere. */
export const Shop = ({ goods }: { goods: readonly Good[] }) => {
  const { t } = useTranslation();
  const company = useCompanyName();
  const offered = goods.filter((good) => isOffered(good) && freePieces(good) > 0 && !good.inDoubt);
  return (
    <Panel title={t('storefront.shop')} aside={<StateBadge icon={IconWorldOff} tone="unknown" word={t('storefront.notOpen')} />}>
      <p className={styles.text}>{t('storefront.notOpenText')}</p>
      <section className={styles.preview} aria-label={t('storefront.preview')}>
        <p className={styles.previewWord}>{t('storefront.preview')}</p>
        <h3>{company}</h3>
        {offered.length === 0 && <p className={styles.text}>{t('storefront.nothing')}</p>}
        <ul>
          {offered.map((good) => (
            <Line key={good.id} good={good} />
          ))}
        </ul>
      </section>
    </Panel>
  );
};

const Line = ({ good }: { good: Good }) => {
  const { t } = useTranslation();
  const money = useMoney();
  return (
    <li>
      <span>{useGoodName(good)}</span>
      <span className={styles.text}>{t('storefront.left', { count: freePieces(good) })}</span>
      <strong>{good.price ? money(good.price.amount, good.price.currency) : '–'}</strong>
    </li>
  );
};
