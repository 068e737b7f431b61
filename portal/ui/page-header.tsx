import { type ReactNode, useEffect } from 'react';
import { useCompanyName } from '../app/who.ts';
import styles from './page-header.module.css';

type Props = { title: string; intro?: ReactNode; actions?: ReactNode; children?: ReactNode };

/** The head of every screen: its one h1, which takes the focus after a navigation and names the document. */
export const PageHeader = ({ title, intro, actions, children }: Props) => {
  const company = useCompanyName();
  useEffect(() => {
    document.title = [title, company, 'Hatchway'].filter(Boolean).join(' · ');
  }, [title, company]);
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <h1 className={styles.title} tabIndex={-1} data-page-title>
          {title}
        </h1>
        {intro && <p className={styles.intro}>{intro}</p>}
        {children}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
};
