import { shallowEqual } from '@mantine/hooks';
import type { TFunction } from 'i18next';
import { memo, useRef, type ReactNode } from 'react';
import { Door } from './door.tsx';
import { heightOf, type Scale } from './geometry.ts';
import type { Doors, LayoutColumn } from './model.ts';
import { useNear } from './near.ts';
import styles from './wall.module.css';

type ColumnProps = {
  column: LayoutColumn;
  index: number;
  head: ((column: number) => ReactNode) | undefined;
  doors: Doors;
  scale: Scale;
  /** Width of the narrowest column in the layout's unit. */
  narrowest: number;
  virtual: boolean;
  pickable: boolean;
  /** The door that Tab reaches, if it stands in this column. */
  reachable: string | undefined;
  /** The keyboard is in this column, so that it is built wherever it stands. */
  held: boolean;
  suggested: string | undefined;
  selected: ReadonlySet<string>;
  t: TFunction;
};

/** Pixels that what stands over a column takes, as whoever puts it there draws it. */
const HEAD = 36;

function ColumnOfDoors({
  column,
  index,
  head,
  doors,
  scale,
  narrowest,
  virtual,
  pickable,
  reachable,
  held,
  suggested,
  selected,
  t,
}: ColumnProps) {
  const ref = useRef<HTMLDivElement>(null);
  const near = useNear(ref, virtual) || held;
  return (
    <div
      ref={ref}
      className={styles.column}
      data-column={index}
      style={{
        flexBasis: Math.max(column.width * scale.unit * scale.squeeze, (scale.minColumn * column.width) / narrowest),
        minWidth: (scale.leastColumn * column.width) / narrowest,
        height: heightOf(column) * scale.unit + (head === undefined ? 0 : HEAD),
      }}
    >
      {head?.(index)}
      {near &&
        column.doors.map(({ lockerId, height }) => {
          const door = doors[lockerId];
          const pixels = height * scale.unit;
          if (door === undefined) return <span key={lockerId} className={styles.panel} style={{ height: pixels }} />;
          return (
            <Door
              key={lockerId}
              door={door}
              height={pixels}
              reachable={reachable === lockerId}
              selected={selected.has(lockerId)}
              suggested={suggested === lockerId}
              pickable={pickable}
              t={t}
            />
          );
        })}
    </div>
  );
}

/** A live change rebuilds the record of all doors: a column is run again only when a door of its own differs. */
export const Column = memo(ColumnOfDoors, ({ doors, selected, scale, ...rest }, next) => {
  const { doors: nextDoors, selected: nextSelected, scale: nextScale, ...nextRest } = next;
  return (
    shallowEqual(rest, nextRest) &&
    shallowEqual(scale, nextScale) &&
    rest.column.doors.every(
      ({ lockerId }) => shallowEqual(doors[lockerId], nextDoors[lockerId]) && selected.has(lockerId) === nextSelected.has(lockerId),
    )
  );
});
