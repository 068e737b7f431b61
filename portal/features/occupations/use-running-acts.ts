import { isActive, STAGES, type Stage } from '@hatchway/domain/terms.ts';
import { codeOf } from '../../app/problem.ts';
import { useDoorCommands } from '../lockers/api.ts';
import type { LockerFacts } from '../lockers/door-view.ts';
import { useOccupationCommands } from './api.ts';
import { nextParcel, withoutDoor, type Draft } from './draft.ts';
import { newKey, type useKept } from './kept.ts';
import type { StepId } from './plan.ts';
import type { RunningAct } from './running-panel.tsx';
import { callsForOpen } from './running.ts';
import type { Said, useRegistration } from './use-registration.ts';
import type { useRunning } from './use-running.ts';

type Options = {
  first: StepId;
  draft: Draft;
  setKept: ReturnType<typeof useKept>[1];
  running: ReturnType<typeof useRunning>;
  /** The door that it has now. */
  held: Pick<LockerFacts, 'id'> & { size: LockerFacts['size'] | null };
  /** The next best one; null where there is none. */
  instead: LockerFacts | null;
  register: ReturnType<typeof useRegistration>;
  setSaid: (said: Said) => void;
  restart: (from?: Draft) => void;
};

/** What somebody presses while what they registered is under way, carried out; what is refused stands beside the door. */
export function useRunningActs({ first, draft, setKept, running, held, instead, register, setSaid, restart }: Options) {
  const commands = useOccupationCommands();
  const doors = useDoorCommands();
  const occupation = running.occupation.data ?? null;

  /** Gives the door up and goes on with another; what was typed stays. */
  const giveUp = async (reason: string, nextDoor: LockerFacts | null): Promise<Draft> => {
    if (occupation === null) return draft;
    if (isActive(occupation.stage as Stage)) await commands.end(occupation, reason);
    running.setAttempt(null);
    const moved: Draft = { ...withoutDoor(draft, held, newKey()), lockerId: nextDoor?.id ?? null, step: 'summary' };
    setKept((now) => ({ ...now, draft: moved, occupationId: null, byHand: false, pinned: null }));
    return moved;
  };

  const notEmpty = async () => {
    if (occupation === null) return;
    const answer = await commands.doubt(occupation.id, 'not-empty');
    if (answer.lockerId !== occupation.lockerId && isActive(answer.stage as Stage)) {
      setSaid({ kind: 'full', tag: occupation.doorTag });
      setKept((now) => ({ ...now, byHand: false, draft: { ...now.draft, tried: [...now.draft.tried, occupation.lockerId] } }));
      running.setAttempt(null);
      return;
    }
    if (isActive(answer.stage as Stage)) await commands.end(answer, 'locker not empty');
    running.setAttempt(null);
    // The best fit is nobody's choice, and this screen knows which doors it has tried in vain.
    const moved: Draft = { ...withoutDoor(draft, held, newKey()), step: 'summary' };
    setKept((now) => ({ ...now, draft: moved, occupationId: null, byHand: false, pinned: null }));
    setSaid({ kind: 'full', tag: occupation.doorTag });
  };

  const carryOut = async (act: RunningAct, reason?: string): Promise<void> => {
    if (occupation === null) return undefined;
    const door = { id: occupation.lockerId, doorTag: occupation.doorTag };
    switch (act) {
      case 'open':
        setKept((now) => ({ ...now, byHand: false }));
        if (occupation.stage < STAGES.FILLED) return running.open(door, occupation.id);
        // It counts as filled: to look once more changes nothing of it.
        await doors.open({ locker: door, ...(callsForOpen(occupation) ? { occupationId: occupation.id } : {}) });
        return running.look();
      case 'by-hand':
        // The command is tried once more with the reason, so that both are in the history; its answer is not waited for.
        setKept((now) => ({ ...now, byHand: true }));
        void running.open(door, occupation.id, reason);
        return undefined;
      case 'next-best': {
        const door2 = instead;
        if (door2 === null) return undefined;
        return register(await giveUp('door did not open', door2), door2);
      }
      case 'inside':
        await commands.act({ action: 'fill', id: occupation.id });
        return undefined;
      case 'nothing-inside':
        if (occupation.stage === STAGES.INITIATED) await commands.doubt(occupation.id, 'nothing-inside');
        else {
          // It counted as filled already: stated empty, it starts over with the same door.
          await commands.act({ action: 'empty', id: occupation.id });
          await commands.act({ action: 'reset', id: occupation.id });
        }
        return running.setAttempt(null);
      case 'not-empty':
        return notEmpty();
      case 'notify':
      case 'send-link':
        await commands.act({ action: 'send', id: occupation.id });
        return undefined;
      case 'publish':
        await commands.act({ action: 'publish', id: occupation.id });
        return undefined;
      case 'next':
        return restart();
      case 'next-parcel':
        return restart(nextParcel(draft, first, newKey()));
    }
  };

  return async (what: RunningAct, reason?: string): Promise<void> => {
    running.setError(null);
    try {
      await carryOut(what, reason);
    } catch (failure) {
      // The server may have been quicker (it fills by itself): then what it says now is the answer.
      running.setError(codeOf(failure) === 'occupation-transition' ? null : failure);
      running.look();
    }
  };
}
