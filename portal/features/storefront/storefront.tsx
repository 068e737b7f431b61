import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { useAccess } from '../../app/who.ts';
import { NotAllowed } from '../pages/not-allowed.tsx';
import { RefillDialog } from '../occupations/hand-dialogs.tsx';
import { TakePayment } from '../payments/take-payment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { type Good, goodsQuery, picturedQuery } from './api.ts';
import { GoodCard } from './good-card.tsx';
import { goodsWith } from './good-name.ts';
import { GoodsTools } from './goods-tools.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { Shop } from './shop.tsx';
import type { StorefrontSearch } from './search.ts';
import styles from './storefront.module.css';

type Open = { sell: string } | { refill: string } | { price: string } | null;

/** What is for sale now, as it lies in the lockers; and what becomes of it in public. */
export const Storefront = ({ search }: { search: StorefrontSearch }) => {
  const { t } = useTranslation();
  const api = useApi();
  const access = useAccess();
  const navigate = useNavigate();
  const goods = useQuery({ ...goodsQuery(api), enabled: access.may('storefront') });
  const ids = useMemo(() => [...new Set((goods.data ?? []).flatMap((good) => good.assetId ?? []))], [goods.data]);
  const pictured = useQuery(picturedQuery(api, ids));
  const [open, setOpen] = useState<Open>(null);
  const shown = goodsWith(goods.data ?? [], search.find, t);
  const look = (find: string | undefined): void =>
    void navigate({ to: '/services/storefront', search: find ? { find } : {}, replace: true });
  if (!access.may('storefront')) return <NotAllowed />;
  const find = (id: string): Good | undefined => goods.data?.find((good) => good.id === id);
  const sold = open && 'sell' in open ? find(open.sell) : undefined;
  const refilled = open && 'refill' in open ? find(open.refill) : undefined;
  const priced = open && 'price' in open ? find(open.price) : undefined;
  const more = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} renderRoot={(props) => <Link {...props} to="/services/sale" />}>
      {t('storefront.offer')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('terms.service.storefront')} intro={t('storefront.intro')} actions={more} />
      <div className={styles.page}>
        <Waiting of={goods} lines={6} height={32} />
        {goods.data?.length === 0 && <Notice level={2} title={t('storefront.empty')} text={t('storefront.emptyText')} />}
        {goods.data && goods.data.length > 0 && <GoodsTools goods={shown} find={search.find ?? ''} onFind={look} />}
        {goods.data && goods.data.length > 0 && shown.length === 0 && (
          <Notice
            level={2}
            title={t('table.noMatch')}
            text={t('table.noMatchText')}
            action={{ label: t('table.clearFilters'), onClick: () => look(undefined) }}
          />
        )}
        {shown.length > 0 && (
          <ul className={styles.goods} aria-label={t('storefront.goods')}>
            {shown.map((good) => (
              <GoodCard
                key={good.id}
                good={good}
                pictured={good.assetId !== null && (pictured.data?.has(good.assetId) ?? false)}
                onSell={() => setOpen({ sell: good.id })}
                onRefill={() => setOpen({ refill: good.id })}
                onPrice={() => setOpen({ price: good.id })}
              />
            ))}
          </ul>
        )}
        <Shop />
      </div>
      {sold && <TakePayment good={sold} onClose={() => setOpen(null)} />}
      {priced && <PriceDialog good={priced} onClose={() => setOpen(null)} />}
      {refilled && <RefillDialog one={refilled} onClose={() => setOpen(null)} />}
    </>
  );
};
