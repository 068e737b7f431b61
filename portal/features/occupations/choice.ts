import type { Service } from '@hatchway/domain/terms.ts';
import { useMemo, useState } from 'react';
import type { Cabinet } from '../../app/queries.ts';
import { useWalls, type Walls } from '../lockers/api.ts';
import { useWallsBeyond } from '../lockers/beyond.ts';
import { chosenDoor, fitAway, fitFor, NO_DOOR, passedOver, type Asked, type Choice, type PassedOver } from '../lockers/fit.ts';
import type { Draft } from './draft.ts';

export type DoorChoice = Choice & {
  walls: Walls;
  cabinetId: string | null;
  near: readonly string[];
  /** What would fit better, were it in order; not asked where somebody chose by hand. */
  passed: PassedOver | null;
  /** Why it stands in another cabinet than the one that was asked for: it is, or was, offline, or had no door to give. */
  away: 'offline' | 'was-offline' | 'full' | null;
  /** The cabinet that was asked for has a door again. */
  back: boolean;
  /** The cabinet elsewhere that has one, where none is to be had at this site. */
  next: Cabinet | null;
  /** Somebody asks anew: the best door of this moment is the answer. */
  askAnew: () => void;
};

/** The door that was suggested to somebody's eyes, what it answers, and the one before it that somebody else was quicker to take. */
type Looked = Pick<Choice, 'why' | 'elsewhere' | 'lost'> & { lockerId: string | null; question: string; offline: boolean };
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
  const question = JSON.stringify([draft.lockerId, draft.size, draft.least, wanted, draft.tried]);
  const [looked, setLooked] = useState<Looked | null>(null);
  const answer = looked?.question === question ? looked : null;
  const picked = answer === null ? draft.lockerId : answer.lockerId;
  const asked = useMemo(
    (): Asked => ({ service, size: draft.size, least: draft.least, cabinetId: wanted, near, tried: draft.tried }),
    [service, draft.size, draft.least, wanted, near, draft.tried],
  );
  const walls = useWallsBeyond(ahead, held ?? (picked === NO_DOOR ? null : picked), asked);
  const chosen = useMemo(() => chosenDoor(walls.lockers, picked, asked), [walls.lockers, picked, asked]);
  const { locker } = chosen;
  const offline = walls.lockers.some(({ cabinetId, connection }) => cabinetId === wanted && connection === 'offline');
  if (eyes === 'past' && looked !== null) setLooked(null);
  // Of walls that are still being read the best door is not known yet.
  if (eyes === 'looking' && !ahead.pending && (chosen.lost !== null || (picked === null && locker !== null))) {
    const { why, elsewhere } = chosen;
    setLooked({ lockerId: locker?.id ?? null, why, elsewhere, lost: chosen.lost ?? answer?.lost ?? null, question, offline });
  }
  const kept = answer !== null && locker !== null && locker.id === answer.lockerId ? answer : null;
  const { why, elsewhere } = kept ?? chosen;
  // Why it was chosen stays the reason, whatever became of it since.
  const because = (kept?.offline ?? offline) ? (offline ? 'offline' : 'was-offline') : 'full';
  const away = elsewhere ? because : null;
  const back = useMemo(() => {
    const now = fitFor(walls.lockers, asked);
    return elsewhere && now.ok && !now.elsewhere;
  }, [elsewhere, walls.lockers, asked]);
  // Of a cabinet that was not there at all no single door is the reason.
  const named = why !== 'by-hand' && why !== 'unknown-scan' && why !== 'as-large' && (away === null || away === 'full');
  const passed = useMemo(() => (named ? passedOver(walls.lockers, locker, asked) : null), [named, walls.lockers, locker, asked]);
  const next = useMemo(() => {
    if (locker !== null || picked === NO_DOOR || walls.pending) return null;
    const there = fitAway(walls.lockers, asked)?.cabinetId;
    return walls.cabinets.find(({ id }) => id === there) ?? null;
  }, [locker, picked, walls, asked]);
  const lost = chosen.lost ?? answer?.lost ?? null;
  return { ...chosen, why, elsewhere, passed, away, back, next, lost, walls, cabinetId: wanted, near, askAnew: () => setLooked(null) };
}
