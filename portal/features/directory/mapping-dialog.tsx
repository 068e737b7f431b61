import { ROLES } from '@hatchway/domain/terms.ts';
import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useDraft, useRow } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { RolePicker } from '../members/role-picker.tsx';
import { groupsQuery, permissionsQuery } from '../permissions/api.ts';
import { type DirectoryGroup, directoryGroupQuery, type Mapping, useDirectoryCommands } from './api.ts';
import styles from './directory.module.css';

const begun = (group: DirectoryGroup | null): Mapping => ({
  roles: ROLES.filter((role) => group?.roles.includes(role)),
  groups: group?.groups ?? [],
  permissions: group?.permissions ?? [],
});

/** What the people of one of the directory's groups get here. It holds at once, for who is in it and who comes. */
export const MappingDialog = ({ group, onClose }: { group: DirectoryGroup; onClose: () => void }) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useDirectoryCommands();
  const groups = useQuery(groupsQuery(api));
  const permissions = useQuery(permissionsQuery(api));
  const draft = useDraft({
    ...useRow(directoryGroupQuery(api, group.id), group),
    begun,
    save: (mapping, version) => commands.map(group.id, mapping, version),
    onSaved: (saved) => {
      toast.ok(t('directory.mapped', { name: saved.name }));
      onClose();
    },
  });
  const { value, set } = draft;
  const refused = fieldErrors(draft.error, t);
  const options = (rows: readonly { id: string; name: string }[] | undefined) =>
    (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FormDialog title={t('directory.map', { name: group.name })} dirty={draft.dirty} saving={draft.saving} size="lg" long onClose={onClose}>
      <Form onSubmit={draft.save} className={styles.form}>
        <RolePicker value={value.roles} description={t('directory.rolesText')} onChange={(roles) => set({ roles })} />
        <MultiSelect
          label={t('directory.ourGroups')}
          description={t('directory.ourGroupsText')}
          data={options(groups.data)}
          value={[...value.groups]}
          onChange={(ids) => set({ groups: ids })}
          error={refused['groups.0']}
          searchable
          hidePickedOptions
          nothingFoundMessage={t('directory.nothingFound')}
        />
        <MultiSelect
          label={t('directory.permissions')}
          description={t('directory.permissionsText')}
          data={options(permissions.data)}
          value={[...value.permissions]}
          onChange={(ids) => set({ permissions: ids })}
          error={refused['permissions.0']}
          searchable
          hidePickedOptions
          nothingFoundMessage={t('directory.nothingFound')}
        />
        <SaveProblem of={draft.conflict} />
        <FormFoot saving={draft.saving} />
      </Form>
    </FormDialog>
  );
};
