import { useTranslation } from 'react-i18next';
import { DoorIcon } from './door-icon.tsx';
import { DOOR_LOOKS, type DoorLook } from './model.ts';
import styles from './wall.module.css';

/** What the fills mean; of a wall at hand only those that it shows, with how many. */
export function Legend({ counts }: { counts?: ReadonlyMap<DoorLook, number> }) {
  const { t } = useTranslation();
  const looks = counts === undefined ? DOOR_LOOKS : DOOR_LOOKS.filter((look) => (counts.get(look) ?? 0) > 0);
  return (
    <ul className={styles.legend} aria-label={t('lockers.wall.legend')}>
      {looks.map((look) => (
        <li key={look}>
          <span className={styles.swatch} data-look={look}>
            <span className={styles.leaf} />
            <DoorIcon look={look} size={12} />
          </span>
          {t(`terms.lockerState.${look}`)}
          {counts !== undefined && <b>{counts.get(look)}</b>}
        </li>
      ))}
    </ul>
  );
}
