import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** The one question before what was typed is lost. */
export const LeaveDialog = ({ opened, onLeave, onStay }: { opened: boolean; onLeave: () => void; onStay: () => void }) => {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      opened={opened}
      title={t('common.unsavedTitle')}
      action={t('common.leave')}
      destructive
      onConfirm={onLeave}
      onClose={onStay}
    >
      {t('common.unsavedText')}
    </ConfirmDialog>
  );
};

/** Holds what leads away, by a link, the back button or closing the page, until it is said what shall become of what was typed. */
export const useHeld = (isDirty: () => boolean) => {
  const { status, proceed, reset } = useBlocker({ shouldBlockFn: isDirty, enableBeforeUnload: isDirty, withResolver: true });
  return { held: status === 'blocked', goOn: () => proceed?.(), stay: () => reset?.() };
};

/** Put into a form: asks before what was typed is lost. */
export const UnsavedGuard = ({ dirty }: { dirty: boolean }) => {
  const { held, goOn, stay } = useHeld(() => dirty);
  return <LeaveDialog opened={held} onLeave={goOn} onStay={stay} />;
};
