import { PAYMENT_STATES } from '@hatchway/domain/terms.ts';
import { Pill } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { majorOf, useMoney } from '../../app/money.ts';
import { useZone } from '../../app/who.ts';
import { DayField } from '../../ui/date-fields.tsx';
import { timeOf } from '../../ui/table/cells.tsx';
import type { Column } from '../../ui/table/column.ts';
import { DataTable } from '../../ui/table/data-table.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { usePages } from '../../ui/table/use-pages.ts';
import type { Payment } from './api.ts';
import { PaymentBadge } from './payment-badge.tsx';
import { type PaymentsSearch, paymentsQuestion } from './search.ts';
import { standingWord } from './written.ts';

type Props = {
  search: PaymentsSearch;
  onSearch: (change: Partial<PaymentsSearch>) => void;
  onOpen: (payment: Payment) => void;
  /** Stands where there is no payment yet: where money is taken. */
  empty: ReactNode;
};

export const PaymentsTable = ({ search, onSearch, onOpen, empty }: Props) => {
  const { t } = useTranslation();
  const q = paymentsQuestion(search, useZone());
  const pages = usePages('GET /payments', q);
  const columns = useColumns();
  return (
    <DataTable<Payment>
      label={t('payments.title')}
      columns={columns}
      pages={pages}
      search={search}
      onSearch={onSearch}
      file={{ call: 'GET /exports/payments', q }}
      defaultSort="-createdAt"
      searchable={t('payments.search')}
      rowId={(row) => row._id}
      rowName={(row) => row.reference}
      rowStamp={(row) => row.version}
      onOpen={onOpen}
      filters={
        <>
          <FilterSelect
            label={t('payments.state')}
            any={t('payments.anyState')}
            value={search.state}
            options={[
              { value: 'wanting', label: t('payments.wanting') },
              { value: 'underway', label: t('payments.underway') },
              ...PAYMENT_STATES.map((value) => ({ value, label: t(`terms.payment.${value}`) })),
            ]}
            onChange={(state) => onSearch({ state })}
          />
          <DayField quiet label={t('payments.from')} value={search.from} onChange={(from) => onSearch({ from })} />
          {search.occupation && (
            <Pill
              size="md"
              withRemoveButton
              onRemove={() => onSearch({ occupation: undefined })}
              removeButtonProps={{ 'aria-label': t('common.clear') }}
            >
              {t('payments.ofOne')}
            </Pill>
          )}
        </>
      }
      filtered={Object.keys(q).length > 0}
      onClear={() => onSearch({ state: undefined, from: undefined, occupation: undefined, find: undefined })}
      empty={{ title: t('payments.empty'), text: t('payments.emptyText'), action: empty }}
    />
  );
};

// Cells stand outside of the screen, so that a redraw of it makes no new ones.
const stateCell = (row: Payment) => <PaymentBadge payment={row} />;
const amountCell = (row: Payment) => <Amount row={row} />;

/** What it comes to, and beside it what went back, or what was captured where that is less. */
const Amount = ({ row }: { row: Payment }) => {
  const { t } = useTranslation();
  const money = useMoney();
  return (
    <>
      <strong>{money(row.amount, row.currency)}</strong>
      {row.refunded > 0
        ? ` ${t('payments.back', { amount: money(row.refunded, row.currency) })}`
        : row.captured > 0 && row.captured < row.amount && ` ${t('payments.taken', { amount: money(row.captured, row.currency) })}`}
    </>
  );
};

const useColumns = () => {
  const { t } = useTranslation();
  return useMemo(
    (): Column<Payment>[] => [
      {
        id: 'state',
        header: t('payments.state'),
        width: 200,
        cell: stateCell,
        text: (row) => standingWord(row, t),
      },
      {
        id: 'amount',
        header: t('payments.amount'),
        lead: true,
        sort: 'amount',
        cell: amountCell,
        text: (row) => majorOf(row.amount, row.currency),
      },
      { id: 'payer', header: t('payments.payer'), text: (row) => row.payer.name ?? row.payer.tlf },
      { id: 'content', header: t('payments.content'), text: (row) => row.content },
      { id: 'door', header: t('payments.door'), width: 110, text: (row) => row.doorTag },
      { id: 'created', header: t('payments.created'), sort: 'createdAt', width: 120, ...timeOf('createdAt') },
      { id: 'reference', header: t('payments.reference'), text: (row) => row.reference },
      { id: 'provider', header: t('payments.provider'), tucked: true, text: (row) => t(`payments.providers.${row.provider}`) },
      { id: 'captured', header: t('payments.captured'), tucked: true, text: (row) => majorOf(row.captured, row.currency) },
      { id: 'refunded', header: t('payments.refunded'), tucked: true, text: (row) => majorOf(row.refunded, row.currency) },
      { id: 'currency', header: t('payments.currency'), tucked: true, text: (row) => row.currency },
      { id: 'changed', header: t('payments.changed'), sort: 'updatedAt', width: 120, tucked: true, ...timeOf('updatedAt') },
    ],
    [t],
  );
};
