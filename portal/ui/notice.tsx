import { type ReactNode, useEffect, useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './notice.module.css';

type Action = { label: string; onClick: () => void };
type Props = { title: string; text: string; detail?: string; action?: Action; children?: ReactNode; level?: 1 | 2 };

/**
 * A whole screen, which it names, or a whole panel, that says one thing: what happened, and where to go.
 * Its button is plain markup: Mantine's would cost the first load 5 kB.
 */
export const Notice = ({ title, text, detail, action, children, level = 1 }: Props) => {
  const { t } = useTranslation();
  const id = useId();
  useEffect(() => {
    if (level === 1) document.title = `${title} · Hatchway`;
  }, [level, title]);
  const Title = level === 1 ? 'h1' : 'h2';
  return (
    <section className={styles.notice} aria-labelledby={id} data-level={level}>
      <Mark />
      <Title id={id} className={styles.title} tabIndex={-1} data-page-title={level === 1 || undefined}>
        {title}
      </Title>
      <p className={styles.text}>{text}</p>
      <div className={styles.actions}>
        {action && (
          <button type="button" className={styles.button} onClick={action.onClick}>
            {action.label}
          </button>
        )}
        {children}
      </div>
      {detail && (
        <details className={styles.details}>
          <summary>{t('common.details')}</summary>
          <code>{detail}</code>
        </details>
      )}
    </section>
  );
};

/** The product's mark: a square door with a hatched half. */
export const Mark = ({ size = 48 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className={styles.mark}>
    <rect x="3" y="3" width="26" height="26" rx="3" fill="none" stroke="currentColor" strokeWidth="2.6" />
    <path d="M16 3v26" stroke="currentColor" strokeWidth="1.6" />
    <path d="M16 11l8-8M16 18 29 5M16 25 29 12M18.5 29 29 18.5M25 29l4-4" stroke="currentColor" strokeWidth="1.6" />
    <path d="M11.5 14v4" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
  </svg>
);
