import { SCOPES, type Scope } from '@hatchway/domain/terms.ts';
import { Checkbox, MultiSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDraft, useRow } from '../../app/draft.ts';
import { useApi } from '../../app/portal.ts';
import { codeOf, fieldErrors } from '../../app/problem.ts';
import { toast } from '../../app/toasts.ts';
import { FormDialog, FormFoot } from '../../ui/form-dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { SaveProblem } from '../../ui/save-problem.tsx';
import { groupsQuery, permissionQuery, usePermissionCommands, useWallTags, type Permission, type PermissionInput } from './api.ts';
import { LockerPicker } from './locker-picker.tsx';
import styles from './permissions.module.css';

type Props = { permission: Permission | null; onWithdraw: (permission: Permission) => void; onClose: () => void };

const isScope = (word: string): word is Scope => SCOPES.some((scope) => scope === word);
const begun = (permission: Permission | null): PermissionInput => ({
  name: permission?.name ?? '',
  scopes: permission?.scopes ?? [],
  groups: permission?.groups ?? [],
  lockers: permission?.lockers ?? [],
});

/**
 * Grants scopes on lockers to groups, or changes what was granted; a refusal leaves all that was chosen where it is. What somebody else
 * withdrew meanwhile is not given back by this form: it would be refused, and the newer one shown.
 */
export const PermissionDialog = ({ permission, onWithdraw, onClose }: Props) => {
  const { t } = useTranslation();
  const commands = usePermissionCommands();
  const api = useApi();
  const groups = useQuery(groupsQuery(api));
  const { walls } = useWallTags();
  const [tried, setTried] = useState(false);
  const now = useRow(permissionQuery(api, permission?.id ?? 'new'), permission);
  const draft = useDraft({
    ...now,
    begun,
    save: (meant, version) => {
      const body = { ...meant, name: meant.name.trim() };
      return permission ? commands.change(permission.id, { ...body, version }) : commands.create(body);
    },
    onSaved: (saved) => {
      toast.ok(t(permission ? 'permissions.saved' : 'permissions.made', { name: saved.name }));
      onClose();
    },
  });
  const { value, set } = draft;
  const name = value.name.trim();
  const taken = codeOf(draft.error) === 'name-taken';
  const refused = fieldErrors(draft.error, t);
  const nameWrong = taken ? t('problems.name-taken') : tried && name === '' ? t('permissions.nameNeeded') : refused.name;
  const submit = (): void => {
    setTried(true);
    if (name !== '') draft.save();
  };
  const empty = value.scopes.length === 0 || value.groups.length === 0 || value.lockers.length === 0;
  return (
    <FormDialog
      title={now.row ? t('permissions.change', { name: now.row.name }) : t('permissions.make')}
      dirty={draft.dirty}
      saving={draft.saving}
      size="xl"
      long
      onClose={onClose}
    >
      <Form onSubmit={submit} className={styles.form}>
        <TextInput
          label={t('permissions.name')}
          placeholder={t('permissions.namePlaceholder')}
          value={value.name}
          maxLength={100}
          error={nameWrong}
          errorProps={{ role: 'alert' }}
          onChange={(event) => set({ name: event.currentTarget.value })}
          data-autofocus
        />
        <fieldset className={styles.scopes}>
          <legend className={styles.legend}>{t('permissions.scopes')}</legend>
          {SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              label={t(`terms.scope.${scope}`)}
              description={t(`permissions.scopeText.${scope}`)}
              checked={value.scopes.includes(scope)}
              onChange={(event) =>
                set({ scopes: event.currentTarget.checked ? [...value.scopes, scope] : value.scopes.filter((one) => one !== scope) })
              }
            />
          ))}
        </fieldset>
        <MultiSelect
          label={t('permissions.groups')}
          description={t('permissions.groupsText')}
          placeholder={value.groups.length === 0 ? t('permissions.groupsPlaceholder') : ''}
          data={(groups.data ?? []).map((group) => ({
            value: group.id,
            label: t('permissions.groupWithMembers', { name: group.name, count: group.total }),
          }))}
          value={value.groups}
          onChange={(ids) => set({ groups: ids })}
          error={refused['groups.0']}
          searchable
          hidePickedOptions
          nothingFoundMessage={t('permissions.noGroup')}
        />
        <LockerPicker walls={walls} value={value.lockers} error={refused['lockers.0']} onChange={(lockers) => set({ lockers })} />
        {empty && <p className="hw-hint">{t('permissions.grantsNothing')}</p>}
        <SaveProblem of={draft.conflict} quiet={taken} />
        <FormFoot
          saving={draft.saving}
          remove={permission && { label: t('permissions.withdraw'), onRemove: () => onWithdraw(permission) }}
        />
      </Form>
    </FormDialog>
  );
};

/** The words of a permission's scopes; one that this version does not know stands as it is. */
export const useScopeWords = () => {
  const { t } = useTranslation();
  return (scopes: readonly string[]): string[] => scopes.map((scope) => (isScope(scope) ? t(`terms.scope.${scope}`) : scope));
};
