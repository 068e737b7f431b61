import { Link, type LinkProps } from '@tanstack/react-router';
import styles from './tabs.module.css';

type Tab = { word: string; here: boolean; to: LinkProps };

/** The parts of a screen, each of which has an address. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav className={styles.tabs} aria-label={label}>
    {tabs.map(({ word, here, to }) => (
      <Link
        key={word}
        {...to}
        className={styles.tab}
        activeProps={{}}
        aria-current={here ? 'page' : undefined}
        data-here={here || undefined}
      >
        {word}
      </Link>
    ))}
  </nav>
);
