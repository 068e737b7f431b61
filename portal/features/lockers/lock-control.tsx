import { mayUseOnLocker, type Facts } from '@hatchway/domain/access.ts';
import { standingOf } from '@hatchway/domain/locker.ts';
import { SIZES, type Size } from '@hatchway/domain/terms.ts';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../app/portal.ts';
import { cabinetsQuery, type Locker } from '../../app/queries.ts';
import { toast } from '../../app/toasts.ts';
import { useAccess, useFacts } from '../../app/who.ts';
import { Notice } from '../../ui/notice.tsx';
import { NotAllowed } from '../pages/not-allowed.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Legend } from '../../ui/wall/legend.tsx';
import { countLooks, type DoorLook, type Doors } from '../../ui/wall/model.ts';
import { Wall } from '../../ui/wall/wall.tsx';
import { useScanner } from '../occupations/scanner.ts';
import { tagQuery, useWalls } from './api.ts';
import { ControlPanel } from './control-panel.tsx';
import { doorView } from './door-view.ts';
import { LockerList } from './locker-list.tsx';
import styles from './lock-control.module.css';
import { WALLS_READ } from './read-ahead.ts';
import { SHOWS, showingQuery } from './showing.ts';
import { Placeholder } from '../../ui/panel.tsx';

type Show = (typeof SHOWS)[number];
/** The same rule as the dashboard's figures, so that a figure's link shows what was counted. */
const shows: Record<Show, (locker: Locker) => boolean> = {
  free: (locker) => standingOf(locker) === 'free',
  'in-use': (locker) => standingOf(locker) === 'inUse',
  open: (locker) => locker.door === 'opened',
  'in-doubt': (locker) => standingOf(locker) === 'inDoubt',
  'out-of-service': (locker) => standingOf(locker) === 'outOfService',
  unready: (locker) => standingOf(locker) === 'unready',
  offline: (locker) => locker.connection === 'offline',
};
/** What one wall shows, and how much of what. */
type Narrowed = { show: Show | undefined; size: Size | undefined };
type Part = {
  lockers: readonly Locker[];
  /** Those that it was narrowed to. */
  asked: readonly Locker[];
  /** How many are of the size that it was narrowed to. */
  sized: number;
  doors: Doors;
  counts: Record<Show, number>;
  looks: ReadonlyMap<DoorLook, number>;
};
const NO_DOORS: Doors = {};
const hasAny = (part: Part | undefined): boolean => part !== undefined && part.asked.length > 0;
const reckon = (lockers: readonly Locker[], { show, size }: Narrowed): Part => {
  const asked = (locker: Locker) => (show === undefined || shows[show](locker)) && (size === undefined || locker.size === size);
  const doors: Doors = Object.fromEntries(
    lockers.map((locker) => [locker.id, asked(locker) ? doorView(locker) : { ...doorView(locker), faint: true }]),
  );
  const sized = lockers.filter((locker) => size === undefined || locker.size === size);
  const counts = Object.fromEntries(SHOWS.map((one) => [one, sized.filter(shows[one]).length])) as Record<Show, number>;
  // What stands back has no fill of its own, so the legend explains what is looked for.
  return {
    lockers,
    asked: lockers.filter(asked),
    sized: sized.length,
    doors,
    counts,
    looks: countLooks(Object.values(doors).filter((door) => door.faint !== true)),
  };
};
/** Each wall's part is reckoned once for the list that it was reckoned of: a door that moves costs its own wall, not all of them. */
const reckoned = new WeakMap<readonly Locker[], Narrowed & { facts: Facts; part: Part }>();
const partOf = (lockers: readonly Locker[], facts: Facts, { show, size }: Narrowed): Part => {
  const known = reckoned.get(lockers);
  if (known?.facts === facts && known.show === show && known.size === size) return known.part;
  const part = reckon(
    lockers.filter((locker) => mayUseOnLocker('lock-control', locker.id, facts)),
    { show, size },
  );
  reckoned.set(lockers, { facts, show, size, part });
  return part;
};
/** What stands over the wall on this screen: bar, title, tools, plate. */
const BESIDE = 284;
type Address = { tag?: string; show?: Show; size?: Size; cabinet?: string };

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
  const { api, queryClient } = usePortal();
  const navigate = useNavigate();
  const address: Address = useSearch({ strict: false });
  // A word of the address that is none of ours narrows nothing.
  const show = SHOWS.find((one) => one === address.show);
  const size = SIZES.find((one) => one === address.size);
  // Of walls that are not read ahead those are read that the address names by cabinet or door, that show what it asks for, or that
  // somebody went to.
  const many = (useQuery(cabinetsQuery(api)).data?.length ?? 0) > WALLS_READ;
  const linked = useQuery({ ...tagQuery(api, address.tag ?? ''), enabled: many && address.tag !== undefined });
  const showing = useQuery({ ...showingQuery(api, show, size), enabled: many && show !== undefined });
  const [visited, setVisited] = useState<readonly string[]>([]);
  const walls = useWalls([address.cabinet ?? [], linked.data?.cabinetId ?? [], visited, showing.data ?? []].flat());
  const go = (search: Address) => void navigate({ to: '/services/lock-control', search, replace: true });
  const [view, setView] = useState<'wall' | 'list'>('wall');

  const parts = useMemo(
    () => new Map([...walls.byCabinet].map(([id, lockers]) => [id, partOf(lockers, facts, { show, size })])),
    [walls.byCabinet, facts, show, size],
  );
  const mine = useMemo(() => [...parts.values()].flatMap((part) => part.lockers), [parts]);
  const counted = useMemo(() => {
    const counts = Object.fromEntries(SHOWS.map((one) => [one, 0])) as Record<Show, number>;
    const looks = new Map<DoorLook, number>();
    let sized = 0;
    for (const part of parts.values()) {
      sized += part.sized;
      for (const one of SHOWS) counts[one] += part.counts[one];
      for (const [look, count] of part.looks) looks.set(look, (looks.get(look) ?? 0) + count);
    }
    return { counts, looks, sized };
  }, [parts]);
  const cabinets = useMemo(
    () =>
      walls.read
        .filter((cabinet) => address.cabinet === undefined || cabinet.id === address.cabinet)
        // What is looked for is in sight first, not below a wall without any of it.
        .toSorted((a, b) => Number(hasAny(parts.get(b.id))) - Number(hasAny(parts.get(a.id)))),
    [walls.read, address.cabinet, parts],
  );
  const listed = useMemo(
    () => (view === 'wall' ? [] : cabinets.flatMap((cabinet) => parts.get(cabinet.id)?.asked ?? [])),
    [view, parts, cabinets],
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

  /** A mouse chooses one, and one more with a key held; a finger or the keyboard has no such key, and chooses one more each time. */
  const pick = useCallback(
    (id: string, more: boolean, mouse: boolean) => {
      const alone = latest.current.size === 1 && latest.current.has(id);
      if (more || !mouse || alone) toggle(id);
      else setPicked(new Set([id]));
    },
    [toggle],
  );

  useScanner((text) => {
    const locker = mine.find((one) => one.doorTag.toUpperCase() === text.trim().toUpperCase());
    if (locker !== undefined) return setPicked(new Set([locker.id]));
    if (walls.unread === 0) return undefined;
    const follow = (found: Locker | null) => {
      if (found === null) return;
      setVisited((before) => [...before, found.cabinetId]);
      setPicked(new Set([found.id]));
    };
    void queryClient.fetchQuery({ ...tagQuery(api, text), staleTime: 0 }).then(follow, toast.fail);
    return undefined;
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
            const { value } = event.currentTarget;
            if (value !== '') setVisited((before) => [...before, value]);
            go(value === '' ? rest : { ...rest, cabinet: value });
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
            { value: '', label: `${t('lockers.everything')} (${counted.sized})` },
            ...SHOWS.map((one) => ({ value: one, label: `${t(`lockers.shows.${one}`)} (${counted.counts[one]})` })),
          ]}
        />
        <NativeSelect
          aria-label={t('lockers.facts.size')}
          value={size ?? ''}
          onChange={(event) => {
            const { size: _, ...rest } = address;
            const wanted = SIZES.find((one) => one === event.currentTarget.value);
            go(wanted === undefined ? rest : { ...rest, size: wanted });
          }}
          data={[{ value: '', label: t('lockers.anySize') }, ...SIZES.map((one) => ({ value: one, label: one }))]}
        />
      </div>
      {walls.unread > 0 && address.cabinet === undefined && (
        <p className={styles.quiet}>{t('lockers.wall.some', { shown: walls.read.length, total: walls.cabinets.length })}</p>
      )}
      {walls.error !== null && <ProblemNote error={walls.error} title={t('lockers.wall.failed')} onRetry={walls.retry} />}
      {walls.pending && mine.length === 0 && <Placeholder height={420} />}
      {!walls.pending && walls.error === null && walls.cabinets.length === 0 && (
        <Notice level={2} title={t('lockers.wall.none')} text={t('lockers.wall.noneText')} />
      )}
      {mine.length > 0 && (
        <div className={styles.halves} data-view={view}>
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
                  doors={parts.get(cabinet.id)?.doors ?? NO_DOORS}
                  selected={picked}
                  onPick={pick}
                  beside={BESIDE}
                  virtual={mine.length > 240}
                />
              ))}
              <div className={styles.legend}>
                <Legend counts={counted.looks} />
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
