import type { Service } from '@hatchway/domain/terms.ts';
import { useMemo } from 'react';
import { useWalls, type Walls } from '../lockers/api.ts';
import { chosenDoor, type Choice } from '../lockers/fit.ts';
import type { Draft } from './draft.ts';

export type DoorChoice = Choice & { walls: Walls; cabinetId: string | null; near: readonly string[] };

/** The door that the draft stands for, live: who is quicker elsewhere changes it here. */
export function useDoorChoice(draft: Draft, service: Service): DoorChoice {
  const walls = useWalls();
  const { cabinets, lockers } = walls;
  const wanted = cabinets.some((cabinet) => cabinet.id === draft.cabinetId) ? draft.cabinetId : (cabinets[0]?.id ?? null);
  const near = useMemo(() => {
    const site = cabinets.find(({ id }) => id === wanted)?.siteId;
    return cabinets.filter(({ siteId }) => siteId === site).map(({ id }) => id);
  }, [cabinets, wanted]);
  const choice = useMemo(
    () => chosenDoor(lockers, draft.lockerId, { service, size: draft.size, cabinetId: wanted, near, tried: draft.tried }),
    [lockers, draft.lockerId, draft.size, draft.tried, wanted, near, service],
  );
  return { ...choice, walls, cabinetId: wanted, near };
}
