import { Button, Group as Row, TextInput, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Group, type GroupInput, useGroupCommands } from './api.ts';

type Props = { group: Group | null; onSaved: (group: Group) => void; onCancel: () => void; aside?: ReactNode };

/** Name and description, the same when a group is made and when it is changed; what was typed outlives a refusal. */
export const GroupForm = ({ group, onSaved, onCancel, aside }: Props) => {
  const { t } = useTranslation();
  const commands = useGroupCommands();
  const [value, setValue] = useState<GroupInput>({ name: group?.name ?? '', description: group?.description ?? '' });
  const [tried, setTried] = useState(false);
  const typed = { name: value.name.trim(), description: value.description.trim() };
  const save = useMutation({
    mutationFn: () => (group ? commands.change(group.id, typed) : commands.create(typed)),
    onSuccess: (saved) => {
      toast.ok(t(group ? 'groups.saved' : 'groups.made', { name: saved.name }));
      onSaved(saved);
    },
  });
  const taken = codeOf(save.error) === 'name-taken';
  const dirty = typed.name !== (group?.name ?? '') || typed.description !== (group?.description ?? '');
  const change = (next: Partial<GroupInput>): void => {
    setValue((old) => ({ ...old, ...next }));
    if (save.isError) save.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (typed.name !== '') save.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label={t('groups.name')}
        value={value.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={taken ? t('problems.name-taken') : tried && typed.name === '' ? t('groups.nameNeeded') : null}
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
      {save.isError && !taken && <ProblemNote error={save.error} />}
      <Row justify="flex-end" mt="md" gap="xs">
        {aside}
        <Button variant="default" onClick={onCancel}>
          {t(group ? 'common.close' : 'common.cancel')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={group !== null && !dirty}>
          {t('common.save')}
        </Button>
      </Row>
    </form>
  );
};
