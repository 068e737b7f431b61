import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './panel.module.css';

/** A titled part of a screen. */
export const Panel = ({ title, aside, children, flush }: { title: string; aside?: ReactNode; children: ReactNode; flush?: boolean }) => {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {aside}
      </div>
      <div className={styles.body} data-flush={flush || undefined}>
        {children}
      </div>
    </section>
  );
};

/** Names and values of a thing, side by side. */
export const Facts = ({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={styles.facts}>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Grey bars where content is about to stand. */
export const Bones = ({ lines = 3, height = 16 }: { lines?: number; height?: number }) => (
  <div aria-hidden data-skeleton className={styles.bones}>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} style={{ height, width: `${92 - ((index * 17) % 40)}%` }} />
    ))}
  </div>
);

/** Where a wall or a drawing will stand: one grey block, and said to who does not see it that it loads. */
export const Placeholder = ({ height }: { height: number }) => {
  const { t } = useTranslation();
  return (
    <output className={styles.placeholder} aria-label={t('common.loading')}>
      <span data-skeleton className={styles.block} style={{ height }} />
    </output>
  );
};
