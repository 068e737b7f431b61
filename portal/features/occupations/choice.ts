import type { Service } from '@hatchway/domain/terms.ts';
import { useMemo, useState } from 'react';
import { useWalls, type Walls } from '../lockers/api.ts';
import { useWallsBeyond } from '../lockers/beyond.ts';
import { chosenDoor, passedOver, type Asked, type Choice, type PassedOver } from '../lockers/fit.ts';
import type { Draft } from './draft.ts';

export type DoorChoice = Choice & {
  walls: Walls;
  cabinetId: string | null;
  near: readonly string[];
  /** What would fit better, were it in order; not asked where somebody chose by hand. */
  passed: PassedOver | null;
};

/** The door that was suggested to somebody's eyes, what it answers, and the one before it that somebody else was quicker to take. */
type Looked = Pick<Choice, 'why' | 'elsewhere' | 'lost'> & { lockerId: string | null; question: string };
/** `looking`: the door stands before somebody's eyes; `past`: it is theirs, and the next question is a new one. */
type Eyes = 'looking' | 'elsewhere' | 'past';

/**
 * The door that the draft stands for, live. From when it is looked at it changes only with a word about it (`lost`): who is quicker
 * elsewhere takes it away, a better one that comes free does not. `held`: one that is in use already, or was asked for.
 */
export function useDoorChoice(draft: Draft, service: Service, eyes: Eyes, held: string | null): DoorChoice {
  const ahead = useWalls(draft.cabinetId === null ? [] : [draft.cabinetId]);
  const { cabinets } = ahead;
  const wanted = cabinets.some((cabinet) => cabinet.id === draft.cabinetId) ? draft.cabinetId : (cabinets[0]?.id ?? null);
  const near = useMemo(() => {
    const site = cabinets.find(({ id }) => id === wanted)?.siteId;
    return cabinets.filter(({ siteId }) => siteId === site).map(({ id }) => id);
  }, [cabinets, wanted]);
  const question = JSON.stringify([draft.lockerId, draft.size, wanted, draft.tried]);
  const [looked, setLooked] = useState<Looked | null>(null);
  const answer = looked?.question === question ? looked : null;
  const picked = answer === null ? draft.lockerId : answer.lockerId;
  const asked = useMemo(
    (): Asked => ({ service, size: draft.size, cabinetId: wanted, near, tried: draft.tried }),
    [service, draft.size, wanted, near, draft.tried],
  );
  const walls = useWallsBeyond(ahead, held ?? picked, asked);
  const chosen = useMemo(() => chosenDoor(walls.lockers, picked, asked), [walls.lockers, picked, asked]);
  const { locker } = chosen;
  if (eyes === 'past' && looked !== null) setLooked(null);
  // Of walls that are still being read the best door is not known yet.
  if (eyes === 'looking' && !ahead.pending && (chosen.lost !== null || (picked === null && locker !== null))) {
    const { why, elsewhere } = chosen;
    setLooked({ lockerId: locker?.id ?? null, why, elsewhere, lost: chosen.lost ?? answer?.lost ?? null, question });
  }
  const kept = answer !== null && locker !== null && locker.id === answer.lockerId ? { why: answer.why, elsewhere: answer.elsewhere } : {};
  const byHand = (kept.why ?? chosen.why) === 'by-hand';
  const passed = useMemo(() => (byHand ? null : passedOver(walls.lockers, locker, asked)), [byHand, walls.lockers, locker, asked]);
  return { ...chosen, ...kept, passed, lost: chosen.lost ?? answer?.lost ?? null, walls, cabinetId: wanted, near };
}
