import { mayReadPayments } from '@hatchway/domain/access.ts';
import { isStock } from '@hatchway/domain/doors.ts';
import { isPriced } from '@hatchway/domain/price.ts';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMoney } from '../../app/money.ts';
import { useApi } from '../../app/portal.ts';
import type { Occupation } from '../../app/queries.ts';
import { useFacts } from '../../app/who.ts';
import { type Payment, reservedOfQuery } from '../payments/api.ts';

type WhoPaid = {
  /** On whose money; undefined where it is no question, or this person may not read payments: then the only one that is reserved. */
  paymentId: string | undefined;
  /** For whom the door opens: the customer, what they get and what they paid; null where that is not known here. */
  name: string | null;
  /** Nobody is let in before it is said on whose money. */
  blocked: boolean;
  /** Asked where several have paid. */
  field: ReactNode;
};

/** Customers of one stock lie beside each other: whose pieces go out is said before the door opens, and chosen by nobody else than staff. */
export const useWhoPaid = (one: Occupation): WhoPaid => {
  const { t } = useTranslation();
  const money = useMoney();
  const may = mayReadPayments(useFacts());
  const asks = may && isStock(one.type) && isPriced(one.price) && one.actions.includes('claim');
  const read = useQuery({ ...reservedOfQuery(useApi(), one.id), enabled: asks });
  const data = (asks && read.data) || [];
  const [chosen, setChosen] = useState('');
  const said = ({ payer, reference, quantity, amount, currency }: Payment): string =>
    [payer.name ?? payer.tlf ?? reference, t('occupations.stock.pieces', { count: quantity }), money(amount, currency)].join(', ');
  // Who was chosen is let in, or nobody: another one who is left alone in the list was not chosen.
  const paid = chosen === '' && data.length === 1 ? data[0] : data.find(({ _id }) => _id === chosen);
  const unsaid = paid === undefined && (data.length > 1 || chosen !== '');
  return {
    paymentId: paid?._id,
    name: paid === undefined ? (unsaid ? t('occupations.manage.chosenPaid') : null) : said(paid),
    blocked: (asks && !read.isSuccess) || unsaid,
    field: (data.length > 1 || chosen !== '') && (
      <NativeSelect
        mt="md"
        size="md"
        label={t('occupations.manage.whoPaid')}
        value={paid?._id ?? ''}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[{ value: '', label: t('occupations.manage.choosePaid') }, ...data.map((each) => ({ value: each._id, label: said(each) }))]}
        data-autofocus
      />
    ),
  };
};
