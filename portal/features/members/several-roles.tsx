import { ROLES } from '@hatchway/domain/terms.ts';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { SeveralDialog } from '../../ui/several-dialog.tsx';
import { type Member, memberQuery, type Roles, useMemberCommands } from './api.ts';
import { RolePicker } from './role-picker.tsx';
import styles from './members.module.css';

type Props = { members: readonly Member[]; me: string | undefined; onClose: (done: boolean) => void };

/** Gives roles to several, or takes them: what else each of them holds stays as it is, whoever changes it meanwhile. */
export const SeveralRoles = ({ members, me, onClose }: Props) => {
  const { t } = useTranslation();
  const api = useApi();
  const commands = useMemberCommands();
  const [gives, setGives] = useState(true);
  const [roles, setRoles] = useState<Roles>([]);
  const act = async ({ id }: Member): Promise<void> => {
    // As they are now, not as the list had them: it is a difference that is saved.
    const now = await memberQuery(api, id).queryFn({ signal: new AbortController().signal });
    const wanted = ROLES.filter((role) => (roles.includes(role) ? gives : now.roles.includes(role)));
    if (wanted.join() !== ROLES.filter((role) => now.roles.includes(role)).join()) await commands.setRoles(id, wanted, now.version);
  };
  const losesAdmin = !gives && roles.includes('admin') && members.some((member) => member.accountId === me);
  return (
    <SeveralDialog
      rows={members}
      nameOf={(member) => member.name}
      title={t('members.rolesOfSeveral', { count: members.length })}
      action={t('members.changeRoles')}
      done={t('members.rolesChanged', { count: members.length })}
      ready={roles.length > 0}
      act={act}
      onClose={onClose}
    >
      <SegmentedControl
        fullWidth
        mb="md"
        aria-label={t('members.changeRoles')}
        value={gives ? 'give' : 'take'}
        onChange={(next) => setGives(next === 'give')}
        data={[
          { value: 'give', label: t('members.give') },
          { value: 'take', label: t('members.take') },
        ]}
      />
      <RolePicker value={roles} description={t('members.rolesOfSeveralText')} onChange={setRoles} />
      {losesAdmin && (
        <p role="alert">
          <strong>{t('members.ownAdmin')}</strong>
        </p>
      )}
      {members.length === 1 && <p className={styles.dim}>{members[0]?.name}</p>}
    </SeveralDialog>
  );
};
