import { digitsOf } from '@hatchway/domain/price.ts';
import type { HistoryEventType } from '@hatchway/domain/history.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { dayOf, localDay } from '../../app/dates.ts';
import { majorOf, useMoney } from '../../app/money.ts';
import { useApi } from '../../app/portal.ts';
import { statsSalesQuery } from '../../app/queries.ts';
import { useAccess, useZone } from '../../app/who.ts';
import { Panel } from '../../ui/panel.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { Bars, Keys } from './bars.tsx';
import styles from './dashboard.module.css';
import { DAYS } from './first-look.ts';
import { MayLead } from './may-lead.tsx';
import { markOf, onDay } from './usage.tsx';

/** What came in and what went back in thirty days, each currency by itself. For those who may read payments. */
export const Money = () => {
  const { t } = useTranslation();
  const money = useMoney();
  const { history } = useAccess();
  const sales = useQuery(statsSalesQuery(useApi(), DAYS));
  const zone = useZone();
  const first = localDay(DAYS - 1, zone);
  const moved = (kind: HistoryEventType, currency: string): LinkProps | null =>
    history ? { to: '/history', search: { kind, currency, from: first } } : null;
  const movedToday = (currency: string): LinkProps | null => (history ? onDay('payment_captured', localDay(0, zone), { currency }) : null);
  const words = [t('dashboard.captured'), t('dashboard.refunded')] as const;
  return (
    <Panel
      title={t('dashboard.money')}
      aside={
        <Link to="/manage/payments" search={{}} className={styles.link}>
          {t('common.showAll')}
        </Link>
      }
    >
      <Waiting of={sales} lines={5} height={24} />
      {sales.data !== undefined && sales.data.wanting > 0 && (
        <Link to="/manage/payments" search={{ state: 'wanting' }} className={styles.link}>
          {t('dashboard.wanting', { count: sales.data.wanting })}
        </Link>
      )}
      {sales.data?.currencies.length === 0 && <p className="hw-hint">{t('dashboard.noMoney')}</p>}
      {sales.data && sales.data.currencies.length > 0 && <p className={styles.sold}>{t('dashboard.sold', { count: sales.data.sold })}</p>}
      {sales.data?.currencies.map(({ currency, captured, refunded, days }) => (
        <div key={currency} className={styles.currency}>
          <div className={styles.sums}>
            <Sum word={t('dashboard.capturedToday')} sum={money(days.at(-1)?.captured ?? 0, currency)} to={movedToday(currency)} />
            <Sum word={t('dashboard.captured')} sum={money(captured, currency)} to={moved('payment_captured', currency)} />
            <Sum word={t('dashboard.refunded')} sum={money(refunded, currency)} to={moved('payment_refunded', currency)} />
            <Keys words={words} />
          </div>
          <Bars
            bars={days.map((one) => ({
              key: one.day,
              mark: markOf(one.day),
              name: dayOf(`${one.day}T12:00:00`),
              values: [one.captured, one.refunded] as const,
              to: history
                ? [onDay('payment_captured', one.day, { currency }), onDay('payment_refunded', one.day, { currency })]
                : undefined,
            }))}
            words={words}
            write={(value) => (value === 0 ? '0' : String(Math.round(majorOf(value, currency))))}
            caption={t('dashboard.moneyText', { currency })}
            head={t('dashboard.day')}
            unit={10 ** digitsOf(currency)}
            least={10_000}
          />
        </div>
      ))}
    </Panel>
  );
};

/** What has gone back came in first: the history holds each time that money moved, the list of payments where each stands now. */
const Sum = ({ word, sum, to }: { word: string; sum: string; to: LinkProps | null }) => (
  <MayLead to={to} className={styles.sum}>
    <span>{word}</span>
    <strong>{sum}</strong>
  </MayLead>
);
