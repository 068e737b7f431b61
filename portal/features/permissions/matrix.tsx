import { SCOPES } from '@hatchway/domain/terms.ts';
import { useTranslation } from 'react-i18next';
import type { Group, Permission, Wall } from './api.ts';
import styles from './permissions.module.css';

type Props = {
  permissions: readonly Permission[];
  groups: readonly Group[];
  walls: readonly Wall[];
  onEdit: (permission: Permission) => void;
};

/** Whole walls by their name, other doors by their tags: "Main hall (20), B01, B02". */
export const useLockerWords = (walls: readonly Wall[]) => {
  const { t } = useTranslation();
  return (ids: readonly string[]): string => {
    const held = new Set(ids);
    const words = walls.flatMap(({ name, lockers }) => {
      const mine = lockers.filter(({ id }) => held.has(id));
      return mine.length > 1 && mine.length === lockers.length
        ? [t('permissions.allOf', { name, count: mine.length })]
        : mine.map(({ doorTag }) => doorTag);
    });
    return words.length > 8 ? `${words.slice(0, 8).join(', ')} ${t('permissions.andMore', { count: words.length - 8 })}` : words.join(', ');
  };
};

/** Groups down, scopes across; where they meet, the permissions that give the one to the other, and at which lockers. */
export const Matrix = ({ permissions, groups, walls, onEdit }: Props) => {
  const { t } = useTranslation();
  const lockersOf = useLockerWords(walls);
  const idle = permissions.filter(({ scopes, groups: mine, lockers }) => scopes.length === 0 || mine.length === 0 || lockers.length === 0);
  const live = permissions.filter((one) => !idle.includes(one));
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard too */}
      <section className={styles.scroll} aria-label={t('permissions.views.matrix')} tabIndex={0}>
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">{t('permissions.group')}</th>
              {SCOPES.map((scope) => (
                <th key={scope} scope="col">
                  {t(`terms.scope.${scope}`)}
                  <small>{t(`permissions.scopeShort.${scope}`)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.id}>
                <th scope="row">
                  {group.name}
                  <small>{t('permissions.members', { count: group.total })}</small>
                </th>
                {SCOPES.map((scope) => {
                  const here = live.filter((one) => one.groups.includes(group.id) && one.scopes.includes(scope));
                  return (
                    <td key={scope} data-scope={t(`terms.scope.${scope}`)} data-empty={here.length === 0 || undefined}>
                      {here.length === 0 ? (
                        <span className={styles.nothing}>–</span>
                      ) : (
                        here.map((one) => (
                          <button key={one.id} type="button" className={styles.grant} onClick={() => onEdit(one)}>
                            <strong>{one.name}</strong>
                            <span>{t('permissions.lockerCount', { count: one.lockers.length })}</span>
                            <small>{lockersOf(one.lockers)}</small>
                          </button>
                        ))
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {idle.length > 0 && (
        <p className="hw-hint">
          {t('permissions.idle', { count: idle.length })}{' '}
          {idle.map((one) => (
            <button key={one.id} type="button" className={styles.inline} onClick={() => onEdit(one)}>
              {one.name}
            </button>
          ))}
        </p>
      )}
    </>
  );
};
