import { handsOn, type LinkPurpose } from '@hatchway/domain/access-link.ts';
import { MultiSelect, NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import type { Locker } from '../../app/queries.ts';
import { useFacts } from '../../app/who.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Legend } from '../../ui/wall/legend.tsx';
import { countLooks } from '../../ui/wall/model.ts';
import { Wall } from '../../ui/wall/wall.tsx';
import { lockersLike, useWalls } from '../lockers/api.ts';
import { doorsOf } from '../lockers/door-view.ts';
import styles from './links.module.css';
import { Placeholder } from '../../ui/panel.tsx';

type Props = { purpose: LinkPurpose; value: readonly string[]; error: string | undefined; onChange: (lockerIds: string[]) => void };

/** Lockers that one may open oneself for that purpose, found by their tags or pointed at on the wall; both say the same. */
export const LockerPicker = ({ purpose, value, error, onChange }: Props) => {
  const { t } = useTranslation();
  const facts = useFacts();
  // The cabinets that somebody went to, the one that is shown last: what was chosen there stays known by its tag.
  const [visited, setVisited] = useState<readonly string[]>([]);
  const shown = visited.at(-1);
  const walls = useWalls(visited);
  const mine = useMemo(
    () => walls.lockers.filter((locker) => handsOn(purpose, locker.id, facts).length > 0),
    [walls.lockers, purpose, facts],
  );
  // Of a wall that is not read nobody knows yet whether there is a door for them.
  const cabinets = walls.cabinets.filter(
    (cabinet) => !walls.byCabinet.has(cabinet.id) || mine.some((locker) => locker.cabinetId === cabinet.id),
  );
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim(), 200);
  const found = useQuery({ ...lockersLike(useApi(), words), enabled: walls.unread > 0 && words !== '', placeholderData: keepPreviousData });
  const others =
    walls.unread === 0 || words === ''
      ? []
      : (found.data ?? []).filter((locker) => !walls.byCabinet.has(locker.cabinetId) && handsOn(purpose, locker.id, facts).length > 0);
  // What was taken by its tag alone keeps it until its wall is read.
  const [taken, setTaken] = useState<readonly Locker[]>([]);
  const tags = new Map([...mine, ...others, ...taken].map((locker) => [locker.id, locker.doorTag]));
  const chosen = new Map([...taken, ...others, ...mine].map((locker) => [locker.id, locker]));
  const inUse = value.flatMap((id) => chosen.get(id) ?? []).filter(({ occupation }) => occupation !== null);
  const cabinet = cabinets.find((one) => one.id === shown) ?? cabinets[0];
  const doors = useMemo(() => doorsOf(mine), [mine]);
  const looks = countLooks(mine.flatMap(({ id, cabinetId }) => (cabinetId === cabinet?.id && doors[id]) || []));
  const selected = useMemo(() => new Set(value), [value]);
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });
  const toggle = useCallback((id: string) => {
    const { value: before, onChange: change } = latest.current;
    change(before.includes(id) ? before.filter((one) => one !== id) : [...before, id]);
  }, []);
  if (walls.error !== null && mine.length === 0)
    return <ProblemNote error={walls.error} title={t('lockers.wall.failed')} onRetry={walls.retry} />;
  if (walls.pending && mine.length === 0) return <Placeholder height={320} />;
  return (
    <div className={styles.picker}>
      <MultiSelect
        label={t('links.lockers')}
        description={t('links.lockersText')}
        placeholder={value.length === 0 ? t('links.lockersPlaceholder') : ''}
        data={[...tags].map(([id, tag]) => ({ value: id, label: tag }))}
        value={[...value]}
        onChange={(ids) => {
          const far = others.filter(({ id }) => ids.includes(id));
          if (far.length > 0) {
            setTaken((before) => [...before, ...far]);
            setVisited((before) => [...before, ...far.map(({ cabinetId }) => cabinetId)]);
          }
          onChange(ids);
        }}
        onSearchChange={setTyped}
        error={error}
        errorProps={{ role: 'alert' }}
        searchable
        openOnFocus={false}
        hidePickedOptions
        limit={60}
        nothingFoundMessage={t('links.lockersNone')}
      />
      {purpose === 'open' && inUse.length > 0 && (
        <output className={styles.inUse}>{t('links.inUse', { tags: inUse.map(({ doorTag }) => doorTag).join(', ') })}</output>
      )}
      {cabinets.length > 1 && (
        <NativeSelect
          label={t('lockers.cabinet')}
          value={cabinet?.id ?? ''}
          onChange={(event) => {
            const { value: id } = event.currentTarget;
            setVisited((before) => [...before, id]);
          }}
          data={cabinets.map((one) => ({ value: one.id, label: `${one.name} · ${one.siteName}` }))}
        />
      )}
      {cabinet && <Legend counts={looks} />}
      {cabinet && (
        <div className={styles.wall}>
          <Wall
            name={cabinet.name}
            detail={cabinet.siteName}
            online={cabinet.connection === 'online'}
            layout={cabinet.columns}
            doors={doors}
            selected={selected}
            compact
            onPick={toggle}
          />
        </div>
      )}
    </div>
  );
};
