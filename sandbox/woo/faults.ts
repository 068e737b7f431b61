/** What can go wrong on the way to the shop and back, to be tried out on purpose. */
export const FAULTS = [
  'error',
  'answer-lost',
  'slow',
  'outage',
  'cut',
  'garbage',
  'hook-late',
  'hook-doubled',
  'hook-lying',
  'hook-none',
] as const;
export type FaultKind = (typeof FAULTS)[number];
