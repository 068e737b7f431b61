import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import type { Doors } from './model.ts';
import styles from './wall.module.css';

type PlateProps = {
  name: string;
  detail: string | undefined;
  online: boolean;
  /** Every door of the wall, also those that are not read yet. */
  all: readonly string[];
  doors: Doors;
  style?: CSSProperties | undefined;
};

/** What stands over a wall: whose it is, and how many are free where that is known. */
export const Plate = ({ name, detail, online, all, doors, style }: PlateProps) => {
  const { t } = useTranslation();
  const looks = all.map((id) => doors[id]?.look);
  // A wall whose doors are not read yet has no number of free ones.
  const heard = looks.some((look) => look !== undefined);
  const free = looks.filter((look) => look === 'free').length;
  const failing = looks.filter((look) => look === 'failing').length;
  const unpaired = looks.includes('unpaired');
  // No header: in a dialog, which stands outside of the page's own parts, that would be a second banner.
  return (
    <div className={styles.plate} style={style}>
      <span className={styles.lamp} data-online={online || undefined} aria-hidden />
      <span className={styles.name}>{name}</span> {detail !== undefined && <span className={styles.detail}>{detail}</span>}{' '}
      <span className={styles.free}>
        {online
          ? heard && t('lockers.wall.freeOf', { free, total: all.length })
          : t(`terms.connection.${unpaired ? 'unpaired' : 'offline'}`)}
      </span>
      {online && failing > 0 && <span className={styles.detail}>{t('lockers.wall.failing', { count: failing })}</span>}
    </div>
  );
};
