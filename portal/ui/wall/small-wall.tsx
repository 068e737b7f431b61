import { shallowEqual } from '@mantine/hooks';
import { memo } from 'react';
import { DoorIcon } from './door-icon.tsx';
import { heightOf, SMALL } from './geometry.ts';
import type { Doors, Layout, LayoutColumn } from './model.ts';
import { Plate } from './plate.tsx';
import styles from './wall.module.css';

type Props = { name: string; detail: string; online: boolean; layout: Layout; doors: Doors };

/** More columns than these are no more told from each other. */
const COLUMNS = 60;
/** Pixels that an icon takes of a door's height. */
const ICON = 9;

/**
 * A wall in its smallest form, of one height whatever it is of: each door by its fill and, where it has room, its icon. It is for looking,
 * and says nothing of its doors: whoever shows it says in words what it draws.
 */
export const SmallWall = ({ name, detail, online, layout, doors }: Props) => {
  const all = layout.flatMap((column) => column.doors.map((door) => door.lockerId));
  const tallest = Math.max(1, ...layout.map(heightOf));
  return (
    <div className={styles.cabinet} data-mode="small">
      <Plate name={name} detail={detail} online={online} all={all} doors={doors} />
      <div className={styles.frame} aria-hidden>
        {layout.slice(0, COLUMNS).map((column, index) => (
          <SmallColumn key={column.doors[0]?.lockerId ?? index} column={column} unit={SMALL / tallest} doors={doors} />
        ))}
      </div>
    </div>
  );
};

type ColumnProps = { column: LayoutColumn; unit: number; doors: Doors };

/** Drawn again when a door of its own differs: many walls may stand on one screen. */
const SmallColumn = memo(
  ({ column, unit, doors }: ColumnProps) => (
    <div className={styles.column} style={{ flexGrow: column.width, height: heightOf(column) * unit }}>
      {column.doors.map(({ lockerId, height }) => {
        const door = doors[lockerId];
        const pixels = height * unit;
        if (door === undefined) return <span key={lockerId} className={styles.panel} style={{ height: pixels }} />;
        return (
          <span
            key={lockerId}
            className={styles.door}
            style={{ height: pixels }}
            data-small-door={lockerId}
            data-look={door.look ?? undefined}
            data-ajar={door.ajar || undefined}
            data-busy={door.busy || undefined}
          >
            <span className={styles.leaf} />
            {door.look !== null && pixels > ICON + 2 && <DoorIcon look={door.look} size={ICON} />}
          </span>
        );
      })}
    </div>
  ),
  (a, b) =>
    a.column === b.column &&
    a.unit === b.unit &&
    a.column.doors.every(({ lockerId }) => shallowEqual(a.doors[lockerId], b.doors[lockerId])),
);
