import { useEffect, useState } from 'react';
import { tabStorage } from '../../app/tab-storage.ts';
import type { Outcome } from './check-summary.tsx';

const place = tabStorage('check');
type Round = { outcomes: ReadonlyMap<string, Outcome>; inHand: string | null };

const read = (): Round => {
  const { outcomes: told = [], inHand = null } = (place.read() ?? {}) as { outcomes?: [string, Outcome][]; inHand?: string | null };
  const outcomes = new Map(told);
  // Answered already, it is not asked of again.
  return { outcomes, inHand: inHand !== null && outcomes.has(inHand) ? null : inHand };
};
const forget = (): void => place.write(null);

/** Where a round begins, none is under way: what was skipped is asked of again. */
export const useNoRound = (): void => useEffect(forget, []);

/** A round of checks: what came of each door, and the one in hand. Kept in this tab over a reload, and over with leaving the page. */
export function useRound(): [Round, (round: Round) => void] {
  const [round, setRound] = useState(read);
  useEffect(() => place.write({ outcomes: [...round.outcomes], inHand: round.inHand }), [round]);
  useEffect(() => forget, []);
  return [round, setRound];
}
