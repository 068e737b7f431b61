import { isFailing } from '@hatchway/domain/locker.ts';
import { SIZES } from '@hatchway/domain/terms.ts';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/portal.ts';
import { lockerQuery, type Occupation } from '../../app/queries.ts';
import { useWalls } from '../lockers/api.ts';
import { useWallsBeyond } from '../lockers/beyond.ts';
import { isLinked, type LockerFacts } from '../lockers/door-view.ts';
import { type Asked, otherDoors } from '../lockers/fit.ts';
import { serviceOf } from './plan.ts';

/** Doors that this could go into, not its own; where there are more cabinets than walls are read, one of them may be chosen. */
export function useOtherDoors(one: Occupation) {
  const own = useQuery(lockerQuery(useApi(), one.lockerId));
  const [wall, setWall] = useState('');
  const ahead = useWalls([own.data?.cabinetId ?? [], wall].flat());
  // A locker out of one's sight has no place that one could start from.
  const cabinetId = own.data?.cabinetId ?? '';
  const size = own.data?.size ?? SIZES[0];
  const service = serviceOf(one);
  const asked = useMemo((): Asked => {
    const site = ahead.cabinets.find(({ id }) => id === cabinetId)?.siteId;
    const beside = ahead.cabinets.filter(({ siteId }) => siteId === site).map(({ id }) => id);
    return { service, size, cabinetId, near: beside, tried: [one.lockerId] };
  }, [ahead.cabinets, cabinetId, size, one.lockerId, service]);
  const walls = useWallsBeyond(ahead, null, asked);
  const { near, away } = useMemo(() => {
    const found = otherDoors(walls.lockers, asked);
    const on = (door: LockerFacts) => wall === '' || door.cabinetId === wall;
    return { near: found.near.filter(on), away: found.away.filter(on) };
  }, [walls.lockers, asked, wall]);
  const pending = own.isPending || walls.pending;
  const known = (id: string): boolean => near.some((door) => door.id === id) || away.some((door) => door.id === id);
  return {
    walls,
    wall,
    setWall,
    near,
    away,
    pending,
    known,
    /** The best fit that one can walk to, or that stands in the cabinet which was chosen; one that a link opens is somebody's choice alone. */
    best: pending ? '' : ([...near, ...(wall === '' ? [] : away)].find((door) => !isLinked(door))?.id ?? ''),
  };
}

type Props = {
  doors: ReturnType<typeof useOtherDoors>;
  label: string;
  value: string;
  /** What stands for no other door. */
  none: string;
  error?: string | undefined;
  onChange: (lockerId: string) => void;
};

export const OtherDoor = ({ doors, label, value, none, error, onChange }: Props) => {
  const { t } = useTranslation();
  const { walls, near, away, wall, setWall } = doors;
  const names = useMemo(() => new Map(walls.cabinets.map((cabinet) => [cabinet.id, cabinet])), [walls.cabinets]);
  const option = (door: LockerFacts, far: boolean) => {
    const cabinet = names.get(door.cabinetId);
    const place = [cabinet?.name, far ? cabinet?.siteName : undefined].filter(Boolean).join(', ');
    const failing = isFailing(door.lastCommand) ? ` · ${t('terms.lockerState.failing')}` : '';
    const linked = isLinked(door) ? ` · ${t('lockers.fit.opensByLink')}` : '';
    return { value: door.id, label: `${door.doorTag} (${door.size}) · ${place}${failing}${linked}` };
  };
  return (
    <>
      {(walls.unread > 0 || wall !== '') && (
        <NativeSelect
          mb="md"
          size="md"
          label={t('lockers.cabinet')}
          value={wall}
          onChange={(event) => setWall(event.currentTarget.value)}
          data={[
            { value: '', label: t('lockers.nearest') },
            ...walls.cabinets.map((cabinet) => ({ value: cabinet.id, label: `${cabinet.name} · ${cabinet.siteName}` })),
          ]}
        />
      )}
      <NativeSelect
        size="md"
        label={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        data={[
          ...(none === '' ? [] : [{ value: '', label: none }]),
          ...near.map((door) => option(door, false)),
          ...(away.length === 0 ? [] : [{ group: t('lockers.elsewhere'), items: away.map((door) => option(door, true)) }]),
        ]}
      />
    </>
  );
};
