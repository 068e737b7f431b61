import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Bones } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import styles from './admin.module.css';
import { type StatusLabel, useLabelCommands } from './api.ts';
import { LabelDialog } from './label-dialog.tsx';
import { SectionHead } from './section-head.tsx';

type Open = { make: true } | { change: StatusLabel } | { remove: StatusLabel } | null;

/** What state an asset can be in, in the company's own words; the type behind the word decides whether it may be lent. */
const LabelsSection = () => {
  const { t } = useTranslation();
  const api = useApi();
  const labels = useQuery({ queryKey: ['statuslabels', 'list'], queryFn: ({ signal }) => api('GET /statuslabels', { signal }) });
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <SectionHead
        title={t('admin.sections.labels')}
        intro={t('admin.labelsIntro')}
        actions={
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ make: true })}>
            {t('admin.makeLabel')}
          </Button>
        }
      />
      {labels.isError && <ProblemNote error={labels.error} onRetry={() => void labels.refetch()} />}
      {labels.isPending && <Bones lines={4} height={40} />}
      <ul className={styles.labels} aria-label={t('admin.sections.labels')}>
        {(labels.data ?? []).map((label) => (
          <li key={label.id} className={styles.row}>
            <span className={styles.dot} style={{ background: label.color ?? 'var(--hw-steel)' }} aria-hidden />
            <div className={styles.labelWords}>
              <strong>{label.name}</strong>
              <span>
                {[t(`admin.labelType.${label.type}`), label.default_label && t('admin.isDefault'), label.show_in_nav && t('admin.isShown')]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              {label.notes && <span>{label.notes}</span>}
            </div>
            <span className={styles.count}>{t('admin.labelAssets', { count: label.assets_count })}</span>
            <ActionIcon
              size={40}
              variant="subtle"
              aria-label={t('admin.changeLabel', { name: label.name })}
              onClick={() => setOpen({ change: label })}
            >
              <IconPencil size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon
              size={40}
              variant="subtle"
              color="red"
              aria-label={t('admin.deleteLabel', { name: label.name })}
              onClick={() => setOpen({ remove: label })}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {open && 'make' in open && <LabelDialog label={null} onClose={close} />}
      {open && 'change' in open && (
        // As it stands now: somebody else may change it while it is looked at.
        <LabelDialog key={open.change.id} label={labels.data?.find(({ id }) => id === open.change.id) ?? open.change} onClose={close} />
      )}
      {open && 'remove' in open && (
        <DeleteLabel label={labels.data?.find(({ id }) => id === open.remove.id) ?? open.remove} onClose={close} />
      )}
    </>
  );
};
export default LabelsSection;

const DeleteLabel = ({ label, onClose }: { label: StatusLabel; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useLabelCommands();
  const remove = useMutation({
    mutationFn: () => commands.remove(label.id),
    onSuccess: () => {
      toast.ok(t('admin.labelDeleted', { name: label.name }));
      onClose();
    },
  });
  const code = codeOf(remove.error);
  return (
    <ConfirmDialog
      opened
      destructive
      title={t('admin.deleteLabelTitle', { name: label.name })}
      action={t('common.delete')}
      busy={remove.isPending}
      blocked={label.assets_count > 0}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {label.assets_count > 0 ? t('admin.labelInUse', { count: label.assets_count }) : t('admin.labelUnused')}
      {remove.isError && <ProblemNote error={remove.error} {...(code === 'rule' ? { title: t('admin.lastLabel') } : {})} />}
    </ConfirmDialog>
  );
};
