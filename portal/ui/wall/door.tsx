import { IconCheck, IconStarFilled } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { memo } from 'react';
import { DoorIcon } from './door-icon.tsx';
import { roomOf } from './geometry.ts';
import { sameDoor, type DoorView } from './model.ts';
import styles from './wall.module.css';

export type DoorProps = {
  door: DoorView;
  /** Pixels. */
  height: number;
  reachable: boolean;
  selected: boolean;
  suggested: boolean;
  pickable: boolean;
  t: TFunction;
};

/** What is said of a door beside what is written on it. */
function unwritten(door: DoorView, noted: boolean, suggested: boolean, t: TFunction): string {
  const parts: string[] = [];
  if (door.ajar && door.look !== 'open') parts.push(t('lockers.wall.ajar'));
  if (door.busy === true) parts.push(t('lockers.wall.busy'));
  if (suggested) parts.push(t('lockers.wall.bestFit'));
  if (door.note !== undefined && !noted) parts.push(door.note);
  if (door.blocked !== undefined) parts.push(door.blocked);
  return parts.map((part) => `, ${part}`).join('');
}

function DoorButton({ door, height, reachable, selected, suggested, pickable, t }: DoorProps) {
  const room = roomOf(height);
  const noted = room === 'full' && door.note !== undefined;
  const unsaid = unwritten(door, noted, suggested, t);
  return (
    <button
      type="button"
      className={styles.door}
      style={{ height }}
      data-door={door.id}
      data-look={door.look}
      data-room={room}
      data-ajar={door.ajar || undefined}
      data-busy={door.busy || undefined}
      data-faint={door.faint || undefined}
      data-selected={selected || undefined}
      data-suggested={suggested || undefined}
      tabIndex={reachable ? 0 : -1}
      aria-pressed={pickable ? selected : undefined}
      aria-disabled={!pickable || door.blocked !== undefined || undefined}
      title={door.blocked}
    >
      <span className={styles.leaf} />
      <span className={styles.face}>
        <span className={styles.top}>
          <span className={styles.tag}>{door.tag}</span>
          <span className={styles.hint}>, {t('lockers.wall.size')} </span>
          <span className={styles.size}>{door.size}</span>
        </span>
        <span className={styles.state}>
          <span className={styles.hint}>, </span>
          <DoorIcon look={door.look} size={room === 'full' ? 15 : 13} />
          <span className={styles.word}>{t(`terms.lockerState.${door.look}`)}</span>
        </span>
        {noted && <span className={styles.note}>{door.note}</span>}
      </span>
      {unsaid !== '' && <span className={styles.hint}>{unsaid}</span>}
      {selected && (
        <span className={styles.check} aria-hidden>
          <IconCheck size={12} stroke={3} />
        </span>
      )}
      {suggested && (
        <span className={styles.star} aria-hidden>
          <IconStarFilled size={11} />
        </span>
      )}
    </button>
  );
}

export const Door = memo(
  DoorButton,
  (a, b) =>
    sameDoor(a.door, b.door) &&
    a.height === b.height &&
    a.reachable === b.reachable &&
    a.selected === b.selected &&
    a.suggested === b.suggested &&
    a.pickable === b.pickable &&
    a.t === b.t,
);
