import { doorMayOpen, isStock } from '@hatchway/domain/doors.ts';
import { holdFor } from '@hatchway/domain/payment.ts';
import { isPriced } from '@hatchway/domain/price.ts';
import { isAsked, STAGES, type Stage } from '@hatchway/domain/terms.ts';
import type { Locker, Occupation } from '../../app/queries.ts';

/** What one can do to an occupation on its page. Some are the rules' own words, some are put together from them. */
export type Act =
  | 'publish'
  | 'send'
  | 'sendAgain'
  | 'sendLink'
  | 'remind'
  | 'fill'
  | 'refill'
  | 'claim'
  | 'fetch'
  | 'lend'
  | 'takePieces'
  | 'sell'
  | 'pay'
  | 'letOwnerIn'
  | 'finnish'
  | 'finnishStorage'
  | 'return'
  | 'takeBack'
  | 'extendLoan'
  | 'lost'
  | 'elsewhere'
  | 'extract'
  | 'retrieve'
  | 'empty'
  | 'reset'
  | 'delete'
  | 'extend'
  | 'correct'
  | 'nothingInside'
  | 'move'
  | 'moveOut'
  | 'open'
  | 'openAnyway'
  | 'again';

/** What one comes for: to tell somebody, to a door, to set right what was written down, or to end it. In this order on the screen. */
const ERRANDS = ['message', 'door', 'correction', 'end'] as const;
export type Errand = (typeof ERRANDS)[number];
const ERRAND_OF: Readonly<Record<Act, Errand>> = {
  publish: 'message',
  send: 'message',
  sendAgain: 'message',
  sendLink: 'message',
  remind: 'message',
  open: 'door',
  openAnyway: 'door',
  fill: 'door',
  refill: 'door',
  claim: 'door',
  fetch: 'door',
  lend: 'door',
  takePieces: 'door',
  sell: 'door',
  pay: 'door',
  letOwnerIn: 'door',
  finnish: 'door',
  return: 'door',
  takeBack: 'door',
  extract: 'door',
  move: 'door',
  moveOut: 'door',
  extend: 'correction',
  extendLoan: 'correction',
  correct: 'correction',
  nothingInside: 'correction',
  again: 'correction',
  finnishStorage: 'end',
  retrieve: 'end',
  lost: 'end',
  elsewhere: 'end',
  empty: 'end',
  reset: 'end',
  delete: 'end',
};
export const isEnding = (act: Act): boolean => ERRAND_OF[act] === 'end';

/** The same acts by errand, those that nobody can do left out; within each the likelier first. */
export const byErrand = (acts: readonly Act[]): readonly { errand: Errand; acts: readonly Act[] }[] =>
  ERRANDS.map((errand) => ({ errand, acts: acts.filter((act) => ERRAND_OF[act] === errand) })).filter((group) => group.acts.length > 0);

type Facts = Pick<
  Occupation,
  'type' | 'stage' | 'price' | 'quantity' | 'held' | 'pickupBy' | 'dueAt' | 'receiver' | 'contactError' | 'inDoubt' | 'actions'
>;

/** For somebody who is named; what stands on a shelf is for whoever may. */
const isFor = ({ type, receiver }: Facts): boolean => receiver !== null || (!isStock(type) && type !== 'lending');
const CLAIM: Readonly<Record<Facts['type'], Act>> = {
  delivery: 'claim',
  sale: 'claim',
  lending: 'lend',
  consumable: 'takePieces',
  storage: 'letOwnerIn',
  'drop-off': 'fetch',
  recall: 'fetch',
};

const acts: Readonly<Record<string, (occupation: Facts) => readonly Act[]>> = {
  publish: () => ['publish'],
  send: (one) => [
    isAsked(one.type)
      ? 'sendLink'
      : one.stage === STAGES.VACANT
        ? 'remind'
        : one.stage === STAGES.CONTACTED || one.contactError.length > 0
          ? 'sendAgain'
          : 'send',
  ],
  // Put into an empty stock locker for the first time it is what was planned; later, and begun anew, somebody has to count.
  fill: ({ type, stage, quantity }) => [isStock(type) && (stage >= STAGES.FILLED || quantity === 0) ? 'refill' : 'fill'],
  // How many go out of a stock is what was paid for, and not asked again.
  claim: ({ type, price }) => [isStock(type) && isPriced(price) ? 'claim' : CLAIM[type]],
  finnish: ({ type }) => [type === 'storage' ? 'finnishStorage' : 'finnish'],
  return: ({ stage, dueAt }) =>
    stage === STAGES.CLAIMING ? ['return'] : dueAt ? ['takeBack', 'extendLoan', 'lost', 'elsewhere'] : ['takeBack'],
  // Taking out is rarely the end of it: ending it at once is one press, not two. What was brought for staff ends as they fetch it.
  extract: (one) => {
    if (isAsked(one.type)) return one.actions.includes('claim') ? ['extract'] : ['retrieve', 'extract'];
    // What lies inside is moved by taking it out first: where it goes is chosen once it is in one's hands.
    return ['retrieve', 'extract', 'moveOut'];
  },
  empty: () => ['empty'],
  reset: () => ['reset'],
  delete: () => ['delete'],
  amend: (one) => [...(one.pickupBy === null ? [] : (['extend'] as const)), ...(isFor(one) ? (['correct'] as const) : [])],
  'nothing-inside': () => ['nothingInside'],
  move: () => ['move'],
};

/**
 * What has a price and is on offer: staff take the money, of goods as long as there are pieces that nobody paid for, of any one thing
 * until it is paid. Whoever may take it all out may sell it too.
 */
const money = ({ type, stage, price, quantity, held, inDoubt, actions }: Facts): readonly Act[] => {
  if (!isPriced(price) || !actions.includes('extract')) return [];
  // What may be gone is not paid for. A storage is paid for as its owner comes and goes.
  if (inDoubt && type !== 'storage') return [];
  if (!isStock(type) && actions.includes('claim')) return [];
  if (!holdFor({ type, stage: stage as Stage, quantity: quantity ?? 1, held }, 1).ok) return [];
  return [type === 'sale' ? 'sell' : 'pay'];
};

/**
 * Everything that may be done now, the next likely one first, as the server's rules say. What ended can only be begun anew. `sensed`: what
 * its locker's sensor says of the inside.
 */
export function actsOf(occupation: Facts, sensed: Locker['occupancy'] = 'unknown'): readonly Act[] {
  if (occupation.stage >= STAGES.TERMINATED) return occupation.type === 'delivery' ? ['again'] : [];
  const offered = [
    // Who has paid goes before who is yet to pay.
    ...(occupation.actions.includes('claim') ? [] : money(occupation)),
    ...occupation.actions.flatMap((action) => [...(acts[action]?.(occupation) ?? []), ...(action === 'claim' ? money(occupation) : [])]),
  ];
  const opens = doorMayOpen({ stage: occupation.stage as Stage, type: occupation.type });
  // Before anything is inside, the door is what one comes for; who is asked to bring it opens it by the link. So it is for whoever is let in.
  const first =
    (occupation.stage === STAGES.RESERVED && !isAsked(occupation.type)) ||
    (occupation.stage === STAGES.CLAIMING && occupation.actions[0] !== 'finnish');
  const list: Act[] = !opens ? [...offered, 'openAnyway'] : first ? ['open', ...offered] : [...offered, 'open'];
  // Said to be notified, but nobody whom it is for knows: telling them goes before waiting for them.
  const untold = occupation.stage === STAGES.CONTACTED && occupation.contactError.length > 0 && list.includes('sendAgain');
  // A sensor that finds nothing inside goes before the word that it was put in.
  const nothing = occupation.stage === STAGES.INITIATED && sensed === 'empty' && list.includes('nothingInside');
  // Nor is that what comes next of what was taken out: whoever puts it back opens the door first.
  const out = occupation.stage === STAGES.VACANT && sensed === 'empty' && list[0] === 'fill';
  return [
    ...new Set<Act>([
      ...(out ? (['open'] as const) : []),
      ...(untold ? (['sendAgain'] as const) : []),
      ...(nothing ? (['nothingInside'] as const) : []),
      ...list,
    ]),
  ];
}

const ENDS_STORAGE: readonly Act[] = ['finnishStorage', 'retrieve', 'extract', 'empty', 'delete'];
/** A storage ends in many ways, of which one is the usual one: the others stand behind "More". */
export const behindMore = ({ type }: Pick<Facts, 'type'>, [likely, ...others]: readonly Act[]): readonly Act[] => {
  const ends = type === 'storage' ? ENDS_STORAGE.filter((act) => others.includes(act)) : [];
  return likely !== undefined && ENDS_STORAGE.includes(likely) ? ends : ends.slice(1);
};

/** Those that end something or cannot be taken back: a dialog says what would happen, as of those that open. */
const FINAL = ['empty', 'reset', 'delete', 'finnish', 'finnishStorage', 'lost', 'elsewhere'] as const;
/** Those that open a door at once: which one, and where, is said first. */
const OPENING = ['claim', 'letOwnerIn', 'open'] as const;
export const isOpening = (act: Act): act is (typeof OPENING)[number] => OPENING.some((one) => one === act);
const CONFIRMED = [...FINAL, ...OPENING] as const;
type Confirmed = (typeof CONFIRMED)[number];
export const isConfirmed = (act: Act): act is Confirmed => CONFIRMED.some((one) => one === act);

/** Those that ask for something first. */
const ASKED = [
  'fetch',
  'extract',
  'retrieve',
  'lend',
  'takePieces',
  'sell',
  'pay',
  'takeBack',
  'refill',
  'extend',
  'extendLoan',
  'correct',
  'move',
  'moveOut',
  'openAnyway',
] as const;
export type Asked = (typeof ASKED)[number];
export const isAsking = (act: Act): act is Asked => ASKED.some((one) => one === act);

const DAY = 86_400_000;
/** So many days more, counted from the deadline, or from now where that has passed. */
export const extendedTo = (pickupBy: string, days: number, now: number): string =>
  new Date(Math.max(Date.parse(pickupBy), now) + days * DAY).toISOString();
