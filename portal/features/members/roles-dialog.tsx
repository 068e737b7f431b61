import { ROLES } from '@hatchway/domain/terms.ts';
import { Button, Group, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../app/toasts.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Member, type Roles, useMemberCommands } from './api.ts';
import { RolePicker } from './role-picker.tsx';

type Props = { member: Member; mine: boolean; onRemove: (member: Member) => void; onClose: () => void };

/** What one member may do. What is taken holds at once; what is given, with their next renewal, within minutes. */
export const RolesDialog = ({ member, mine, onRemove, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useMemberCommands();
  const [roles, setRoles] = useState<Roles>(ROLES.filter((role) => member.roles.includes(role)));
  const save = useMutation({
    mutationFn: () => commands.setRoles(member.id, roles),
    onSuccess: () => {
      toast.ok(t('members.rolesSaved', { name: member.name }));
      onClose();
    },
  });
  const losesAdmin = mine && member.roles.includes('admin') && !roles.includes('admin');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('members.rolesOf', { name: member.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      closeOnClickOutside={false}
    >
      <RolePicker
        value={roles}
        onChange={(next) => {
          setRoles(next);
          if (save.isError) save.reset();
        }}
      />
      {losesAdmin && (
        <p role="alert">
          <strong>{t('members.ownAdmin')}</strong>
        </p>
      )}
      {save.isError && <ProblemNote error={save.error} />}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="subtle" color="red" mr="auto" onClick={() => onRemove(member)}>
          {t('members.remove')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {t('common.save')}
        </Button>
      </Group>
    </Modal>
  );
};
