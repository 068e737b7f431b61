import { useEffect, useState } from 'react';
import type { Outcome } from './check-summary.tsx';

const PLACE = 'check';
type Round = { outcomes: ReadonlyMap<string, Outcome>; inHand: string | null };
const FRESH: Round = { outcomes: new Map(), inHand: null };

const read = (): Round => {
  try {
    const stored = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as { outcomes: [string, Outcome][]; inHand: string | null } | null;
    if (stored === null) return FRESH;
    const outcomes = new Map(stored.outcomes);
    // Answered already, it is not asked of again.
    return { outcomes, inHand: stored.inHand !== null && outcomes.has(stored.inHand) ? null : stored.inHand };
  } catch {
    return FRESH;
  }
};
const forget = (): void => {
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // Nothing was kept either.
  }
};

/** Where a round begins, none is under way: what was skipped is asked of again. */
export const useNoRound = (): void => useEffect(forget, []);

/** A round of checks: what came of each door, and the one in hand. Kept in this tab over a reload, and over with leaving the page. */
export function useRound(): [Round, (round: Round) => void] {
  const [round, setRound] = useState(read);
  useEffect(() => {
    try {
      sessionStorage.setItem(PLACE, JSON.stringify({ outcomes: [...round.outcomes], inHand: round.inHand }));
    } catch {
      // Then a reload begins the round anew.
    }
  }, [round]);
  useEffect(() => forget, []);
  return [round, setRound];
}
