import type { ReactNode } from 'react';
import styles from './admin.module.css';

/** The head of a section: its h2, what it is for, and its one primary action. */
export const SectionHead = ({ title, intro, actions }: { title: string; intro?: ReactNode; actions?: ReactNode }) => (
  <div className={styles.head}>
    <div>
      <h2 className={styles.title}>{title}</h2>
      {intro && <p className={styles.intro}>{intro}</p>}
    </div>
    {actions && <div className={styles.actions}>{actions}</div>}
  </div>
);
