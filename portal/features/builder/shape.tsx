import type { ReactNode } from 'react';
import { heightOf } from '../../ui/wall/geometry.ts';
import type { Layout } from '../../ui/wall/model.ts';
import styles from './builder.module.css';

/** A wall's outline, to scale: enough to know it again. */
export const Shape = ({ layout }: { layout: Layout }) => {
  const tallest = Math.max(1, ...layout.map(heightOf));
  const width = layout.reduce((sum, column) => sum + column.width, 0);
  return (
    <span className={styles.shape} style={{ aspectRatio: `${Math.min(4, Math.max(0.5, width / tallest))}` }} aria-hidden>
      {layout.map((column, at) => (
        <span key={at} style={{ flex: `${column.width} 1 0`, height: `${(heightOf(column) / tallest) * 100}%` }}>
          {column.doors.map((door) => (
            <i key={door.lockerId} style={{ flex: `${door.height} 1 0` }} />
          ))}
        </span>
      ))}
    </span>
  );
};

type StartProps = { layout: Layout; chosen: boolean; onChoose: () => void; children: ReactNode };
/** A wall that may be begun with: one of several. */
export const Start = ({ layout, chosen, onChoose, children }: StartProps) => (
  <label className={styles.template}>
    <input type="radio" name="start" checked={chosen} onChange={onChoose} className="hw-spoken" />
    <Shape layout={layout} />
    <span>{children}</span>
  </label>
);
