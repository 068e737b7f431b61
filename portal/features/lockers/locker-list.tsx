import { useTranslation } from 'react-i18next';
import type { Cabinet, Locker } from '../../app/queries.ts';
import { Moment } from '../../ui/moment.tsx';
import { DoorIcon } from '../../ui/wall/door-icon.tsx';
import { contentWord, doorWord, knownSince, lookOf, outcomeWord } from './door-view.ts';
import styles from './lock-control.module.css';

type Props = { lockers: readonly Locker[]; cabinets: readonly Cabinet[]; picked: ReadonlySet<string>; onToggle: (id: string) => void };

/** The same doors as rows: for comparing, and for who reads rather than looks. */
export const LockerList = ({ lockers, cabinets, picked, onToggle }: Props) => {
  const { t } = useTranslation();
  const names = new Map(cabinets.map((cabinet) => [cabinet.id, cabinet.name]));
  return (
    <section className={styles.scroller} aria-label={t('lockers.title')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <span className={styles.hidden}>{t('lockers.choose')}</span>
            </th>
            <th scope="col">{t('terms.locker')}</th>
            <th scope="col">{t('occupations.manage.stage')}</th>
            <th scope="col">{t('lockers.facts.size')}</th>
            <th scope="col">{t('lockers.facts.where')}</th>
            <th scope="col">{t('lockers.facts.door')}</th>
            <th scope="col">{t('lockers.facts.content')}</th>
            <th scope="col">{t('lockers.facts.last')}</th>
          </tr>
        </thead>
        <tbody>
          {lockers.map((locker) => {
            const look = lookOf(locker);
            return (
              <tr key={locker.id} data-on={picked.has(locker.id) || undefined}>
                <td>
                  <input type="checkbox" checked={picked.has(locker.id)} onChange={() => onToggle(locker.id)} aria-label={locker.doorTag} />
                </td>
                <th scope="row">{locker.doorTag}</th>
                <td>
                  <span className={styles.look}>
                    <DoorIcon look={look} /> {t(`terms.lockerState.${look}`)}
                  </span>
                </td>
                <td>{locker.size}</td>
                <td>{names.get(locker.cabinetId)}</td>
                <td>
                  {doorWord(locker, t)} · <Moment at={knownSince(locker.door, locker.doorSince)} />
                </td>
                <td>{contentWord(locker, t)}</td>
                <td>{locker.lastCommand === null ? '–' : outcomeWord(locker.lastCommand, t)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
};
