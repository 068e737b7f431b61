import { mayUseOnLocker } from '@hatchway/domain/access.ts';
import { NativeSelect, SegmentedControl, Skeleton } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Locker } from '../../app/queries.ts';
import { useAccess, useFacts } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { NotAllowed } from '../pages/not-allowed.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Legend } from '../../ui/wall/legend.tsx';
import { countLooks, type Doors } from '../../ui/wall/model.ts';
import { Wall } from '../../ui/wall/wall.tsx';
import { useScanner } from '../occupations/scanner.ts';
import { useWalls } from './api.ts';
import { ControlPanel } from './control-panel.tsx';
import { doorView, lookOf } from './door-view.ts';
import { LockerList } from './locker-list.tsx';
import styles from './lock-control.module.css';

const SHOWS = ['free', 'in-use', 'open', 'in-doubt', 'out-of-service', 'offline'] as const;
type Show = (typeof SHOWS)[number];
/** The same groups as the dashboard's figures, so that a figure's link shows what was counted. */
const shows: Record<Show, (locker: Locker) => boolean> = {
  free: (locker) => lookOf(locker) === 'free',
  'in-use': (locker) => locker.occupation !== null,
  open: (locker) => locker.door === 'opened',
  'in-doubt': (locker) => locker.inDoubt,
  'out-of-service': (locker) => locker.outOfService !== null,
  offline: (locker) => locker.connection === 'offline',
};
/** What stands over the wall on this screen: bar, title, tools, plate. */
const BESIDE = 284;
type Address = { tag?: string; show?: Show; cabinet?: string };

/** Doors by themselves: open, lock, take out of service, settle what nobody knows. Works without an occupation, and changes none. */
// The types of these components are written out: the route tree needs them, and they need its addresses.
export const LockControl = (): ReactNode => {
  const access = useAccess();
  if (!access.may('lock-control')) return <NotAllowed />;
  return <Control />;
};

const Control = (): ReactNode => {
  const { t } = useTranslation();
  const facts = useFacts();
  const walls = useWalls();
  const navigate = useNavigate();
  const address: Address = useSearch({ strict: false });
  const go = (search: Address) => void navigate({ to: '/services/lock-control', search, replace: true });
  const [view, setView] = useState<'wall' | 'list'>('wall');
  const { show } = address;

  const mine = useMemo(() => walls.lockers.filter((locker) => mayUseOnLocker('lock-control', locker.id, facts)), [walls.lockers, facts]);
  const cabinets = useMemo(
    () => walls.cabinets.filter((cabinet) => address.cabinet === undefined || cabinet.id === address.cabinet),
    [walls.cabinets, address.cabinet],
  );
  const doors: Doors = useMemo(
    () =>
      Object.fromEntries(
        mine.map((locker) => [
          locker.id,
          show === undefined || shows[show](locker) ? doorView(locker) : { ...doorView(locker), faint: true },
        ]),
      ),
    [mine, show],
  );
  const listed = useMemo(
    () =>
      mine.filter((locker) => (show === undefined || shows[show](locker)) && cabinets.some((cabinet) => cabinet.id === locker.cabinetId)),
    [mine, show, cabinets],
  );
  const [byHand, setPicked] = useState<ReadonlySet<string> | null>(null);
  // A link may name one door; it is chosen until somebody chooses.
  const picked = useMemo(
    () => byHand ?? new Set(mine.filter((locker) => locker.doorTag === address.tag).map((locker) => locker.id)),
    [byHand, mine, address.tag],
  );
  const chosen = useMemo(() => mine.filter((locker) => picked.has(locker.id)), [mine, picked]);
  const latest = useRef(picked);
  useEffect(() => {
    latest.current = picked;
  });
  // One function for all walls and all renders, so that a live change draws one wall alone.
  const toggle = useCallback((id: string) => {
    const next = new Set(latest.current);
    if (!next.delete(id)) next.add(id);
    setPicked(next);
  }, []);

  useScanner((text) => {
    const locker = mine.find((one) => one.doorTag.toUpperCase() === text.trim().toUpperCase());
    if (locker !== undefined) setPicked(new Set([locker.id]));
  });

  const side = <ControlPanel chosen={chosen} cabinets={walls.cabinets} onClear={() => setPicked(new Set())} />;
  return (
    <>
      <PageHeader title={t('lockers.title')} intro={t('lockers.intro')} />
      <div className={styles.tools}>
        <SegmentedControl
          aria-label={t('lockers.view.label')}
          value={view}
          onChange={(next) => setView(next === 'list' ? 'list' : 'wall')}
          data={[
            { value: 'wall', label: t('lockers.view.wall') },
            { value: 'list', label: t('lockers.view.list') },
          ]}
        />
        <NativeSelect
          aria-label={t('lockers.cabinet')}
          value={address.cabinet ?? ''}
          onChange={(event) => {
            const { cabinet: _, ...rest } = address;
            go(event.currentTarget.value === '' ? rest : { ...rest, cabinet: event.currentTarget.value });
          }}
          data={[
            { value: '', label: t('lockers.allCabinets') },
            ...walls.cabinets.map((cabinet) => ({ value: cabinet.id, label: `${cabinet.name} · ${cabinet.siteName}` })),
          ]}
        />
        <NativeSelect
          aria-label={t('lockers.show')}
          value={show ?? ''}
          onChange={(event) => {
            const { show: _, ...rest } = address;
            const wanted = SHOWS.find((one) => one === event.currentTarget.value);
            go(wanted === undefined ? rest : { ...rest, show: wanted });
          }}
          data={[
            { value: '', label: `${t('lockers.everything')} (${mine.length})` },
            ...SHOWS.map((one) => ({ value: one, label: `${t(`lockers.shows.${one}`)} (${mine.filter(shows[one]).length})` })),
          ]}
        />
      </div>
      {walls.error !== null && <ProblemNote error={walls.error} title={t('lockers.wall.failed')} onRetry={walls.retry} />}
      {walls.pending && mine.length === 0 && <Skeleton height={420} radius="md" aria-label={t('common.loading')} />}
      {!walls.pending && walls.error === null && walls.cabinets.length === 0 && (
        <Notice level={2} title={t('lockers.wall.none')} text={t('lockers.wall.noneText')} />
      )}
      {mine.length > 0 && (
        <div className={styles.halves}>
          {view === 'list' ? (
            <LockerList lockers={listed} cabinets={walls.cabinets} picked={picked} onToggle={toggle} />
          ) : (
            <div className={styles.walls}>
              {cabinets.map((cabinet) => (
                <Wall
                  key={cabinet.id}
                  name={cabinet.name}
                  detail={`${cabinet.siteName} · ${t('lockers.wall.number', { number: cabinet.number })}`}
                  online={cabinet.connection === 'online'}
                  layout={cabinet.columns}
                  doors={doors}
                  selected={picked}
                  onPick={toggle}
                  beside={BESIDE}
                  virtual={mine.length > 240}
                />
              ))}
              <div className={styles.legend}>
                <Legend counts={countLooks(Object.values(doors))} />
              </div>
            </div>
          )}
          <div className={styles.side} data-empty={chosen.length === 0 || undefined}>
            {side}
          </div>
        </div>
      )}
    </>
  );
};
