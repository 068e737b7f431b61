/** What can go wrong at the directory, to be tried out on purpose; `reference` is the directory’s id. */
export const FAULTS = [
  'outage',
  'cut',
  'slow',
  'error',
  'garbage',
  'redirect',
  'throttled',
  'gone',
  'expired-token',
  'groups-refused',
  'shuffled',
  'member-first',
  'forged-tenant',
  'lying-signature',
  'foreign-link',
  'unreadable',
] as const;
export type FaultKind = (typeof FAULTS)[number];
