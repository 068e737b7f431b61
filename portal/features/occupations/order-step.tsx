import { MINUTE } from '@hatchway/domain/deadlines.ts';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCircleCheck, IconPackage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { deadline, shortTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { useZone } from '../../app/who.ts';
import { Bones } from '../../ui/panel.tsx';
import { orderShopsQuery, ordersQuery } from './api.ts';
import { FAULT_ID, orderNumber, type Draft } from './draft.ts';
import { OrderTaken } from './order-taken.tsx';
import { contentOf, orderPicked, orderTyped } from './picked-order.ts';
import styles from './service.module.css';

/** What is known of the shop is as old as this before it is said how old. */
const FRESH = 15 * MINUTE;

type Props = { draft: Draft; lacking: boolean; onChange: (patch: Partial<Draft>) => void };
/** Picked from the shop's open orders, or written by hand: whoever has no order in the list goes on all the same. */
export const OrderStep = ({ draft, lacking, onChange }: Props) => {
  const { t } = useTranslation();
  const zone = useZone();
  const api = useApi();
  const titleId = useId();
  const typed = orderNumber(draft);
  const what = draft.order === null ? (draft.asset?.name ?? draft.text.trim()) : '';
  const [asked] = useDebouncedValue(typed, 160);
  const list = useQuery({ ...ordersQuery(api, asked), refetchInterval: MINUTE / 2 });
  const shops = useQuery(orderShopsQuery(api));
  const connected = shops.data?.find(({ shop }) => shop === null);
  const orders = list.data ?? [];
  // A shop that posts its orders says what changes; of the connected one it is known how long ago it was asked.
  const oldest = orders.flatMap(({ shop, asOf }) => (shop === null ? asOf : [])).toSorted()[0] ?? connected?.asOf ?? null;
  return (
    <div className={styles.narrow}>
      <TextInput
        label={t('occupations.order.label')}
        description={what === '' ? t('occupations.order.hint') : t('occupations.order.optional', { what })}
        placeholder={t('occupations.order.placeholder')}
        size="md"
        maxLength={100}
        autoComplete="off"
        value={draft.orderRef}
        onChange={(event) => onChange(orderTyped(draft, event.currentTarget.value))}
        data-step-focus
        error={lacking}
        {...(lacking ? { 'aria-errormessage': FAULT_ID } : {})}
      />
      {asked === typed && <OrderTaken number={asked} />}
      <h3 className={styles.listTitle} id={titleId}>
        {t('occupations.order.list')}
      </h3>
      <ul aria-labelledby={titleId} className={styles.list} hidden={orders.length === 0}>
        {orders.map((one) => {
          const isPicked = one.id === draft.order?.id;
          return (
            <li key={one.id}>
              <button
                type="button"
                className={styles.option}
                aria-pressed={isPicked}
                onClick={() => onChange(isPicked ? orderTyped(draft, '') : orderPicked(draft, one))}
              >
                {isPicked ? <IconCircleCheck size={20} aria-hidden /> : <IconPackage size={20} aria-hidden />}
                <span className={styles.optionName}>
                  {one.number} · {one.customer.name}
                </span>
                <span className={styles.optionMore}>{contentOf(one)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {list.isPending && <Bones lines={4} height={24} />}
      {list.isError && <p className={styles.quiet}>{t('occupations.order.failed')}</p>}
      {list.isSuccess && orders.length === 0 && (
        <p className={styles.quiet}>{t(asked === '' ? 'occupations.order.noneOpen' : 'occupations.order.none')}</p>
      )}
      {oldest !== null && list.dataUpdatedAt - Date.parse(oldest) > FRESH && (
        <p className={styles.quiet}>{t('occupations.order.asOf', { time: deadline(oldest, zone, shortTime) })}</p>
      )}
    </div>
  );
};
