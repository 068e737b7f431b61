import { Radio, Switch, TextInput, Textarea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../app/draft.ts';
import { codeOf } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import styles from './admin.module.css';
import { type StatusLabel, useLabelCommands } from './api.ts';

const TYPES = ['deployable', 'pending', 'undeployable', 'archived'] as const;
const COLOURS = ['#1c6b3a', '#0b6b64', '#1d5fa8', '#6b3fa0', '#8a4b00', '#a51d1d', '#4b5a58'] as const;

const begun = (label: StatusLabel | null) => ({
  name: label?.name ?? '',
  type: label?.type ?? 'deployable',
  color: label?.color ?? COLOURS[0],
  notes: label?.notes ?? '',
  show_in_nav: label?.show_in_nav ?? false,
  default_label: label?.default_label ?? false,
});

/** Makes a label, or changes the one that is given; when it is refused the dialog stays, and with it what was typed. */
export const LabelDialog = ({ label, onClose }: { label: StatusLabel | null; onClose: () => void }) => {
  const { t } = useTranslation();
  const commands = useLabelCommands();
  const queryClient = useQueryClient();
  const [tried, setTried] = useState(false);
  const draft = useDraft({
    row: label,
    newest: () => queryClient.refetchQueries({ queryKey: ['label-carriers', 'list'] }, { throwOnError: true }),
    begun,
    save: (meant, version) => {
      const body = { ...meant, name: meant.name.trim(), notes: meant.notes.trim() };
      return label ? commands.change(label.id, { ...body, version }) : commands.create(body);
    },
    onSaved: ({ name }) => {
      toast.ok(t('admin.labelSaved', { name }));
      onClose();
    },
  });
  const { value, set } = draft;
  const nameless = value.name.trim() === '';
  const taken = codeOf(draft.error) === 'name-taken';
  const submit = (): void => {
    setTried(true);
    if (!nameless) draft.save();
  };
  return (
    <FormDialog
      title={label ? t('admin.changeLabel', { name: label.name }) : t('admin.makeLabel')}
      dirty={draft.dirty}
      saving={draft.saving}
      onClose={onClose}
    >
      <Form onSubmit={submit} className={styles.form}>
        <TextInput
          label={t('admin.labelName')}
          value={value.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={taken ? t('problems.name-taken') : tried && nameless ? t('admin.nameNeeded') : null}
          errorProps={{ role: 'alert' }}
          maxLength={60}
          data-autofocus
        />
        <Radio.Group
          label={t('admin.labelKind')}
          value={value.type}
          onChange={(next) => set({ type: TYPES.find((type) => type === next) ?? 'deployable' })}
        >
          <div className={styles.choices}>
            {TYPES.map((type) => (
              <Radio key={type} value={type} label={t(`admin.labelType.${type}`)} description={t(`admin.labelTypeText.${type}`)} />
            ))}
          </div>
        </Radio.Group>
        <fieldset className={styles.swatches}>
          <legend>{t('admin.colour')}</legend>
          <div className={styles.colours}>
            {[...new Set([...COLOURS, value.color])].map((color, at) => (
              <label key={color} className={styles.colour}>
                <input type="radio" name="colour" value={color} checked={value.color === color} onChange={() => set({ color })} />
                <span className={styles.dot} style={{ background: color }} aria-hidden>
                  <IconCheck size={16} stroke={3} />
                </span>
                <span className="hw-spoken">{t('admin.colourNo', { number: at + 1 })}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <Textarea
          label={t('admin.notes')}
          value={value.notes}
          onChange={(event) => set({ notes: event.currentTarget.value })}
          maxLength={500}
          rows={2}
        />
        <Switch
          label={t('admin.defaultLabel')}
          description={t('admin.defaultLabelText')}
          checked={value.default_label}
          onChange={(event) => set({ default_label: event.currentTarget.checked })}
        />
        <Switch
          label={t('admin.showInNav')}
          description={t('admin.showInNavText')}
          checked={value.show_in_nav}
          onChange={(event) => set({ show_in_nav: event.currentTarget.checked })}
        />
        <SaveProblem of={draft.conflict} quiet={taken} />
        <FormFoot saving={draft.saving} />
      </Form>
    </FormDialog>
  );
};
