import { IconDoor } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Locker, Occupation } from '../../app/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { leftBehind } from './running.ts';
import styles from './service.module.css';

type Props = { occupation: Occupation; locker: Locker | undefined; onConfirm: () => void; onClose: () => void };

/** Somebody else's thing lies there: this use of the locker ends, so one press is not enough. */
export const NotEmptyDialog = ({ occupation: { doorTag: tag, stage }, locker, onConfirm, onClose }: Props) => {
  const { t } = useTranslation();
  const door = locker === undefined ? null : leftBehind(stage, locker.door);
  return (
    <ConfirmDialog
      opened
      title={`${t('occupations.act.notEmpty')}: ${tag}`}
      action={t('occupations.act.notEmpty')}
      destructive
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {t('occupations.notEmpty', { tag })}
      {door !== null && (
        <p className={styles.loose}>
          <IconDoor size={18} aria-hidden /> {t(`occupations.abort.door.${door}`, { tag })}
        </p>
      )}
    </ConfirmDialog>
  );
};
