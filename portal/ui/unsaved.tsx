import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Put into a form: asks before what was typed is lost, whether by a link, the back button or closing the page. */
export const UnsavedGuard = ({ dirty }: { dirty: boolean }) => {
  const { t } = useTranslation();
  const blocker = useBlocker({ shouldBlockFn: () => dirty, enableBeforeUnload: () => dirty, withResolver: true });
  return (
    <ConfirmDialog
      opened={blocker.status === 'blocked'}
      title={t('common.unsavedTitle')}
      action={t('common.leave')}
      destructive
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {t('common.unsavedText')}
    </ConfirmDialog>
  );
};
