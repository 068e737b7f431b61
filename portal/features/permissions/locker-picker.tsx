import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Wall } from '../../ui/wall/wall.tsx';
import { doorView } from '../lockers/door-view.ts';
import type { Wall as WallOfCabinet } from './api.ts';
import styles from './permissions.module.css';

type Props = { walls: readonly WallOfCabinet[]; value: readonly string[]; error?: string | undefined; onChange: (ids: string[]) => void };

/** Beyond this many doors a wall shows them only when it is opened. */
const OPEN_AT_MOST = 80;

/** Lockers, many at once: a whole wall with one press, those that a search found with another, a row of doors with two, or door by door. */
export const LockerPicker = ({ walls, value, error, onChange }: Props) => {
  const { t } = useTranslation();
  const [find, setFind] = useState('');
  const chosen = useMemo(() => new Set(value), [value]);
  const words = find.trim().toLowerCase();
  const shown = useMemo(
    () =>
      walls
        .map((wall) => ({
          wall,
          lockers: wall.name.toLowerCase().includes(words)
            ? wall.lockers
            : wall.lockers.filter(({ doorTag }) => doorTag.toLowerCase().includes(words)),
        }))
        .filter(({ lockers }) => lockers.length > 0),
    [walls, words],
  );
  const set = (ids: readonly string[], on: boolean): void => {
    const next = new Set(chosen);
    for (const id of ids)
      if (on) next.add(id);
      else next.delete(id);
    onChange([...next]);
  };
  const found = shown.flatMap(({ lockers }) => lockers.map(({ id }) => id));
  return (
    <fieldset className={styles.picker}>
      <legend className={styles.legend}>{t('permissions.lockers')}</legend>
      <p className="hw-hint">{t('permissions.lockersChosen', { count: chosen.size })}</p>
      {walls.length > 0 && <p className={`hw-hint ${styles.shift}`}>{t('permissions.lockersRow')}</p>}
      {error && (
        <p role="alert" className="hw-wrong">
          {error}
        </p>
      )}
      <div className={styles.find}>
        <TextInput
          aria-label={t('permissions.findLockers')}
          placeholder={t('permissions.findLockers')}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={find}
          onChange={(event) => setFind(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter chooses what was found; it must not save the form.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (words !== '') set(found, true);
          }}
        />
        {words !== '' && found.length > 0 && (
          <Button variant="default" onClick={() => set(found, true)}>
            {t('permissions.chooseFound', { count: found.length })}
          </Button>
        )}
      </div>
      {shown.length === 0 && <p className="hw-hint">{walls.length === 0 ? t('permissions.noLockers') : t('table.noMatch')}</p>}
      {shown.map(({ wall, lockers }) => (
        <WallDoors key={wall.id} wall={wall} lockers={lockers} chosen={chosen} searched={words !== ''} onSet={set} />
      ))}
    </fieldset>
  );
};

type DoorsProps = {
  wall: WallOfCabinet;
  lockers: WallOfCabinet['lockers'];
  chosen: ReadonlySet<string>;
  searched: boolean;
  onSet: (ids: readonly string[], on: boolean) => void;
};
const WallDoors = ({ wall, lockers, chosen, searched, onSet }: DoorsProps) => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(wall.lockers.length <= OPEN_AT_MOST);
  const ids = lockers.map(({ id }) => id);
  const count = ids.filter((id) => chosen.has(id)).length;
  const doors = useMemo(() => {
    const found = new Set(lockers.map(({ id }) => id));
    return Object.fromEntries(
      wall.lockers.map((locker) => [locker.id, found.has(locker.id) ? doorView(locker) : { ...doorView(locker), faint: true }]),
    );
  }, [wall.lockers, lockers]);
  const order = useMemo(() => wall.columns.flatMap((column) => column.doors.map(({ lockerId }) => lockerId)), [wall.columns]);
  const last = useRef<string | null>(null);
  /** With Shift all doors from the last one to this, as they hang there. */
  const pick = useEvent((id: string, { range }: { range: boolean }) => {
    const [from, to] = [last.current === null ? -1 : order.indexOf(last.current), order.indexOf(id)].toSorted((a, b) => a - b);
    const between = range && from !== undefined && to !== undefined && from >= 0 ? order.slice(from, to + 1) : [id];
    // what a search leaves faint is not among them
    onSet(
      between.filter((one) => one === id || ids.includes(one)),
      !chosen.has(id),
    );
    last.current = id;
  });
  return (
    <div className={styles.wall}>
      <div className={styles.wallHead}>
        <Checkbox
          label={t('permissions.wholeWall', { name: wall.name, count: ids.length })}
          checked={count === ids.length}
          indeterminate={count > 0 && count < ids.length}
          onChange={(event) => onSet(ids, event.currentTarget.checked)}
        />
        <span className="hw-hint">{t('permissions.ofWall', { chosen: count, count: ids.length })}</span>
      </div>
      {open || searched ? (
        <div className={styles.doors}>
          <Wall
            name={wall.name}
            detail={wall.siteName}
            online={wall.connection === 'online'}
            layout={wall.columns}
            doors={doors}
            selected={chosen}
            compact
            onPick={pick}
          />
        </div>
      ) : (
        <Button variant="subtle" size="sm" onClick={() => setOpen(true)}>
          {t('permissions.showDoors')}
        </Button>
      )}
    </div>
  );
};

/** The same function at each drawing, which does what the last one would: a wall is drawn anew where it is given another. */
const useEvent = <A extends unknown[]>(act: (...given: A) => void): ((...given: A) => void) => {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: A) => latest.current(...given), []);
};
