import { isActive, type Stage } from '@hatchway/domain/terms.ts';
import { useQueryClient } from '@tanstack/react-query';
import { isAnswered } from '../../app/once.ts';
import { codeOf } from '../../app/problem.ts';
import type { LockerFacts, Obstacle } from '../lockers/door-view.ts';
import { useOccupationCommands } from './api.ts';
import { registrationOf, withoutDoor, type Draft } from './draft.ts';
import type { useInUse } from './in-use.tsx';
import { newKey, rememberCabinet, type Kept, type useKept } from './kept.ts';
import type { Plan } from './plan.ts';
import type { useRunning } from './use-running.ts';

/** The door went to somebody else, or cannot be had any more, and why: the next best one is chosen and nothing typed is lost. */
const LOST: Readonly<Record<string, Obstacle>> = {
  'locker-taken': 'taken',
  'no-free-locker': 'taken',
  'locker-in-doubt': 'in-doubt',
  'out-of-service': 'out-of-service',
};

export type Said = { kind: 'lost'; tag: string; by: Obstacle } | { kind: 'full'; tag: string } | null;
type Door = Pick<LockerFacts, 'id' | 'doorTag' | 'cabinetId' | 'size'>;

type Options = {
  plan: Plan;
  kept: Kept;
  setKept: ReturnType<typeof useKept>[1];
  running: ReturnType<typeof useRunning>;
  inUse: ReturnType<typeof useInUse>;
  setSaid: (said: Said) => void;
  setError: (error: unknown) => void;
};

/** Registers what was filled in and opens its door, once: also where an answer was lost, or the door went to somebody else meanwhile. */
export function useRegistration({ plan, kept, setKept, running, inUse, setSaid, setError }: Options) {
  const queryClient = useQueryClient();
  const commands = useOccupationCommands();

  /**
   * Frees the door of a registration that nobody means any more. Throws where it is still not known whether it was made; save where the
   * server fails on that very one, which would do so for ever: if it was made after all, its time runs out by itself.
   */
  const endLost = async () => {
    if (kept.lost === null) return;
    try {
      const made = await commands.register(kept.lost.registration, kept.lost.key);
      if (isActive(made.stage as Stage)) await commands.end(made);
    } catch (failure) {
      if (!isAnswered(failure) && codeOf(failure) !== 'defect') throw failure;
    }
    setKept((now) => ({ ...now, lost: null }));
  };

  return async (from: Draft, locker: Door): Promise<void> => {
    setError(null);
    setSaid(null);
    try {
      await endLost();
      setKept((now) => ({ ...now, draft: from, pinned: locker.id }));
      const made = await commands.register(registrationOf(from, plan, locker.id), from.key);
      setKept((now) => ({ ...now, occupationId: made.id, byHand: false, pinned: null }));
      rememberCabinet(locker.cabinetId);
      // Nobody stands at the door yet: whoever is asked opens it by the link.
      if (plan.begins === 'ask') await commands.act({ action: 'send', id: made.id });
      else await running.open({ id: made.lockerId, doorTag: made.doorTag }, made.id);
    } catch (failure) {
      const by = LOST[codeOf(failure) ?? ''];
      if (by !== undefined) {
        setSaid({ kind: 'lost', tag: locker.doorTag, by });
        setKept((now) => ({ ...now, pinned: null, draft: withoutDoor(now.draft, locker, newKey()) }));
        void queryClient.invalidateQueries({ queryKey: ['lockers'] });
        return;
      }
      const { asset, sureOf } = from;
      if (codeOf(failure) === 'in-use-elsewhere' && asset !== null && sureOf !== asset.id) await inUse.askAnew(from, asset);
      else setError(failure);
      // Only where no answer came may the same request be meant again.
      if (isAnswered(failure)) setKept((now) => ({ ...now, pinned: null, draft: { ...now.draft, key: newKey() } }));
    }
  };
}
