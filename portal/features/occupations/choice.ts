import type { Service } from '@hatchway/domain/terms.ts';
import { useMemo } from 'react';
import { useWalls, type Walls } from '../lockers/api.ts';
import { chosenDoor, type Choice } from '../lockers/fit.ts';
import type { Draft } from './draft.ts';

export type DoorChoice = Choice & { walls: Walls; cabinetId: string | null };

/** The door that the draft stands for, live: who is quicker elsewhere changes it here. */
export function useDoorChoice(draft: Draft, service: Service): DoorChoice {
  const walls = useWalls();
  const { cabinets, lockers } = walls;
  const wanted = cabinets.some((cabinet) => cabinet.id === draft.cabinetId) ? draft.cabinetId : (cabinets[0]?.id ?? null);
  const choice = useMemo(
    () => chosenDoor(lockers, draft.lockerId, { service, size: draft.size, cabinetId: wanted, tried: draft.tried }),
    [lockers, draft.lockerId, draft.size, draft.tried, wanted, service],
  );
  return { ...choice, walls, cabinetId: wanted };
}
