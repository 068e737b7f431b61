import { Button, Group, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft, useRow } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { UnsavedGuard } from '../../ui/unsaved.tsx';
import { policyQuery, usePolicyCommands, type Policy } from './api.ts';
import { draftOf, inputOf, LIMIT_NAMES, LIMITS, limitFits, REF } from './draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import styles from './policies.module.css';

/** Makes a policy or changes one; a refusal leaves the form as it stands. */
export const PolicyDialog = ({ policy, onClose }: { policy: Policy | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = usePolicyCommands();
  const phone = useMediaQuery('(max-width: 48em)');
  const [tried, setTried] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const now = useRow(policyQuery(useApi(), policy?._id ?? 'new'), policy);
  const draft = useDraft({
    ...now,
    begun: draftOf,
    save: (meant, version) => (policy ? commands.change(policy._id, { ...inputOf(meant), version }) : commands.create(inputOf(meant))),
    onSaved: ({ name }) => {
      toast.ok(t(policy ? 'policies.saved' : 'policies.made', { name }));
      onClose();
    },
  });
  const { value, dirty } = draft;
  const own: Record<string, string> = {
    ...(value.name.trim() === '' ? { name: t('policies.nameNeeded') } : {}),
    ...(REF.test(value.ref) ? {} : { ref: t('policies.refNeeded') }),
    ...Object.fromEntries(
      LIMIT_NAMES.filter((limit) => !limitFits(limit, value.limits[limit])).map((limit) => [limit, t('policies.between', LIMITS[limit])]),
    ),
  };
  const taken = codeOf(draft.error) === 'name-taken';
  const wrong = { ...fieldErrors(draft.error), ...(taken ? { ref: t('policies.refTaken') } : {}), ...(tried ? own : {}) };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(own).length === 0) draft.save();
  };
  const leave = (): void => (dirty ? setLeaving(true) : onClose());
  return (
    <Modal
      opened
      onClose={leave}
      title={now.row ? t('policies.change', { name: now.row.name }) : t('policies.make')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      closeOnClickOutside={false}
      size="lg"
      fullScreen={phone ?? false}
    >
      <UnsavedGuard dirty={dirty && !draft.saved} />
      <form onSubmit={submit} noValidate className={styles.form}>
        <PolicyFields value={value} isNew={policy === null} wrong={wrong} onChange={draft.set} />
        <SaveProblem of={draft.conflict} quiet={taken} />
        <Group justify="flex-end" gap="xs" className={styles.foot ?? ''}>
          <Button variant="default" onClick={leave}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={draft.saving}>
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
