import { mayReadPayments } from '@hatchway/domain/access.ts';
import { Button } from '@mantine/core';
import { IconBuildingStore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { useAccess, useFacts } from '../../app/who.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Bones } from '../../ui/panel.tsx';
import { compact } from '../../ui/table/search.ts';
import { ForOthers } from '../pages/not-allowed.tsx';
import { type Payment, paymentQuery } from './api.ts';
import { CompareBooks } from './books-dialog.tsx';
import { PaymentDrawer } from './payment-drawer.tsx';
import { PaymentsTable } from './payments-table.tsx';
import type { PaymentsSearch } from './search.ts';

export const Payments = ({ search }: { search: PaymentsSearch }) => {
  const { t } = useTranslation();
  const access = useAccess();
  const may = mayReadPayments(useFacts());
  const navigate = useNavigate();
  const set = (change: Partial<PaymentsSearch>, replace = true): void =>
    void navigate({ to: '/manage/payments', search: (old) => compact({ ...(old as PaymentsSearch), ...change }), replace });
  // One of its own for the whole life of the screen: the table's rows are not drawn again when a payment opens.
  const [open] = useState(() => (payment: Payment) => set({ payment: payment._id }, false));
  // Of another company's that may be read there, the frame says whose it is.
  const foreign = useQuery({ ...paymentQuery(useApi(), search.payment ?? ''), enabled: !may && search.payment !== undefined });
  if (foreign.isLoading) return <Bones lines={4} height={72} />;
  if (!may) return <ForOthers title={t('payments.notAllowed')} text={t('payments.notAllowedText')} />;
  const goods = access.may('storefront') && (
    <Button
      variant="default"
      leftSection={<IconBuildingStore size={18} aria-hidden />}
      renderRoot={(props) => <Link {...props} to="/services/storefront" />}
    >
      {t('terms.service.storefront')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('payments.title')}
        intro={t('payments.intro')}
        actions={
          <>
            <CompareBooks />
            {goods}
          </>
        }
      />
      <PaymentsTable search={search} onSearch={set} onOpen={open} empty={goods} />
      {search.payment && <PaymentDrawer key={search.payment} id={search.payment} onClose={() => set({ payment: undefined })} />}
    </>
  );
};
