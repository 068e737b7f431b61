import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wall } from './api.ts';
import styles from './permissions.module.css';

type Props = { walls: readonly Wall[]; value: readonly string[]; error?: string | undefined; onChange: (ids: string[]) => void };

/** Beyond this many doors a wall shows them only when it is opened. */
const OPEN_AT_MOST = 80;

/** Lockers, many at once: a whole wall with one press, those that a search found with another, or door by door. */
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
      <p className={styles.hint}>{t('permissions.lockersChosen', { count: chosen.size })}</p>
      {error && (
        <p role="alert" className={styles.wrong}>
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
      {shown.length === 0 && <p className={styles.hint}>{walls.length === 0 ? t('permissions.noLockers') : t('table.noMatch')}</p>}
      {shown.map(({ wall, lockers }) => (
        <WallDoors key={wall.id} wall={wall} lockers={lockers} chosen={chosen} searched={words !== ''} onSet={set} />
      ))}
    </fieldset>
  );
};

type DoorsProps = {
  wall: Wall;
  lockers: Wall['lockers'];
  chosen: ReadonlySet<string>;
  searched: boolean;
  onSet: (ids: readonly string[], on: boolean) => void;
};
const WallDoors = ({ wall, lockers, chosen, searched, onSet }: DoorsProps) => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(wall.lockers.length <= OPEN_AT_MOST);
  const ids = lockers.map(({ id }) => id);
  const count = ids.filter((id) => chosen.has(id)).length;
  return (
    <div className={styles.wall}>
      <div className={styles.wallHead}>
        <Checkbox
          label={t('permissions.wholeWall', { name: wall.name, count: ids.length })}
          checked={count === ids.length}
          indeterminate={count > 0 && count < ids.length}
          onChange={(event) => onSet(ids, event.currentTarget.checked)}
        />
        <span className={styles.hint}>{t('permissions.ofWall', { chosen: count, count: ids.length })}</span>
      </div>
      {open || searched ? (
        <div className={styles.doors}>
          {lockers.map(({ id, doorTag }) => (
            <button
              key={id}
              type="button"
              className={styles.door}
              aria-pressed={chosen.has(id)}
              onClick={() => onSet([id], !chosen.has(id))}
            >
              {doorTag}
            </button>
          ))}
        </div>
      ) : (
        <Button variant="subtle" size="sm" onClick={() => setOpen(true)}>
          {t('permissions.showDoors')}
        </Button>
      )}
    </div>
  );
};
