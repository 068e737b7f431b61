import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { useRefill } from '../occupations/api.ts';
import { SaveDialog } from '../occupations/save-dialog.tsx';
import type { Good } from './api.ts';
import { useGoodName } from './good-name.ts';

const MOST = 100_000;

/** How many were put beside those that are there; the door is opened on the occupation's own page. */
export const RefillDialog = ({ good, onClose }: { good: Good; onClose: () => void }) => {
  const { t } = useTranslation();
  const name = useGoodName(good);
  const refillOnce = useRefill();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const count = Number(typed);
  const right = Number.isInteger(count) && count > 0 && (good.quantity ?? 0) + count <= MOST;
  const refill = useMutation({
    mutationFn: () => refillOnce(good, count),
    onSuccess: () => {
      toast.ok(t('storefront.refilled', { name, count }));
      onClose();
    },
  });
  return (
    <SaveDialog
      title={t('storefront.refillTitle', { name })}
      action={t('storefront.refill')}
      error={refill.error}
      busy={refill.isPending}
      dirty={typed !== ''}
      onSave={() => {
        setTried(true);
        if (right) refill.mutate();
      }}
      onClose={onClose}
    >
      <TextInput
        label={t('storefront.added')}
        description={t('storefront.addedText', { count: good.quantity ?? 0 })}
        inputMode="numeric"
        data-autofocus
        value={typed}
        error={tried && !right ? t('storefront.wrongAdded') : undefined}
        errorProps={{ role: 'alert' }}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </SaveDialog>
  );
};
