import { shallowEqual } from '@mantine/hooks';
import { IconCheck, IconStarFilled } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { memo } from 'react';
import { DoorIcon } from './door-icon.tsx';
import { roomOf } from './geometry.ts';
import type { DoorView } from './model.ts';
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

/** What is said of a door: what is written on it, word for word and first, since one may be asked to press what one reads; then what its drawing shows. */
function spoken(door: DoorView, suggested: boolean, meant: boolean, t: TFunction): string {
  const parts = [`${door.tag} ${door.size}`];
  if (door.look !== null) parts.push(t(`terms.lockerState.${door.look}`));
  if (door.note !== undefined) parts.push(door.note);
  if (door.ajar && door.look !== 'open') parts.push(t('lockers.wall.ajar'));
  if (door.loose === true) parts.push(t('terms.lockerState.not-locked'));
  if (door.busy === true) parts.push(t('lockers.wall.busy'));
  if (meant) parts.push(t('lockers.wall.thisOne'));
  if (suggested) parts.push(t('lockers.wall.bestFit'));
  // What bars it may be the very state that was said already.
  if (door.blocked !== undefined && !parts.some((part) => part.toLowerCase() === door.blocked?.toLowerCase())) parts.push(door.blocked);
  return parts.join(', ');
}

// Thousands of these are scrolled at once: what is spoken is one attribute rather than hidden elements, each of which would be clipped apart.
function DoorButton({ door, height, reachable, selected, suggested, pickable, t }: DoorProps) {
  const room = roomOf(height);
  // Where none can be picked no state says which one is.
  const words = spoken(door, suggested, selected && !pickable, t);
  return (
    <button
      type="button"
      className={styles.door}
      style={{ height }}
      data-door={door.id}
      data-look={door.look ?? undefined}
      data-room={room}
      data-ajar={door.ajar || undefined}
      data-busy={door.busy || undefined}
      data-faint={door.faint || undefined}
      data-selected={selected || undefined}
      data-suggested={suggested || undefined}
      tabIndex={reachable ? 0 : -1}
      aria-label={words}
      aria-pressed={pickable ? selected : undefined}
      aria-disabled={!pickable || door.blocked !== undefined || undefined}
      // Where the icon alone may have room, its word is one rest of the mouse away.
      title={room === 'full' ? door.blocked : words}
    >
      <span className={styles.leaf} />
      <span className={styles.face}>
        <span className={styles.top}>
          <span className={styles.tag}>{door.tag}</span> <span className={styles.size}>{door.size}</span>
        </span>{' '}
        <span className={styles.state}>
          {door.look !== null && <DoorIcon look={door.look} size={room === 'full' ? 15 : 13} />}
          <span className={styles.word}>{door.look === null ? door.note : t(`terms.lockerState.${door.look}`)}</span>
        </span>{' '}
        {room === 'full' && door.loose === true && <span className={styles.note}>{t('terms.lockerState.not-locked')}</span>}
        {room === 'full' && door.look !== null && door.note !== undefined && <span className={styles.note}>{door.note}</span>}
      </span>
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
  ({ door, ...rest }, { door: next, ...nextRest }) => shallowEqual(door, next) && shallowEqual(rest, nextRest),
);
