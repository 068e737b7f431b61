import { Button } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Conflict } from '../app/draft.ts';
import styles from './problem-note.module.css';
import { ProblemNote } from './problem-note.tsx';

/**
 * Why a form was not saved. Where somebody was quicker: what they saved is one press away, and what was typed is one press back.
 * `quiet`: what went wrong stands at its field already.
 */
export const SaveProblem = ({ of, quiet = false }: { of: Conflict; quiet?: boolean }) => {
  const { t } = useTranslation();
  if (of.stale)
    return (
      <div role="alert" className={styles.note}>
        <IconAlertTriangle size={20} aria-hidden />
        <div>
          <strong>{t('common.stale')}</strong>
          <p>{t('common.staleText')}</p>
          <Button mt="xs" size="sm" variant="default" loading={of.busy} onClick={of.theirs}>
            {t('common.theirs')}
          </Button>
          {of.failed !== null && <ProblemNote error={of.failed} />}
        </div>
      </div>
    );
  return (
    <>
      {of.kept && (
        <output className={styles.note} data-calm>
          <IconInfoCircle size={20} aria-hidden />
          <span>
            <strong>{t('common.theirsShown')}</strong> {t('common.mineKept')}
            <Button mt="xs" size="sm" variant="default" display="block" onClick={of.mine}>
              {t('common.mine')}
            </Button>
          </span>
        </output>
      )}
      {of.error !== null && !quiet && <ProblemNote error={of.error} />}
    </>
  );
};
