import { LICENSES, ROLES, SCOPES } from '@hatchway/domain/terms.ts';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../app/queries.ts';
import { useAccess } from '../../app/who.ts';
import { Facts, Panel } from '../../ui/panel.tsx';
import styles from './account.module.css';

/** What somebody may do here, and where it comes from, in words. */
export const Rights = ({ me }: { me: Me }) => {
  const { t } = useTranslation();
  const { services } = useAccess();
  const known = <W extends string>(words: readonly W[], held: readonly string[]): W[] => words.filter((word) => held.includes(word));
  return (
    <Panel title={t('account.profile.rights')}>
      <Facts
        rows={[
          [t('account.profile.services'), <Tags key="services" words={services.map((service) => t(`terms.service.${service}`))} />],
          [t('account.profile.roles'), <Tags key="roles" words={known(ROLES, me.roles).map((role) => t(`terms.role.${role}`))} />],
          [
            t('account.profile.scopes'),
            <div key="scopes">
              {me.scopes.length > 0 && <Tags words={known(SCOPES, me.scopes).map((scope) => t(`terms.scope.${scope}`))} />}{' '}
              {me.lockers === 'all'
                ? t('account.profile.lockersAll')
                : t('account.profile.lockersSome', { count: Object.keys(me.lockers).length })}
            </div>,
          ],
          [
            t('account.profile.licenses'),
            <Tags key="licenses" words={known(LICENSES, me.licenses).map((license) => t(`terms.license.${license}`))} />,
          ],
        ]}
      />
    </Panel>
  );
};

export const Tags = ({ words }: { words: readonly string[] }) =>
  words.length === 0 ? (
    <span>–</span>
  ) : (
    <span className={styles.tags}>
      {words.map((word) => (
        <span key={word} className={styles.tag}>
          {word}
        </span>
      ))}
    </span>
  );
