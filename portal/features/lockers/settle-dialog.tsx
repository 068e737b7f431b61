import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { occupationQuery, type Locker } from '../../app/queries.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { recordSays } from './record.ts';
import styles from './lock-control.module.css';

type Props = { locker: Locker; said: 'empty' | 'occupied'; hasSensors: boolean; onConfirm: () => void; onClose: () => void };

/** A person's word about what lies inside stands against record and sensor, and nothing takes it back: it is asked for once more, beside what they say. */
export const SettleDialog = ({ locker, said, hasSensors, onConfirm, onClose }: Props) => {
  const { t } = useTranslation();
  const used = locker.occupationId !== null;
  const occupation = useQuery({ ...occupationQuery(useApi(), locker.occupationId ?? ''), enabled: used });
  const tag = locker.doorTag;
  const denied = hasSensors && locker.occupancy !== 'unknown' && locker.occupancy !== said;
  return (
    <ConfirmDialog
      opened
      destructive
      title={t(`lockers.settle.${said}`, { tag })}
      action={t(said === 'empty' ? 'lockers.isEmpty' : 'lockers.isOccupied')}
      blocked={used && occupation.isPending}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p className={styles.said}>{recordSays(occupation.data, locker, t)}</p>
      {denied && (
        <p className={styles.said}>
          {t('lockers.sensesOtherText', {
            tag,
            said: t(`terms.content.${said}`).toLowerCase(),
            sensed: t(`terms.content.${locker.occupancy}`).toLowerCase(),
          })}
        </p>
      )}
      <p className={styles.said}>{t(`lockers.settle.${used ? 'inUse' : said === 'empty' ? 'freed' : 'kept'}`, { tag })}</p>
    </ConfirmDialog>
  );
};
