import { doorMayOpen } from '@hatchway/domain/doors.ts';
import { STAGES, type Stage } from '@hatchway/domain/terms.ts';
import type { Occupation } from '../../app/queries.ts';

/** What one can do to an occupation on its page. Some are the rules' own words, some are put together from them. */
export type Act =
  | 'publish'
  | 'send'
  | 'sendAgain'
  | 'fill'
  | 'claim'
  | 'finnish'
  | 'return'
  | 'extract'
  | 'retrieve'
  | 'empty'
  | 'reset'
  | 'delete'
  | 'extend'
  | 'correct'
  | 'nothingInside'
  | 'move'
  | 'open'
  | 'openAnyway'
  | 'again';

type Facts = Pick<Occupation, 'type' | 'stage' | 'pickupBy' | 'receiver' | 'contactError' | 'actions'>;

const acts: Readonly<Record<string, (occupation: Facts) => readonly Act[]>> = {
  publish: () => ['publish'],
  send: (occupation) => [occupation.stage === STAGES.CONTACTED || occupation.contactError.length > 0 ? 'sendAgain' : 'send'],
  fill: () => ['fill'],
  claim: () => ['claim'],
  finnish: () => ['finnish'],
  return: () => ['return'],
  // Taking out is rarely the end of it: ending it at once is one press, not two.
  extract: () => ['retrieve', 'extract'],
  empty: () => ['empty'],
  reset: () => ['reset'],
  delete: () => ['delete'],
  amend: (occupation) => [...(occupation.pickupBy === null ? [] : (['extend'] as const)), 'correct'],
  'nothing-inside': () => ['nothingInside'],
  move: () => ['move'],
};

/** Everything that may be done now, the next likely one first, as the server's rules say. What ended can only be begun anew. */
export function actsOf(occupation: Facts): readonly Act[] {
  if (occupation.stage >= STAGES.TERMINATED) return occupation.type === 'delivery' ? ['again'] : [];
  const offered = occupation.actions.flatMap((action) => acts[action]?.(occupation) ?? []);
  const opens = doorMayOpen({ stage: occupation.stage as Stage, type: occupation.type });
  // Before anything is inside, the door is what one comes for.
  const list: Act[] = !opens
    ? [...offered, 'openAnyway']
    : occupation.stage === STAGES.RESERVED
      ? ['open', ...offered]
      : [...offered, 'open'];
  return [...new Set(list)];
}

/** Those that end something or cannot be taken back: a dialog says what would happen. */
export const CONFIRMED = ['extract', 'retrieve', 'empty', 'reset', 'delete', 'finnish'] as const;
export type Confirmed = (typeof CONFIRMED)[number];
export const isConfirmed = (act: Act): act is Confirmed => CONFIRMED.some((one) => one === act);

const DAY = 86_400_000;
/** So many days more, counted from the deadline, or from now where that has passed. */
export const extendedTo = (pickupBy: string, days: number, now: number): string =>
  new Date(Math.max(Date.parse(pickupBy), now) + days * DAY).toISOString();
