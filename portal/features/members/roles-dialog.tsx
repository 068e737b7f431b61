import { ROLES } from '@hatchway/domain/terms.ts';
import { useTranslation } from 'react-i18next';
import { useDraft, useRow } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { type Member, memberQuery, type Roles, useMemberCommands } from './api.ts';
import { RolePicker } from './role-picker.tsx';

type Props = { member: Member; mine: boolean; onRemove: (member: Member) => void; onClose: () => void };

const begun = (member: Member | null): { roles: Roles } => ({ roles: ROLES.filter((role) => member?.roles.includes(role)) });

/** What one member may do. What is taken holds at once; what is given, with their next renewal, within minutes. */
export const RolesDialog = ({ member, mine, onRemove, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = useMemberCommands();
  const draft = useDraft({
    ...useRow(memberQuery(useApi(), member.id), member),
    begun,
    save: ({ roles }, version) => commands.setRoles(member.id, roles, version),
    onSaved: () => {
      toast.ok(t('members.rolesSaved', { name: member.name }));
      onClose();
    },
  });
  const { roles } = draft.value;
  const losesAdmin = mine && member.roles.includes('admin') && !roles.includes('admin');
  return (
    <FormDialog title={t('members.rolesOf', { name: member.name })} dirty={draft.dirty} saving={draft.saving} onClose={onClose}>
      <RolePicker value={roles} onChange={(next) => draft.set({ roles: next })} />
      {losesAdmin && (
        <p role="alert">
          <strong>{t('members.ownAdmin')}</strong>
        </p>
      )}
      <SaveProblem of={draft.conflict} />
      <FormFoot saving={draft.saving} onSave={draft.save} remove={{ label: t('members.remove'), onRemove: () => onRemove(member) }} />
    </FormDialog>
  );
};
