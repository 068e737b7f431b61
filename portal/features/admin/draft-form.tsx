import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conflict } from '../../app/draft.ts';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import styles from './admin.module.css';

type Draft = { dirty: boolean; reset: () => void; save: () => void; saving: boolean; conflict: Conflict };

/** The frame of a form on the company: saves, takes back, guards what was typed. `wrong`: something is to be put right first. */
export const DraftForm = ({ draft, wrong, onTry, children }: { draft: Draft; wrong: boolean; onTry: () => void; children: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <Form
      className={styles.form}
      onSubmit={() => {
        onTry();
        if (!wrong) draft.save();
      }}
    >
      {children}
      <SaveProblem of={draft.conflict} />
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
    </Form>
  );
};
