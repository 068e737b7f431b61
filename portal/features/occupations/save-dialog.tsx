import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Conflict } from '../../app/draft.ts';
import { codeOf } from '../../app/problem.ts';
import type { Occupation } from '../../app/queries.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';

/** Saves under the version that was seen; when somebody was quicker the dialog stays, and with it what was typed. */
export function useSave(one: Occupation, onClose: () => void) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (change: () => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await change();
      onClose();
    } catch (failure) {
      setError(failure);
      if (codeOf(failure) === 'stale') void queryClient.invalidateQueries({ queryKey: ['occupations', one.id] });
    }
    setBusy(false);
  };
  return { busy, error, save };
}

/** A form in a dialog about one occupation; what went wrong stands above its buttons. */
export const SaveDialog = ({
  title,
  error,
  conflict,
  busy,
  dirty = false,
  destructive = false,
  action,
  unlikely = false,
  onSave,
  onClose,
  children,
}: {
  title: string;
  error: unknown;
  /** Of a form that shows what somebody else may have changed meanwhile, in place of `error`. */
  conflict?: Conflict;
  busy: boolean;
  /** Something is typed here that would be lost. */
  dirty?: boolean;
  destructive?: boolean;
  /** The word on its button; Save where none is given. */
  action?: string;
  /** Something in the dialog comes before it: then its button is not the main one. */
  unlikely?: boolean;
  onSave: () => void;
  onClose: () => void;
  children: ReactNode;
}) => {
  const { t } = useTranslation();
  return (
    <FormDialog title={title} dirty={dirty} saving={busy} onClose={onClose}>
      <Form onSubmit={onSave}>
        {children}
        {conflict && <SaveProblem of={conflict} />}
        {!conflict && error !== null && (
          <ProblemNote error={error} {...(codeOf(error) === 'stale' ? { title: t('occupations.manage.stale') } : {})} />
        )}
        <FormFoot saving={busy} danger={destructive} unlikely={unlikely} {...(action ? { save: action } : {})} />
      </Form>
    </FormDialog>
  );
};
