import { useTranslation } from 'react-i18next';
import { DoorIcon } from './door-icon.tsx';
import { DOOR_LOOKS, type DoorLook } from './model.ts';
import styles from './wall.module.css';

type Counts = ReadonlyMap<DoorLook, number>;
const NONE: Counts = new Map();

/** What the fills and icons mean that a wall at hand shows, with how many. `back`: of doors that stand back, and so have no fill. */
export function Legend({ counts, back = NONE }: { counts: Counts; back?: Counts }) {
  const { t } = useTranslation();
  const looks = DOOR_LOOKS.filter((look) => counts.has(look) || back.has(look));
  return (
    <ul className={styles.legend} aria-label={t('lockers.wall.legend')}>
      {looks.map((look) => (
        <li key={look}>
          <span className={styles.swatch} data-look={look} data-faint={counts.has(look) ? undefined : true}>
            <span className={styles.leaf} />
            <DoorIcon look={look} size={12} />
          </span>
          {t(`terms.lockerState.${look}`)}
          <b>{counts.get(look) ?? back.get(look)}</b>
        </li>
      ))}
    </ul>
  );
}
