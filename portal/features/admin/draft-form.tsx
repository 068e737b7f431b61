import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import type { useCompanyDraft } from './api.ts';
import styles from './admin.module.css';

type Draft = Pick<ReturnType<typeof useCompanyDraft>, 'dirty' | 'reset' | 'save' | 'saving' | 'error' | 'stale' | 'catchUp'>;

/** The frame of a form on the company: saves, takes back, guards what was typed. `wrong`: something is to be put right first. */
export const DraftForm = ({ draft, wrong, onTry, children }: { draft: Draft; wrong: boolean; onTry: () => void; children: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onTry();
        if (!wrong) draft.save();
      }}
    >
      {children}
      {draft.error !== null && (
        <ProblemNote error={draft.error} {...(draft.stale ? { onRetry: () => void draft.catchUp(), title: t('admin.stale') } : {})} />
      )}
      <Group gap="xs">
        <Button type="submit" loading={draft.saving} disabled={!draft.dirty}>
          {t('common.save')}
        </Button>
        {draft.dirty && (
          <Button variant="default" onClick={draft.reset}>
            {t('common.cancel')}
          </Button>
        )}
      </Group>
      <UnsavedGuard dirty={draft.dirty && !draft.saving} />
    </form>
  );
};
