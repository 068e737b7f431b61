import { mayUseOnLocker } from '@hatchway/domain/access.ts';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import { cabinetsQuery, type Cabinet, type Locker } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useAccess, useFacts } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { NotAllowed } from '../pages/not-allowed.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Legend } from '../../ui/wall/legend.tsx';
import { compact } from '../../ui/table/search.ts';
import { useInSight } from '../../ui/wall/in-sight.ts';
import type { Doors } from '../../ui/wall/model.ts';
import { Wall } from '../../ui/wall/wall.tsx';
import { useScanner } from '../occupations/scanner.ts';
import { tagQuery, useWalls } from './api.ts';
import { ControlPanel } from './control-panel.tsx';
import { LockTools } from './lock-tools.tsx';
import { LockerList } from './locker-list.tsx';
import styles from './lock-control.module.css';
import { type Part, countParts, finder, partOf } from './parts.ts';
import { WALLS_READ, namedBy } from './read-ahead.ts';
import type { LockSearch } from './search.ts';
import { showingQuery } from './showing.ts';
import { Placeholder } from '../../ui/panel.tsx';

const NO_CABINETS: readonly Cabinet[] = [];
const NO_DOORS: Doors = {};
const hasAny = (part: Part | undefined): boolean => part !== undefined && part.asked.length > 0;
/** What stands over the wall on this screen: bar, title, tools, what the fills mean, plate. */
const BESIDE = 316;
type Props = { search: LockSearch };

/** Doors by themselves: open, lock, take out of service, settle what nobody knows. Works without an occupation, and changes none. */
// The types of these components are written out: the route tree needs them, and they need its addresses.
export const LockControl = ({ search }: Props): ReactNode => {
  const access = useAccess();
  if (!access.may('lock-control')) return <NotAllowed />;
  return <Control search={search} />;
};

const Control = ({ search }: Props): ReactNode => {
  const { t } = useTranslation();
  const facts = useFacts();
  const { api, queryClient } = usePortal();
  const navigate = useNavigate();
  const { show, size, find } = search;
  const listing = search.view === 'list';
  const go = (change: Partial<LockSearch>) =>
    void navigate({ to: '/services/lock-control', search: compact({ ...search, ...change }), replace: true });
  // Of walls that are not read ahead those are read that the address names by cabinet, site or door, that show what it asks for, or
  // that somebody went to.
  const everywhere = useQuery(cabinetsQuery(api)).data ?? NO_CABINETS;
  const many = everywhere.length > WALLS_READ;
  const named = many && find !== undefined ? namedBy(everywhere, find) : [];
  const linked = useQuery({ ...tagQuery(api, search.tag ?? ''), enabled: many && search.tag !== undefined });
  const showing = useQuery({ ...showingQuery(api, show, size, find), enabled: many && (show ?? find) !== undefined });
  const [visited, setVisited] = useState<readonly string[]>([]);
  const walls = useWalls([search.cabinet ?? [], linked.data?.cabinetId ?? [], visited, showing.data ?? [], named].flat());
  const found = useMemo(() => finder(find, walls.cabinets, t), [find, walls.cabinets, t]);
  const parts = useMemo(
    () => new Map([...walls.byCabinet].map(([id, lockers]) => [id, partOf(lockers, facts, { show, size, found })])),
    [walls.byCabinet, facts, show, size, found],
  );
  const mine = useMemo(() => [...parts.values()].flatMap((part) => part.lockers), [parts]);
  const counted = useMemo(() => countParts(parts.values()), [parts]);
  const cabinets = useMemo(
    () =>
      walls.read
        .filter((cabinet) => search.cabinet === undefined || cabinet.id === search.cabinet)
        // What is looked for is in sight first, not below a wall without any of it.
        .toSorted((a, b) => Number(hasAny(parts.get(b.id))) - Number(hasAny(parts.get(a.id)))),
    [walls.read, search.cabinet, parts],
  );
  const asked = useMemo(() => cabinets.flatMap((cabinet) => parts.get(cabinet.id)?.asked ?? []), [parts, cabinets]);
  const [byHand, setPicked] = useState<ReadonlySet<string> | null>(null);
  // A link may name one door; it is chosen until somebody chooses.
  const picked = useMemo(
    () => byHand ?? new Set(mine.filter((locker) => locker.doorTag === search.tag).map((locker) => locker.id)),
    [byHand, mine, search.tag],
  );
  const chosen = useMemo(() => mine.filter((locker) => picked.has(locker.id)), [mine, picked]);
  const latest = useRef(picked);
  /** The scan that is looked up; a choice by hand since goes before its answer. */
  const scanned = useRef('');
  useEffect(() => {
    latest.current = picked;
  });
  // One function for all walls and all renders, so that a live change draws one wall alone.
  const toggle = useCallback((id: string) => {
    scanned.current = '';
    const next = new Set(latest.current);
    if (!next.delete(id)) next.add(id);
    setPicked(next);
  }, []);

  /** A mouse chooses one, and one more with a key held; a finger or the keyboard has no such key, and chooses one more each time. */
  const pick = useCallback(
    (id: string, { more }: { more: boolean }, mouse: boolean) => {
      const alone = latest.current.size === 1 && latest.current.has(id);
      if (more || !mouse || alone) toggle(id);
      else {
        scanned.current = '';
        setPicked(new Set([id]));
      }
    },
    [toggle],
  );

  const [unknown, setUnknown] = useState('');
  useScanner((text) => {
    const tag = text.trim().toUpperCase();
    scanned.current = tag;
    const known = mine.find((one) => one.doorTag.toUpperCase() === tag);
    if (known !== undefined) {
      setUnknown('');
      return setPicked(new Set([known.id]));
    }
    const follow = (found: Locker | null) => {
      // Another scan has come since.
      if (scanned.current !== tag) return;
      const theirs = found !== null && mayUseOnLocker('lock-control', found.id, facts);
      setUnknown(theirs ? '' : tag);
      if (!theirs) return;
      setVisited((before) => [...before, found.cabinetId]);
      setPicked(new Set([found.id]));
    };
    // What was chosen before is not the door that somebody stands at.
    setPicked(new Set());
    // It may be a door of a wall that is not read, or not yet.
    void queryClient.fetchQuery({ ...tagQuery(api, tag), staleTime: 0 }).then(follow, toast.fail);
    return undefined;
  });

  // Beside the panel a list has room for all of its columns on a wide screen alone.
  const stacked = useMediaQuery(listing ? '(max-width: 89.99em)' : '(max-width: 68em)', false, { getInitialValueInEffect: false });
  const panel = useRef<HTMLDivElement>(null);
  useInSight(panel, [...picked].at(-1));
  const side = <ControlPanel chosen={chosen} cabinets={walls.cabinets} onClear={() => setPicked(new Set())} />;
  return (
    <>
      <PageHeader title={t('lockers.title')} intro={t('lockers.intro')} />
      <LockTools
        search={search}
        cabinets={walls.cabinets}
        counted={walls.pending ? null : counted}
        onSearch={(change) => {
          const { cabinet } = change;
          if (cabinet !== undefined) setVisited((before) => [...before, cabinet]);
          go(change);
        }}
      />
      {unknown !== '' && (
        <p className={styles.quiet} role="alert">
          {t('lockers.noScan', { tag: unknown })}
        </p>
      )}
      {find !== undefined && !walls.pending && (
        <p className={styles.quiet}>
          <output>{t('table.shownOf', { shown: asked.length, total: mine.length })}</output>
        </p>
      )}
      {walls.unread > 0 && search.cabinet === undefined && (
        <p className={styles.quiet}>{t('lockers.wall.some', { shown: walls.read.length, total: walls.cabinets.length })}</p>
      )}
      {walls.error !== null && <ProblemNote error={walls.error} title={t('lockers.wall.failed')} onRetry={walls.retry} />}
      {walls.pending && mine.length === 0 && <Placeholder height={420} />}
      {!walls.pending && walls.error === null && walls.cabinets.length === 0 && (
        <Notice level={2} title={t('lockers.wall.none')} text={t('lockers.wall.noneText')} />
      )}
      {mine.length > 0 && !listing && (
        <div className={styles.legend}>
          <Legend counts={counted.looks} />
        </div>
      )}
      {mine.length > 0 && (
        <div className={styles.halves} data-view={listing ? 'list' : 'wall'} data-stacked={stacked || undefined}>
          {listing ? (
            <LockerList
              lockers={asked}
              cabinets={walls.cabinets}
              picked={picked}
              onToggle={toggle}
              onPick={setPicked}
              sort={search.sort}
              onSort={(sort) => go({ sort })}
              onClear={() => go({ find: undefined, show: undefined, size: undefined, cabinet: undefined })}
            />
          ) : (
            <div className={styles.walls}>
              {cabinets.map((cabinet) => (
                <Wall
                  key={cabinet.id}
                  name={cabinet.name}
                  detail={`${cabinet.siteName} · ${t('lockers.wall.number', { number: cabinet.number })}`}
                  online={cabinet.connection === 'online'}
                  layout={cabinet.columns}
                  doors={parts.get(cabinet.id)?.doors ?? NO_DOORS}
                  selected={picked}
                  onPick={pick}
                  beside={BESIDE}
                  virtual={mine.length > 240}
                />
              ))}
            </div>
          )}
          <div ref={panel} className={styles.side} data-empty={chosen.length === 0 || undefined}>
            {side}
          </div>
        </div>
      )}
    </>
  );
};
