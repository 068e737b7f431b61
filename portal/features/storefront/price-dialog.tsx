import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { priceOf, typedAmount, useMoney } from '../../app/money.ts';
import { toast } from '../../app/toasts.ts';
import { useOccupationCommands } from '../occupations/api.ts';
import { SaveDialog } from '../occupations/save-dialog.tsx';
import type { Good } from './api.ts';
import { useGoodName } from './good-name.ts';

/** What one piece costs from now on. Who began to pay before pays what it cost then. */
export const PriceDialog = ({ good, onClose }: { good: Good; onClose: () => void }) => {
  const { t, i18n } = useTranslation();
  const money = useMoney();
  const name = useGoodName(good);
  const commands = useOccupationCommands();
  const currency = good.price?.currency ?? 'NOK';
  const [seen] = useState(good.version);
  const [first] = useState(() => (good.price === null ? '' : typedAmount(good.price.amount, currency, i18n.language)));
  const [typed, setTyped] = useState(first);
  const [tried, setTried] = useState(false);
  const amount = priceOf(typed, currency);
  const change = useMutation({
    mutationFn: (wanted: number) => commands.amend(good.id, { version: seen, price: { amount: wanted, currency } }),
    onSuccess: (_done, wanted) => {
      toast.ok(t('storefront.priced', { name, price: money(wanted, currency) }));
      onClose();
    },
  });
  return (
    <SaveDialog
      title={t('storefront.priceTitle', { name })}
      action={t('common.save')}
      error={change.error}
      busy={change.isPending}
      dirty={typed !== first}
      onSave={() => {
        setTried(true);
        if (amount !== null) change.mutate(amount);
      }}
      onClose={onClose}
    >
      <TextInput
        label={t('storefront.priceOne', { currency })}
        description={t('storefront.priceText')}
        inputMode="decimal"
        data-autofocus
        value={typed}
        error={tried && amount === null ? t('storefront.wrongPrice') : undefined}
        errorProps={{ role: 'alert' }}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </SaveDialog>
  );
};
