import type { ShopSales, Storefront } from '@hatchway/contract/shop.ts';
import { shopNameOf } from '@hatchway/domain/shop.ts';
import { Button, CopyButton, Switch, TextInput } from '@mantine/core';
import { IconBuildingStore, IconCopy, IconExternalLink, IconQrcode, IconWorldOff } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../app/money.ts';
import { useApi, usePortal } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { useAccess } from '../../app/who.ts';
import { HoursField, isWhole, type Hours } from '../../ui/hours-field.tsx';
import { Bones, Facts, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { salesQuery, storefrontQuery } from './api.ts';
import { ShopQr } from './shop-qr.tsx';
import styles from './storefront.module.css';

type Change = { name?: string; open?: boolean; hours?: Storefront['hours'] };

/** What is shown of a save at once everywhere, and said where it fails. */
const useChange = (shop: Storefront) => {
  const { api, queryClient } = usePortal();
  const { t } = useTranslation();
  return useMutation({
    mutationFn: (change: Change) => api('PUT /storefront', { body: { ...change, version: shop.version } }),
    onSuccess: (data) => {
      queryClient.setQueryData(['storefront', 'shop'], data);
      toast.ok(t('storefront.shopSaved'));
    },
  });
};

/** The public shop: whether it is open, its address for the wall, when it sells, and what it sold. */
export const Shop = () => {
  const { t } = useTranslation();
  const shop = useQuery(storefrontQuery(useApi()));
  return (
    <Panel title={t('storefront.shop')} aside={shop.data && <ShopBadge shop={shop.data} />}>
      <Waiting of={shop} lines={3} height={32} />
      {shop.data && <OneShop shop={shop.data} />}
    </Panel>
  );
};

const ShopBadge = ({ shop }: { shop: Storefront }) => {
  const { t } = useTranslation();
  const open = shop.state === 'open';
  return (
    <StateBadge icon={open ? IconBuildingStore : IconWorldOff} tone={open ? 'ok' : 'unknown'} word={t(`storefront.state.${shop.state}`)} />
  );
};

const OneShop = ({ shop }: { shop: Storefront }) => {
  const { t } = useTranslation();
  const change = useChange(shop);
  const access = useAccess();
  return (
    <div className={styles.shop}>
      {!shop.payable && <NotPayable />}
      {access.payments && <Sales />}
      <ShopName key={shop.name} shop={shop} />
      {shop.url !== null && (
        <>
          <Switch
            label={t('storefront.openSwitch')}
            description={t('storefront.openSwitchText')}
            checked={shop.open}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ open: event.currentTarget.checked })}
          />
          <Address url={shop.url} />
        </>
      )}
      {change.isError && <ProblemNote error={change.error} />}
      <ShopHours key={shop.version} hours={shop.hours} busy={change.isPending} onSave={(hours) => change.mutate({ hours })} />
    </div>
  );
};

const NotPayable = () => {
  const { t } = useTranslation();
  const access = useAccess();
  return (
    <p className={styles.text}>
      {t('storefront.notPayable')} {access.admin && <Link to="/integration/vipps">{t('storefront.connect')}</Link>}
    </p>
  );
};

const Sales = () => {
  const { t } = useTranslation();
  const money = useMoney();
  const sales = useQuery(salesQuery(useApi()));
  const said = (sums: ShopSales['today']) =>
    sums.length === 0
      ? t('storefront.nothingSold')
      : sums.map(({ count, amount, currency }) => `${t('storefront.sold', { count })} · ${money(amount, currency)}`).join(', ');
  if (sales.isError) return <ProblemNote error={sales.error} onRetry={() => void sales.refetch()} />;
  if (!sales.data) return <Bones lines={2} />;
  return (
    <>
      <Facts
        rows={[
          [t('storefront.soldToday'), said(sales.data.today)],
          [t('storefront.soldMonth'), said(sales.data.month)],
        ]}
      />
      <p className={styles.text}>
        <Link to="/manage/payments" search={{}}>
          {t('storefront.payments')}
        </Link>
      </p>
    </>
  );
};

const ShopName = ({ shop }: { shop: Storefront }) => {
  const { t } = useTranslation();
  const change = useChange(shop);
  const [typed, setTyped] = useState(shop.name ?? '');
  const [tried, setTried] = useState(false);
  const name = shopNameOf(typed);
  return (
    <form
      className={styles.shopName}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (name !== null && name !== shop.name) change.mutate({ name });
      }}
    >
      <TextInput
        label={t('storefront.shopName')}
        description={t('storefront.shopNameText')}
        value={typed}
        maxLength={60}
        error={tried && name === null ? t('storefront.shopNameWrong') : undefined}
        errorProps={{ role: 'alert' }}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={change.isPending} disabled={typed.trim() === (shop.name ?? '')}>
        {t('common.save')}
      </Button>
      {change.isError && <ProblemNote error={change.error} />}
    </form>
  );
};

/** When the shop sells. No hours at all: at any time. */
const ShopHours = ({ hours, busy, onSave }: { hours: Hours; busy: boolean; onSave: (hours: Hours) => void }) => {
  const { t } = useTranslation();
  const [spans, setSpans] = useState<Hours>(hours);
  const dirty = JSON.stringify(spans) !== JSON.stringify(hours);
  return (
    <>
      <HoursField
        title={t('storefront.hours')}
        text={t(spans.length === 0 ? 'storefront.hoursAlways' : 'storefront.hoursText')}
        hours={spans}
        onChange={setSpans}
      />
      {dirty && (
        <div className={styles.hoursSave}>
          <Button variant="default" loading={busy} disabled={!isWhole(spans)} onClick={() => onSave(spans)}>
            {t('storefront.hoursSave')}
          </Button>
          <Button variant="subtle" onClick={() => setSpans(hours)}>
            {t('common.cancel')}
          </Button>
        </div>
      )}
    </>
  );
};

const Address = ({ url }: { url: string }) => {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.address}>
      <a href={url} target="_blank" rel="noreferrer">
        {url} <IconExternalLink size={16} aria-hidden />
      </a>
      <CopyButton value={url}>
        {({ copied, copy }) => (
          <Button variant="default" size="sm" leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
            {t(copied ? 'common.copied' : 'common.copy')}
          </Button>
        )}
      </CopyButton>
      <Button variant="default" size="sm" leftSection={<IconQrcode size={16} aria-hidden />} onClick={() => setShown(true)}>
        {t('storefront.qr')}
      </Button>
      {shown && <ShopQr url={url} onClose={() => setShown(false)} />}
    </div>
  );
};
