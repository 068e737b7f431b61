import type { PaymentState } from './terms.ts';

/** The specification's list, and after each group what Hatchway adds to it. */
export const HISTORY_EVENTS = [
  'occupation_created',
  'occupation_filled',
  'occupation_refilled',
  'occupation_published',
  'occupation_assigned',
  'occupation_claiming',
  'occupation_claimed',
  'occupation_extract',
  'occupation_delivered',
  'occupation_borrowed',
  'occupation_returned',
  'occupation_consumed',
  'occupation_sold',
  'occupation_stored',
  'occupation_unstored',
  'occupation_terminated',
  'occupation_archived',
  // Added: a corrected receiver or a moved deadline changes no stage, yet belongs to the story.
  'occupation_amended',
  'locker_reserved',
  'locker_opened',
  'locker_closed',
  'locker_empty',
  'locker_unknown',
  // Added: a person's word that something lies there, or a sensor's where that settles a doubt or contradicts what is written down.
  'locker_occupied',
  // Added: what somebody with a link says of the door or the content, where it is no word on what lies there now.
  'locker_reported',
  'locker_online',
  'locker_offline',
  // Added: the housing of a cabinet was forced or tampered with; of a door's alarm, `locker_unknown` tells.
  'locker_alarm',
  // Added: wrong codes shut a cabinet's keypad, and a person lifted that.
  'locker_keypad_shut',
  'locker_keypad_lifted',
  // Added: a command that was answered with no, or not at all.
  'locker_open_refused',
  'locker_no_answer',
  // Added: a lock that was asked for, and caught or did not; of a door that shuts, `locker_closed` tells.
  'locker_locked',
  'locker_lock_refused',
  // Added: a person took it from use, with a reason, or gave it back.
  'locker_out_of_service',
  'locker_back_in_service',
  'payment_initiated',
  'payment_reserved',
  'payment_captured',
  'payment_cancelled',
  'payment_refunded',
] as const;
/** Of a cabinet as a whole, whose every locker it concerns. */
export const CABINET_EVENTS = [
  'locker_online',
  'locker_offline',
  'locker_alarm',
  'locker_keypad_shut',
  'locker_keypad_lifted',
] as const satisfies readonly (typeof HISTORY_EVENTS)[number][];
export type HistoryEventType = (typeof HISTORY_EVENTS)[number];

interface ToldEvent {
  readonly type: string;
  readonly data?: Readonly<Record<string, unknown>>;
}
/**
 * Until when an amended use may last now, and whether that is longer than before (`was`); null where another thing was amended. Of what was
 * written down without `was` nobody knows which way it went.
 */
export function movedDeadline({ type, data = {} }: ToldEvent): { until: string; extended: boolean; alone: boolean } | null {
  const until = type === 'occupation_amended' ? (data['dueAt'] ?? data['pickupBy']) : undefined;
  if (typeof until !== 'string') return null;
  const { was, fields } = data;
  return {
    until,
    extended: typeof was === 'string' && Date.parse(was) < Date.parse(until),
    alone: !Array.isArray(fields) || fields.length === 1,
  };
}

export function paymentEvent(state: PaymentState): HistoryEventType {
  return `payment_${state}`;
}

const ACTOR_KINDS = ['person', 'key', 'device', 'system'] as const;
type ActorKind = (typeof ACTOR_KINDS)[number];
/** Who did it. `id` is null for the server itself and for a person known only by a token or code. */
export interface Actor {
  readonly kind: ActorKind;
  readonly id: string | null;
  readonly name: string;
}
