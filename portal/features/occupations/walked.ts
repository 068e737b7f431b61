import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { placeOf, type StepId } from './plan.ts';

/** The steps that were walked up to an entry of the browser's history, its own last: one entry each, side by side. */
type Walked = readonly StepId[];
export type Move = { kind: 'stay' } | { kind: 'go'; by: number } | { kind: 'push' | 'replace'; walked: Walked };

/**
 * Reads an entry. Its address names its step, and so outlives a reload, which goes by the sign-in page; the way to it does not.
 * One that is not ours, or of steps that are no longer shown, was walked by nobody.
 */
export function walkedIn({ search, state }: { search: string; state: object }, steps: Walked): Walked {
  const named = new URLSearchParams(search).get('step');
  const here = steps.filter((step) => step === named);
  const kept: unknown = 'walked' in state ? state.walked : undefined;
  if (!Array.isArray(kept)) return here;
  const walked = kept.flatMap((one) => steps.filter((step) => step === one));
  return walked.length === kept.length && walked.at(-1) === here[0] ? walked : here;
}

/** Pure part: what the browser's history must do, standing at `walked`, so that its entry is that of `step`. */
export function moveTo(walked: Walked, step: StepId, steps: Walked): Move {
  const here = walked.at(-1);
  if (here === step) return { kind: 'stay' };
  if (here === undefined) return { kind: 'replace', walked: [step] };
  const at = walked.lastIndexOf(step);
  if (at >= 0) return { kind: 'go', by: at - (walked.length - 1) };
  if (placeOf(steps, step) > placeOf(steps, here)) return { kind: 'push', walked: [...walked, step] };
  // One before that was never walked: it stands where this one stood, so that Back still leads towards the first.
  return { kind: 'replace', walked: [...walked.slice(0, -1), step] };
}

type Options = {
  steps: Walked;
  step: StepId;
  /** Something is registered: there is no way back to its steps, and Back leaves the screen at once. */
  runs: boolean;
  /** The browser's buttons came to a step. Answers the step that is shown then. */
  onStep: (step: StepId, forward: boolean) => StepId;
  /** What runs was gone on with from the first step, and Back leads there; null where it was registered here. */
  onReturn: (() => void) | null;
};

/** The browser's Back and Forward walk the steps: the screen's step is the truth, and the history is kept like it. */
export function useWalked(options: Options): { letGo: () => void } {
  const { history } = useRouter();
  const { steps, step, runs, onReturn } = options;
  const returns = onReturn !== null;
  const [place, setPlace] = useState(history.location);
  const latest = useRef(options);
  /** `going`: a move of our own is on its way, and what it comes to is no wish of anybody's. */
  const now = useRef({ going: false, begun: false, left: false, path: place.pathname });
  useEffect(() => {
    latest.current = options;
  });

  useEffect(
    () =>
      history.subscribe(({ location, action }) => {
        if (location.pathname !== now.current.path) return;
        setPlace(location);
        if (action.type === 'PUSH' || action.type === 'REPLACE') return;
        const ours = now.current.going;
        now.current.going = false;
        const to = walkedIn(location, latest.current.steps).at(-1);
        if (ours || to === undefined) return;
        if (latest.current.runs) latest.current.onReturn?.();
        else latest.current.onStep(to, action.type === 'FORWARD');
      }),
    [history],
  );

  useEffect(() => {
    const { going, begun, left } = now.current;
    if (going || left) return;
    const walked = walkedIn(place, steps);
    const here = walked.at(-1);
    now.current.begun = true;
    // Come back to from another page, or by a reload: the entry says which step was left.
    if (!begun && here !== undefined && here !== step && !runs && latest.current.onStep(here, false) !== step) return;
    const move = runs && walked.length > 1 ? ({ kind: 'go', by: 1 - walked.length } as const) : moveTo(walked, step, steps);
    if (move.kind === 'go') {
      now.current.going = true;
      history.go(move.by);
    } else if (runs) {
      // What runs is at none of its steps any more.
      if (here !== undefined) history[returns ? 'push' : 'replace'](place.pathname);
    } else if (move.kind !== 'stay') history[move.kind](`${place.pathname}?step=${step}`, { walked: move.walked });
  }, [history, place, steps, step, runs, returns]);

  return {
    letGo: () => {
      now.current.left = true;
    },
  };
}
