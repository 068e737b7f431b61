import { ROLES } from '@hatchway/domain/terms.ts';
import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Roles } from './api.ts';
import styles from './members.module.css';

type Props = { value: readonly string[]; description?: string; onChange: (roles: Roles) => void };

/** What somebody may do, in words; a role is a choice and not a code. */
export const RolePicker = ({ value, description, onChange }: Props) => {
  const { t } = useTranslation();
  return (
    <Checkbox.Group
      label={t('members.roles')}
      description={description ?? t('members.rolesText')}
      value={[...value]}
      onChange={(next) => onChange(ROLES.filter((role) => next.includes(role)))}
    >
      <div className={styles.roles}>
        {ROLES.map((role) => (
          <Checkbox key={role} value={role} label={t(`terms.role.${role}`)} description={t(`members.role.${role}`)} />
        ))}
      </div>
    </Checkbox.Group>
  );
};

/** A person's roles as words. Whether permissions give somebody without one anything is told under Permissions: no claim here. */
export const RoleTags = ({ roles }: { roles: readonly string[] }) => {
  const { t } = useTranslation();
  const known = ROLES.filter((role) => roles.includes(role));
  if (known.length === 0) return <span className={styles.dim}>{t('members.noRoles')}</span>;
  return (
    <span className={styles.tags}>
      {known.map((role) => (
        <span key={role} className={styles.tag} data-strong={role === 'admin' || undefined}>
          {t(`terms.role.${role}`)}
        </span>
      ))}
    </span>
  );
};
