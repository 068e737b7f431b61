import { Button, Group, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type AssetGroup, type AssetGroupInput, useAssetGroupCommands } from './api.ts';
import { AssetGroupFields } from './asset-group-fields.tsx';

type Props = {
  group: AssetGroup | null;
  /** Offered here too: on a phone the row's own button lies beyond the edge. */
  onDelete: (group: AssetGroup) => void;
  onClose: () => void;
};

/** Makes a group, or changes the one that is given; when it is refused the dialog stays, and with it what was typed. */
export const AssetGroupDialog = ({ group, onDelete, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useAssetGroupCommands();
  const [value, setValue] = useState<AssetGroupInput>({ name: group?.name ?? '', description: group?.description ?? '' });
  const [tried, setTried] = useState(false);
  const typed = { name: value.name.trim(), description: value.description.trim() };
  const save = useMutation({
    mutationFn: () => (group ? commands.change(group.id, typed) : commands.create(typed)),
    onSuccess: ({ name }) => {
      toast.ok(t(group ? 'assetGroups.saved' : 'assetGroups.made', { name }));
      onClose();
    },
  });
  const taken = codeOf(save.error) === 'name-taken';
  const refused = fieldErrors(save.error);
  const wrong = {
    ...refused,
    ...(taken ? { name: t('problems.name-taken') } : {}),
    ...(tried && typed.name === '' ? { name: t('assetGroups.nameNeeded') } : {}),
    ...(tried && typed.description === '' ? { description: t('assetGroups.descriptionNeeded') } : {}),
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (typed.name !== '' && typed.description !== '') save.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={group ? t('assetGroups.change', { name: group.name }) : t('assetGroups.make')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      // A slip beside the dialog must not cost what was typed.
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate>
        <AssetGroupFields
          value={value}
          wrong={wrong}
          onChange={(next) => {
            setValue(next);
            if (save.isError) save.reset();
          }}
        />
        {save.isError && !taken && <ProblemNote error={save.error} />}
        <Group justify="flex-end" mt="lg" gap="xs">
          {group && (
            <Button variant="subtle" color="red" mr="auto" onClick={() => onDelete(group)}>
              {t('common.delete')}
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('common.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
};
