import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { tell } from '../app/problem.ts';
import styles from './problem-note.module.css';

/** What went wrong, where it went wrong: a sentence, the server's detail behind it, and a way to try again. */
export const ProblemNote = ({ error, onRetry, title }: { error: unknown; onRetry?: () => void; title?: string }) => {
  const { t } = useTranslation();
  const told = tell(error);
  const sentence = t(`problems.${told.sentence}`);
  return (
    <div role="alert" className={styles.note}>
      <IconAlertTriangle size={20} aria-hidden />
      <div>
        <strong>{title ?? sentence}</strong>
        {title && <p>{sentence}</p>}
        <details>
          <summary>{t('common.details')}</summary>
          <code>{told.detail}</code>
        </details>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        )}
      </div>
    </div>
  );
};
