import { ROLES, SCOPES, SERVICES } from '@hatchway/domain/terms.ts';
import { useTranslation } from 'react-i18next';
import type { Why } from './api.ts';
import styles from './permissions.module.css';

const known = <W extends string>(words: readonly W[], word: string | null): W | null => words.find((one) => one === word) ?? null;

/** Why somebody may open a door, in sentences: by what, where that comes from, and what it is good for. */
export const Reasons = ({ why }: { why: readonly Why[] }) => {
  const { t } = useTranslation();
  const sentence = (one: Why): string => {
    const role = known(ROLES, one.role);
    const scope = known(SCOPES, one.scope);
    if (role) return t('permissions.why.role', { role: t(`terms.role.${role}`) });
    if (one.by === 'link') return t('permissions.why.link');
    if (one.by === 'receiver') return t('permissions.why.receiver');
    if (one.by === 'offer') {
      const policies = one.policies.map(({ name }) => name).join(', ');
      return policies === '' ? t('permissions.why.taken') : t('permissions.why.offer', { count: one.policies.length, policies });
    }
    if (scope && one.permissions.length > 0) {
      const through = one.permissions.map(({ name, groups }) =>
        t('permissions.why.permission', { name, groups: groups.map((group) => group.name).join(', ') }),
      );
      return t('permissions.why.scope', { scope: t(`terms.scope.${scope}`), through: through.join('; ') });
    }
    return t('permissions.why.keyScope', { scope: scope ? t(`terms.scope.${scope}`) : (one.scope ?? '') });
  };
  const when = (one: Why): string => {
    const service = known(SERVICES, one.service);
    if (one.by === 'link' || one.by === 'receiver' || one.by === 'offer') return '';
    if (service === 'lock-control') return t('permissions.why.always');
    return service ? t('permissions.why.during', { service: t(`terms.service.${service}`) }) : '';
  };
  // What holds for several services, or for one and always, is one reason.
  const reasons = Map.groupBy(why, sentence);
  const whens = (all: readonly Why[]): string => {
    const said = [...new Set(all.map(when))];
    return said.includes(t('permissions.why.always')) ? t('permissions.why.always') : said.join(' ');
  };
  return (
    <ul className={styles.reasons}>
      {[...reasons].map(([reason, all]) => (
        <li key={reason}>
          {reason} <span className="hw-hint">{whens(all)}</span>
        </li>
      ))}
    </ul>
  );
};
