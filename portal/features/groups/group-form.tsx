import { TextInput, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { type Group, type GroupInput, groupQuery, useGroupCommands } from './api.ts';

type Props = { group: Group | null; onSaved: (group: Group) => void; onDirty: (dirty: boolean) => void; onDelete?: (group: Group) => void };

const begun = (group: Group | null): GroupInput => ({ name: group?.name ?? '', description: group?.description ?? '' });
const trimmed = ({ name, description }: GroupInput): GroupInput => ({ name: name.trim(), description: description.trim() });

/** Name and description, the same when a group is made and when it is changed; what was typed outlives a refusal. */
export const GroupForm = ({ group, onSaved, onDirty, onDelete }: Props) => {
  const { t } = useTranslation();
  const commands = useGroupCommands();
  const api = useApi();
  const queryClient = useQueryClient();
  const [tried, setTried] = useState(false);
  const draft = useDraft({
    row: group,
    newest: () => queryClient.fetchQuery({ ...groupQuery(api, group?.id ?? 'new'), staleTime: 0 }),
    begun,
    meant: trimmed,
    save: (meant, version) => (group ? commands.change(group.id, { ...trimmed(meant), version }) : commands.create(trimmed(meant))),
    onSaved: (saved) => {
      toast.ok(t(group ? 'groups.saved' : 'groups.made', { name: saved.name }));
      onSaved(saved);
    },
  });
  const { value, set: change, dirty } = draft;
  const typed = dirty && !draft.saving;
  useEffect(() => onDirty(typed), [typed, onDirty]);
  const taken = codeOf(draft.error) === 'name-taken';
  const nameless = value.name.trim() === '';
  const submit = (): void => {
    setTried(true);
    if (!nameless) draft.save();
  };
  return (
    <Form onSubmit={submit}>
      <TextInput
        label={t('groups.name')}
        value={value.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={taken ? t('problems.name-taken') : tried && nameless ? t('groups.nameNeeded') : null}
        errorProps={{ role: 'alert' }}
        maxLength={100}
        data-autofocus={group ? undefined : true}
      />
      <Textarea
        label={t('groups.description')}
        value={value.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        maxLength={500}
        rows={2}
        mt="md"
      />
      <SaveProblem of={draft.conflict} quiet={taken} />
      <FormFoot
        saving={draft.saving}
        idle={group !== null && !dirty}
        cancel={t(group ? 'common.close' : 'common.cancel')}
        remove={group && onDelete ? { label: t('common.delete'), onRemove: () => onDelete(group) } : null}
      />
    </Form>
  );
};
