import type { ReactNode } from 'react';
import styles from './detail-layout.module.css';

/** A detail screen: what it is and what can be done now in the middle, what it is tied to beside it; one under the other on a phone. */
export const DetailLayout = ({ children, aside }: { children: ReactNode; aside?: ReactNode }) => (
  <div className={styles.detail}>
    <div className={styles.column}>{children}</div>
    {aside && <aside className={styles.column}>{aside}</aside>}
  </div>
);
