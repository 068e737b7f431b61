import { Select } from '@mantine/core';
import { IconDoor, IconKey, IconLink, IconUser, IconUserQuestion, type Icon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { Bones, Panel } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { explainQuery, peopleQuery, type Opening, type Walls } from './api.ts';
import { Reasons } from './reasons.tsx';
import styles from './permissions.module.css';

const ICON: Record<Opening['kind'], Icon> = { person: IconUser, key: IconKey, link: IconLink, receiver: IconUserQuestion };

/** Who can open this locker, and why. */
export const OfLocker = ({ walls, locker, onLocker }: { walls: Walls; locker: string | undefined; onLocker: (id: string) => void }) => {
  const { t } = useTranslation();
  const answer = useQuery({ ...explainQuery(useApi(), locker === undefined ? {} : { lockerId: locker }), enabled: locker !== undefined });
  return (
    <>
      <Select
        className={styles.ask ?? ''}
        label={t('permissions.askLocker')}
        placeholder={t('permissions.askLockerPlaceholder')}
        data={walls.walls.map(({ name, lockers }) => ({
          group: name,
          items: lockers.map(({ id, doorTag }) => ({ value: id, label: doorTag })),
        }))}
        value={locker ?? null}
        onChange={(id) => id && onLocker(id)}
        searchable
        limit={200}
        nothingFoundMessage={t('table.noMatch')}
      />
      {locker === undefined && <p className="hw-hint">{t('permissions.askLockerText')}</p>}
      {locker !== undefined && (
        <Answer title={t('permissions.opens', { tag: walls.tagOf.get(locker) ?? '' })} query={answer}>
          {(openings) =>
            openings.length === 0 ? (
              <p>{t('permissions.nobody')}</p>
            ) : (
              <ul className={styles.openings}>
                {openings.map((one) => (
                  <li key={`${one.kind}${one.id}`}>
                    <div className={styles.who}>
                      <StateBadge icon={ICON[one.kind]} word={t(`permissions.kinds.${one.kind}`)} />
                      <strong>{one.name || t('permissions.unnamed')}</strong>
                      {one.kind === 'person' && one.detail && <span className="hw-hint">{one.detail}</span>}
                    </div>
                    <Reasons why={one.why} />
                  </li>
                ))}
              </ul>
            )
          }
        </Answer>
      )}
    </>
  );
};

/** Which lockers this person can open, and why. */
export const OfPerson = ({ total, person, onPerson }: { total: number; person: string | undefined; onPerson: (id: string) => void }) => {
  const { t } = useTranslation();
  const api = useApi();
  const people = useQuery(peopleQuery(api));
  const answer = useQuery({ ...explainQuery(api, person === undefined ? {} : { accountId: person }), enabled: person !== undefined });
  const name = people.data?.find(({ id }) => id === person)?.name ?? '';
  const everywhere = answer.data?.everywhere ?? [];
  return (
    <>
      <Select
        className={styles.ask ?? ''}
        label={t('permissions.askPerson')}
        placeholder={t('permissions.askPersonPlaceholder')}
        data={(people.data ?? []).map(({ id, name: called, email }) => ({ value: id, label: email ? `${called} · ${email}` : called }))}
        value={person ?? null}
        onChange={(id) => id && onPerson(id)}
        searchable
        limit={200}
        nothingFoundMessage={t('table.noMatch')}
      />
      {person === undefined && <p className="hw-hint">{t('permissions.askPersonText')}</p>}
      {person !== undefined && (
        <Answer title={t('permissions.personOpens', { name })} query={answer}>
          {(openings) => (
            <>
              {everywhere.length > 0 && (
                <div className={styles.everywhere}>
                  <StateBadge icon={IconDoor} tone="accent" word={t('permissions.everyLocker', { count: total })} />
                  <Reasons why={everywhere} />
                </div>
              )}
              {openings.length === 0 && everywhere.length === 0 && <p>{t('permissions.nothing')}</p>}
              {answer.data?.more && <p className="hw-hint">{t('permissions.moreLockers', { count: openings.length })}</p>}
              {openings.length > 0 && (
                <ul className={styles.openings}>
                  {openings.map((one) => (
                    <li key={one.lockerId}>
                      <div className={styles.who}>
                        <strong className="hw-tag">{one.doorTag}</strong>
                        <span className="hw-hint">{one.cabinet}</span>
                      </div>
                      <Reasons why={one.why} />
                    </li>
                  ))}
                </ul>
              )}
            </>
          )}
        </Answer>
      )}
    </>
  );
};

type AnswerProps = {
  title: string;
  query: { data: { openings: Opening[] } | undefined; isPending: boolean; error: Error | null; refetch: () => unknown };
  children: (openings: Opening[]) => ReactNode;
};
const Answer = ({ title, query, children }: AnswerProps) => {
  const { t } = useTranslation();
  return (
    <Panel title={title}>
      {query.error && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data ? (
        <>
          {children(query.data.openings)}
          <p className="hw-hint">{t('permissions.rightsOnly')}</p>
        </>
      ) : (
        query.isPending && <Bones lines={4} height={20} />
      )}
    </Panel>
  );
};
