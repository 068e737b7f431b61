import { mayBuild } from '@hatchway/domain/access.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { shortTime } from '../../app/dates.ts';
import { useApi } from '../../app/portal.ts';
import { cabinetsQuery, type Cabinet, type Locker, type Occupation } from '../../app/queries.ts';
import { useFacts } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel, Placeholder } from '../../ui/panel.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { recordOf } from '../lockers/record.ts';
import { doubtQuery, usesOfLockersQuery } from './api.ts';
import styles from './builder.module.css';
import { isFound } from '../../ui/table/search.ts';
import { Find } from './find.tsx';
import type { BuilderSearch } from './search.ts';
import { useNoRound } from './use-round.ts';
import { WallsButton } from './walls-button.tsx';
import { whyWords } from './why.ts';

type Doubts = { cabinet: Cabinet | undefined; lockers: Locker[] }[];

/** Lockers in doubt, cabinet by cabinet, as somebody walks along them; `theirs`: of those, which they may open and settle. */
export const useDoubts = () => {
  const api = useApi();
  const facts = useFacts();
  const lockers = useQuery(doubtQuery(api));
  const cabinets = useQuery(cabinetsQuery(api));
  const groups = useMemo((): Doubts => {
    const byTag = new Intl.Collator('en', { numeric: true });
    // A locker that was settled leaves the list at its own change, before the list is asked again.
    const found = Map.groupBy(
      (lockers.data ?? []).filter((locker) => locker.inDoubt),
      (locker) => locker.cabinetId,
    );
    return [...found]
      .map(([id, rows]) => ({
        cabinet: cabinets.data?.find((cabinet) => cabinet.id === id),
        lockers: rows.toSorted((a, b) => byTag.compare(a.doorTag, b.doorTag)),
      }))
      .toSorted((a, b) => (a.cabinet?.number ?? 0) - (b.cabinet?.number ?? 0));
  }, [lockers.data, cabinets.data]);
  return {
    groups,
    theirs: groups.flatMap(({ lockers: rows }) => rows.filter(({ id }) => mayBuild([id], facts))),
    pending: lockers.isPending || cabinets.isPending,
    error: lockers.error ?? cabinets.error,
    retry: () => void Promise.all([lockers.refetch(), cabinets.refetch()]),
  };
};

/** What somebody noted of it when they took it from use. */
export const OutNote = ({ locker: { outOfService } }: { locker: Locker }) => {
  const { t } = useTranslation();
  if (outOfService === null) return null;
  return <span className={styles.out}>{t('builder.doubt.out', { reason: outOfService.reason, time: shortTime(outOfService.since) })}</span>;
};

const wordsOf = (use: Occupation, locker: Locker, t: TFunction): string =>
  [t(`terms.type.${use.type}`), recordOf(use, locker, t)].join(', ');

/** What it is in use for, and for whom; of a use that somebody may not see, that it is in use. */
const Whose = ({ locker, use }: { locker: Locker; use: Occupation | undefined }) => {
  const { t } = useTranslation();
  if (locker.occupation === null && locker.content === 'unknown') return null;
  return (
    <span className={styles.whose}>
      {use ? (
        <Link to="/services/manageoccupation" search={{ id: use.id }}>
          {wordsOf(use, locker, t)}
        </Link>
      ) : (
        t('builder.doubt.last', { what: locker.occupation ? t('builder.doubt.inUse') : t(`terms.content.${locker.content}`) })
      )}
    </span>
  );
};

export const DoubtList = ({ search }: { search: BuilderSearch }) => {
  const { t } = useTranslation();
  useNoRound();
  const { groups, theirs, pending, error, retry } = useDoubts();
  const count = groups.reduce((sum, group) => sum + group.lockers.length, 0);
  const used = groups.flatMap(({ lockers }) => lockers.flatMap(({ occupationId }) => occupationId ?? []));
  const uses = useQuery(usesOfLockersQuery(useApi(), used)).data ?? [];
  const useOf = ({ occupationId }: Locker) => uses.find(({ id }) => id === occupationId);
  const found = groups.flatMap(({ cabinet, lockers }) => {
    const place = cabinet ? [cabinet.name, cabinet.siteName, String(cabinet.number)] : [];
    const rows = lockers.filter((one) => {
      const use = useOf(one);
      return isFound(search.find, [...place, one.doorTag, one.size, whyWords(t, one), ...(use ? [wordsOf(use, one, t)] : [])]);
    });
    return rows.length === 0 ? [] : [{ cabinet, lockers: rows }];
  });
  return (
    <>
      <PageHeader
        title={t('builder.doubt.title')}
        intro={t('builder.doubt.intro')}
        actions={
          <>
            <WallsButton search={{}} variant="default">
              {t('builder.title')}
            </WallsButton>
            {theirs.length > 0 && <WallsButton search={{ view: 'check' }}>{t('builder.doubt.start')}</WallsButton>}
          </>
        }
      />
      {error && <ProblemNote error={error} onRetry={retry} />}
      {pending && <Placeholder height={200} />}
      {!pending && !error && count === 0 && <Notice level={2} title={t('builder.doubt.none')} text={t('builder.doubt.noneText')} />}
      <Find label={t('builder.doubt.find')} search={search} all={pending ? null : count} found={found.length} />
      <div className={styles.sites}>
        {found.map(({ cabinet, lockers }) => (
          <Panel
            key={lockers[0]?.cabinetId}
            title={cabinet ? `${cabinet.name} · ${cabinet.siteName}` : t('terms.locker')}
            aside={
              <span className={styles.quiet}>
                {cabinet?.connection === 'offline'
                  ? t(cabinet.pairing === 'paired' ? 'builder.doubt.offline' : 'terms.connection.unpaired')
                  : t('builder.doubt.count', { count: lockers.length })}
              </span>
            }
          >
            <ul className={styles.doubts}>
              {lockers.map((locker) => (
                <li key={locker.id}>
                  <div>
                    <span className={styles.tag}>{locker.doorTag}</span> <span className={styles.quiet}>{locker.size}</span>
                    <br />
                    {t(`terms.content.${locker.content}`)}: {whyWords(t, locker)}
                    <OutNote locker={locker} />
                    {locker.door === 'opened' && <span className={styles.out}>{t('builder.doubt.doorOpened')}</span>}
                  </div>
                  <div>
                    <Whose locker={locker} use={useOf(locker)} />
                    <span className={styles.quiet}>
                      {[
                        ...(locker.contentSince === null ? [] : [t('builder.doubt.since', { time: shortTime(locker.contentSince) })]),
                        ...(locker.door === 'closed' ? [t('builder.doubt.doorClosed')] : []),
                      ].join('. ')}
                    </span>
                  </div>
                  <Button
                    component={Link}
                    to="/services/lock-control"
                    search={{ tag: locker.doorTag } as never}
                    size="sm"
                    variant="default"
                  >
                    {t('builder.doubt.openOne', { tag: locker.doorTag })}
                  </Button>
                </li>
              ))}
            </ul>
          </Panel>
        ))}
      </div>
    </>
  );
};
