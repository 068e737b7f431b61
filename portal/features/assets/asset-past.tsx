import { historyReach, seesAllLoans } from '@hatchway/domain/access.ts';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { historyQuery } from '../../app/queries.ts';
import { PAGE } from '../../app/whole.ts';
import { useAccess, useFacts, useZone } from '../../app/who.ts';
import { Moment } from '../../ui/moment.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { isOutThere } from '../occupations/holder-of.ts';
import { Timeline } from '../history/timeline.tsx';
import { type Asset, loansQuery } from './api.ts';
import styles from './assets.module.css';

const ENDED = ['returned', 'lost', 'returned-elsewhere'] as const;

/** Who had it, newest first. */
export const AssetLoans = ({ asset }: { asset: Asset }) => {
  const { t } = useTranslation();
  const seesAll = seesAllLoans(useFacts());
  const zone = useZone();
  const [most, setMost] = useState(20);
  const loans = useQuery(loansQuery(useApi(), asset._id, most));
  return (
    <Panel title={t('assets.loans')}>
      <Waiting of={loans} lines={3} />
      {loans.data?.length === 0 && (
        <p className={styles.quiet}>{t(isOutThere(asset) ? 'assets.outThere' : seesAll ? 'assets.noLoans' : 'assets.noLoansSeen')}</p>
      )}
      {loans.data && loans.data.length > 0 && (
        <ul className={styles.lines}>
          {loans.data.map((loan) => {
            const ended = ENDED.find((one) => one === loan.endReason);
            return (
              <li key={loan.id}>
                <strong>{loan.borrower.name ?? '–'}</strong> {loan.borrower.tlf ?? loan.borrower.email ?? ''}
                <p className={styles.quiet}>
                  {t('assets.outAt')} <Moment at={loan.outAt} /> · {t('assets.dueBack')} <Moment at={loan.dueAt} zone={zone} />
                </p>
                <p className={styles.quiet}>
                  {loan.returnedAt === null ? (
                    t('assets.stillOut')
                  ) : (
                    <>
                      {ended ? t(`assets.ended.${ended}`) : t('assets.backAt')} <Moment at={loan.returnedAt} />
                      {loan.conditionIn && ` · ${loan.conditionIn}`}
                    </>
                  )}
                </p>
              </li>
            );
          })}
        </ul>
      )}
      <More shown={loans.data?.length ?? 0} most={most} busy={loans.isFetching} onMore={setMost} />
    </Panel>
  );
};

/** More of what goes further back, as long as there is more and one page can hold it; where it cannot, that is said. */
const More = ({ shown, most, busy, onMore }: { shown: number; most: number; busy: boolean; onMore: (most: number) => void }) => {
  const { t } = useTranslation();
  if (shown < most) return null;
  if (most >= PAGE) return <p className={styles.quiet}>{t('common.onlyNewest', { count: most })}</p>;
  return (
    <Button variant="subtle" size="sm" loading={busy} onClick={() => onMore(Math.min(PAGE, most * 5))}>
      {t('common.earlier')}
    </Button>
  );
};

export const AssetHistory = ({ asset }: { asset: Asset }) => {
  const { t } = useTranslation();
  const access = useAccess();
  const seesAll = historyReach(useFacts()).all;
  const [most, setMost] = useState(50);
  const events = useQuery({
    ...historyQuery(useApi(), { q: { assetId: asset._id }, limit: most }),
    enabled: access.history,
    placeholderData: keepPreviousData,
  });
  if (!access.history) return null;
  return (
    <Panel title={t('assets.history')}>
      <Waiting of={events} lines={4} />
      {events.data?.length === 0 && <p className={styles.quiet}>{t(seesAll ? 'assets.noHistory' : 'assets.noHistorySeen')}</p>}
      {events.data && events.data.length > 0 && <Timeline events={events.data} />}
      <More shown={events.data?.length ?? 0} most={most} busy={events.isFetching} onMore={setMost} />
    </Panel>
  );
};
