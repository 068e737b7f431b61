/** What can go wrong on the way to the asset tool and back, to be tried out on purpose. */
export const FAULTS = ['error', 'answer-lost', 'refused', 'doubled', 'throttled', 'slow', 'outage', 'cut', 'garbage', 'redirect'] as const;
export type FaultKind = (typeof FAULTS)[number];
