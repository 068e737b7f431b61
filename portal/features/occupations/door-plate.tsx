import { useTranslation } from 'react-i18next';
import type { Cabinet } from '../../app/queries.ts';
import type { Doors } from '../../ui/wall/model.ts';
import styles from './door-plate.module.css';

type Props = { tag: string; lockerId: string; cabinet: Cabinet | undefined };

/** The door that somebody goes to with a parcel in one hand: its tag as large as on the wall, and where on the wall it is. */
export const DoorPlate = ({ tag, lockerId, cabinet }: Props) => {
  const { t } = useTranslation();
  const columns = cabinet?.columns ?? [];
  const column = columns.findIndex(({ doors }) => doors.some((door) => door.lockerId === lockerId));
  const doors = columns[column]?.doors ?? [];
  const row = doors.findIndex((door) => door.lockerId === lockerId);
  return (
    <p className={styles.at}>
      <b className={styles.tag}>{tag}</b>{' '}
      {cabinet !== undefined && (
        <span>
          <b>{cabinet.name}</b>{' '}
          {row >= 0 && (
            <span className={styles.place}>
              {t('occupations.onWall', { column: column + 1, columns: columns.length, row: row + 1, rows: doors.length })}
            </span>
          )}
        </span>
      )}
    </p>
  );
};

/** The doors beside it stand back, so that one look finds it. */
export const standOut = (doors: Doors, lockerId: string): Doors =>
  Object.fromEntries(Object.values(doors).map((door) => [door.id, door.id === lockerId ? door : { ...door, faint: true }]));
