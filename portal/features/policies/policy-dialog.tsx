import { Button, Group, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { usePolicyCommands, type Policy } from './api.ts';
import { draftOf, inputOf, LIMIT_NAMES, LIMITS, limitFits, REF } from './draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import styles from './policies.module.css';

/** Makes a policy or changes one; a refusal leaves the form as it stands. */
export const PolicyDialog = ({ policy, onClose }: { policy: Policy | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = usePolicyCommands();
  const phone = useMediaQuery('(max-width: 48em)');
  const [first] = useState(() => draftOf(policy));
  const [draft, setDraft] = useState(first);
  const [tried, setTried] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const dirty = JSON.stringify(draft) !== JSON.stringify(first);
  const save = useMutation({
    mutationFn: () => (policy ? commands.change(policy._id, inputOf(draft)) : commands.create(inputOf(draft))),
    onSuccess: ({ name }) => {
      toast.ok(t(policy ? 'policies.saved' : 'policies.made', { name }));
      onClose();
    },
  });
  const own: Record<string, string> = {
    ...(draft.name.trim() === '' ? { name: t('policies.nameNeeded') } : {}),
    ...(REF.test(draft.ref) ? {} : { ref: t('policies.refNeeded') }),
    ...Object.fromEntries(
      LIMIT_NAMES.filter((limit) => !limitFits(limit, draft.limits[limit])).map((limit) => [limit, t('policies.between', LIMITS[limit])]),
    ),
  };
  const taken = codeOf(save.error) === 'name-taken';
  const wrong = { ...fieldErrors(save.error), ...(taken ? { ref: t('policies.refTaken') } : {}), ...(tried ? own : {}) };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(own).length === 0) save.mutate();
  };
  const leave = (): void => (dirty ? setLeaving(true) : onClose());
  return (
    <Modal
      opened
      onClose={leave}
      title={policy ? t('policies.change', { name: policy.name }) : t('policies.make')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      closeOnClickOutside={false}
      size="lg"
      fullScreen={phone ?? false}
    >
      <UnsavedGuard dirty={dirty && !save.isSuccess} />
      <form onSubmit={submit} noValidate className={styles.form}>
        <PolicyFields
          value={draft}
          isNew={policy === null}
          wrong={wrong}
          onChange={(change) => {
            setDraft((old) => ({ ...old, ...change }));
            if (save.isError) save.reset();
          }}
        />
        {save.isError && !taken && <ProblemNote error={save.error} />}
        <Group justify="flex-end" gap="xs" className={styles.foot ?? ''}>
          <Button variant="default" onClick={leave}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Group>
      </form>
      <ConfirmDialog
        opened={leaving}
        destructive
        title={t('common.unsavedTitle')}
        action={t('common.leave')}
        onConfirm={onClose}
        onClose={() => setLeaving(false)}
      >
        {t('common.unsavedText')}
      </ConfirmDialog>
    </Modal>
  );
};
