import type { CallResult, Client } from '@hatchway/contract/client.ts';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconAlertTriangle, IconCircleCheck, IconScale } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localDay } from '../../app/dates.ts';
import { useMoney } from '../../app/money.ts';
import { useApi } from '../../app/portal.ts';
import { useZone } from '../../app/who.ts';
import { DayField } from '../../ui/date-fields.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import styles from './books.module.css';
import { StepBadge } from './payment-badge.tsx';

type Compared = CallResult<'GET /payments/reconcile'>[number];

/** Of a day of the company's clock, page after page. Its provider is asked each time: what it said a while ago is no news. */
const booksQuery = (api: Client, day: string) =>
  infiniteQueryOptions({
    queryKey: ['books', 'day', { day }],
    queryFn: ({ signal, pageParam }) =>
      api.page('GET /payments/reconcile', { query: { day, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

/** What opens it, above the list of payments. */
export const CompareBooks = () => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconScale size={18} aria-hidden />} onClick={() => setOpen(true)}>
        {t('books.action')}
      </Button>
      {open && <BooksDialog onClose={() => setOpen(false)} />}
    </>
  );
};

const BooksDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const phone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const today = localDay(0, useZone());
  const [day, setDay] = useState(today);
  const books = useInfiniteQuery(booksQuery(useApi(), day));
  const rows = books.data?.pages.flatMap((page) => page.rows);
  return (
    <Dialog onClose={onClose} size="xl" fullScreen={phone} title={t('books.title')}>
      <div className={styles.books}>
        <p className={styles.dim}>{t('books.intro')}</p>
        <div className={styles.top}>
          <DayField label={t('books.day')} value={day} max={today} onChange={(chosen) => chosen !== undefined && setDay(chosen)} />
          <Button variant="default" loading={books.isFetching} onClick={() => void books.refetch()}>
            {t('books.again')}
          </Button>
        </div>
        <Waiting of={books} lines={4} height={24} />
        {rows && <Sum rows={rows} all={!books.hasNextPage} />}
        {rows && rows.length > 0 && <Rows rows={rows} />}
        {books.hasNextPage && (
          <Button variant="default" loading={books.isFetchingNextPage} onClick={() => void books.fetchNextPage()}>
            {t('books.more')}
          </Button>
        )}
      </div>
    </Dialog>
  );
};

/** How the two books stand, in a sentence that is said aloud when it changes. */
const Sum = ({ rows, all }: { rows: readonly Compared[]; all: boolean }) => {
  const { t } = useTranslation();
  const differ = rows.filter(({ todo }) => todo !== null).length;
  const count = rows.length;
  return (
    <output className={styles.sum} data-bad={differ > 0 || undefined}>
      {count === 0 && t('books.empty')}
      {differ > 0 && `${t('books.differ', { count: differ })} `}
      {!all && t('books.soFar', { count })}
      {all && differ === 0 && count > 0 && t('books.allSame', { count })}
    </output>
  );
};

const Rows = ({ rows }: { rows: readonly Compared[] }) => {
  const { t } = useTranslation();
  const sorted = rows.toSorted((a, b) => Number(b.todo !== null) - Number(a.todo !== null));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls sideways, and a keyboard reaches that alone by focus
    <section className={styles.wide} aria-label={t('books.title')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('payments.reference')}</th>
            <th scope="col">{t('books.ours')}</th>
            <th scope="col">{t('books.theirs')}</th>
            <th scope="col">{t('books.todo')}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={row.paymentId} data-differs={row.todo !== null || undefined}>
              <th scope="row">{row.reference}</th>
              <td>
                <Said said={row.ours} currency={row.currency} />
              </td>
              <td>
                <Said said={row.theirs} currency={row.currency} />
              </td>
              <td>
                {row.todo === null ? (
                  <StateBadge icon={IconCircleCheck} tone="ok" word={t('books.same')} />
                ) : (
                  <p className={styles.todo}>
                    <IconAlertTriangle size={16} aria-hidden />
                    <span>
                      {t(`books.todos.${row.todo}`)}
                      {row.error !== null && <code>{row.error}</code>}
                    </span>
                  </p>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

const Said = ({ said, currency }: { said: Compared['theirs']; currency: string }) => {
  const { t } = useTranslation();
  const money = useMoney();
  if (said === null) return <span className={styles.dim}>{t('books.nothing')}</span>;
  const { state, captured, refunded } = said;
  return (
    <div className={styles.said}>
      <StepBadge state={state} />
      {captured > 0 && <span>{t('books.captured', { amount: money(captured, currency) })}</span>}
      {refunded > 0 && <span>{t('books.refunded', { amount: money(refunded, currency) })}</span>}
    </div>
  );
};
