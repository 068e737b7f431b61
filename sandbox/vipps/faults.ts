/** What can go wrong on the way to the provider and back, to be tried out on purpose. */
export const FAULTS = [
  'error',
  'answer-lost',
  'rate-limit',
  'slow',
  'outage',
  'cut',
  'hook-late',
  'hook-doubled',
  'hook-out-of-order',
  'hook-lying',
  'hook-none',
] as const;
export type FaultKind = (typeof FAULTS)[number];
