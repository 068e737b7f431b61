import type { HistoryEventType } from './history.ts';
import { OCCUPATION_TYPES, STAGES, type OccupationType, type Stage } from './terms.ts';

const { RESERVED, INITIATED, FILLED, ACQUIRABLE, CONTACTING, CONTACTED, CLAIMING, VACANT, TERMINATED, ARCHIVED } = STAGES;

/** A command, told apart further where the table does: fill and send are three things, return and reset two. */
export type Trigger =
  | 'fill'
  | 'refill'
  | 'move'
  | 'publish'
  | 'send'
  | 'request'
  | 'remind'
  | 'empty'
  | 'reset'
  | 'go-over'
  | 'finnish'
  | 'extract'
  | 'put-back'
  | 'bring-back'
  | 'claim'
  | 'delete'
  | 'amend'
  | 'door-opened'
  | 'door-closed'
  | 'nothing-inside'
  | 'message-accepted'
  | 'message-failed'
  | 'claim-failed'
  | 'expire-reservation'
  | 'archive';

/** What decides between two rows of the same trigger. */
export type Condition =
  /** The open command named the occupation. */
  | 'named'
  /** That, or nobody asked for it: by no command at all. */
  | 'named-or-unasked'
  /** The policy has returns looked at before they are lent again. */
  | 'inspect'
  /** Pieces are left after this claim. */
  | 'left'
  | 'none-left';

export interface Row {
  readonly on: Trigger;
  readonly types: readonly OccupationType[];
  readonly from: readonly Stage[];
  readonly when?: Condition;
  /** `same` changes no stage; `resume` goes back to where the claim came from. */
  readonly to: Stage | 'same' | 'resume';
  readonly events: readonly HistoryEventType[];
}

const ALL = OCCUPATION_TYPES;
const NOT_STORAGE = ALL.filter((type) => type !== 'storage');
const ACTIVE: readonly Stage[] = [RESERVED, INITIATED, FILLED, ACQUIRABLE, CONTACTING, CONTACTED, CLAIMING, VACANT];
/** Offered to somebody. */
export const OFFERED: readonly Stage[] = [ACQUIRABLE, CONTACTING, CONTACTED];

/** The whole lifecycle. What isn't here is refused. Where two rows fit, the one whose `when` holds goes first. */
const LIFECYCLE: readonly Row[] = [
  { on: 'door-opened', types: ALL, from: [RESERVED], when: 'named', to: INITIATED, events: ['locker_opened'] },
  { on: 'door-opened', types: NOT_STORAGE, from: [CLAIMING], to: 'same', events: ['occupation_claiming', 'locker_opened'] },
  // Its shutting ends an owner's visit: what lock control opens was none.
  {
    on: 'door-opened',
    types: ['storage'],
    from: [CLAIMING],
    when: 'named-or-unasked',
    to: 'same',
    events: ['occupation_claiming', 'locker_opened'],
  },

  {
    on: 'fill',
    types: ['delivery', 'lending', 'consumable', 'sale'],
    from: [RESERVED, INITIATED, VACANT],
    to: FILLED,
    events: ['occupation_filled'],
  },
  {
    on: 'fill',
    types: ['storage'],
    from: [RESERVED, INITIATED],
    to: ACQUIRABLE,
    events: ['occupation_filled', 'occupation_stored', 'occupation_published'],
  },
  {
    on: 'fill',
    types: ['drop-off', 'recall'],
    from: [RESERVED, INITIATED],
    to: ACQUIRABLE,
    events: ['occupation_filled', 'occupation_published'],
  },
  { on: 'refill', types: ['consumable', 'sale'], from: [FILLED, ACQUIRABLE], to: 'same', events: ['occupation_refilled'] },
  { on: 'move', types: ALL, from: [VACANT], to: FILLED, events: ['occupation_refilled', 'locker_reserved'] },
  { on: 'nothing-inside', types: ALL, from: [INITIATED], to: RESERVED, events: ['locker_empty'] },

  {
    on: 'publish',
    types: ['delivery', 'lending', 'consumable', 'sale'],
    from: [FILLED],
    to: ACQUIRABLE,
    events: ['occupation_published'],
  },
  { on: 'send', types: ['delivery', 'lending', 'storage'], from: [FILLED], to: CONTACTING, events: ['occupation_published'] },
  { on: 'send', types: ['delivery', 'lending', 'storage'], from: [ACQUIRABLE, CONTACTED], to: CONTACTING, events: [] },
  { on: 'request', types: ['drop-off', 'recall'], from: [RESERVED], to: 'same', events: [] },
  { on: 'remind', types: ['lending'], from: [VACANT], to: 'same', events: [] },
  { on: 'message-accepted', types: ALL, from: [CONTACTING], to: CONTACTED, events: [] },
  { on: 'message-failed', types: ALL, from: [CONTACTING], to: ACQUIRABLE, events: [] },
  // A report that comes late: what the message came to is told, where the occupation stands is another matter.
  { on: 'message-accepted', types: ALL, from: [CONTACTED], to: 'same', events: [] },
  { on: 'message-failed', types: ALL, from: [CONTACTED], to: 'same', events: [] },

  { on: 'claim', types: ALL, from: OFFERED, to: CLAIMING, events: ['occupation_assigned'] },
  { on: 'claim-failed', types: ALL, from: [CLAIMING], to: 'resume', events: [] },
  { on: 'door-closed', types: ['storage'], from: [CLAIMING], to: ACQUIRABLE, events: ['occupation_stored'] },

  { on: 'finnish', types: ['delivery'], from: [CLAIMING], to: TERMINATED, events: ['occupation_claimed', 'occupation_delivered'] },
  { on: 'finnish', types: ['drop-off'], from: [CLAIMING], to: TERMINATED, events: ['occupation_claimed'] },
  { on: 'finnish', types: ['recall'], from: [CLAIMING], to: TERMINATED, events: ['occupation_claimed', 'occupation_returned'] },
  {
    on: 'finnish',
    types: ['storage'],
    from: [ACQUIRABLE, CONTACTED, CLAIMING],
    to: TERMINATED,
    events: ['occupation_claimed', 'occupation_unstored'],
  },
  { on: 'finnish', types: ['lending'], from: [CLAIMING], to: VACANT, events: ['occupation_claimed', 'occupation_borrowed'] },
  {
    on: 'finnish',
    types: ['consumable'],
    from: [CLAIMING],
    when: 'left',
    to: ACQUIRABLE,
    events: ['occupation_claimed', 'occupation_consumed'],
  },
  {
    on: 'finnish',
    types: ['consumable'],
    from: [CLAIMING],
    when: 'none-left',
    to: VACANT,
    events: ['occupation_claimed', 'occupation_consumed'],
  },
  { on: 'finnish', types: ['sale'], from: [CLAIMING], when: 'left', to: ACQUIRABLE, events: ['occupation_claimed', 'occupation_sold'] },
  {
    on: 'finnish',
    types: ['sale'],
    from: [CLAIMING],
    when: 'none-left',
    to: TERMINATED,
    events: ['occupation_claimed', 'occupation_sold'],
  },

  { on: 'put-back', types: NOT_STORAGE, from: [CLAIMING], to: 'resume', events: ['occupation_returned'] },
  { on: 'bring-back', types: ['lending'], from: [VACANT], when: 'inspect', to: FILLED, events: ['occupation_returned'] },
  { on: 'bring-back', types: ['lending'], from: [VACANT], to: ACQUIRABLE, events: ['occupation_returned'] },

  { on: 'extract', types: ALL, from: [FILLED, ...OFFERED], to: VACANT, events: ['occupation_extract'] },
  { on: 'empty', types: ALL, from: [INITIATED, FILLED, ...OFFERED, CLAIMING], to: VACANT, events: ['locker_empty'] },
  { on: 'reset', types: ALL, from: [INITIATED, VACANT], to: RESERVED, events: ['locker_reserved'] },
  { on: 'go-over', types: ALL, from: [RESERVED, VACANT], to: RESERVED, events: ['locker_reserved'] },
  { on: 'amend', types: ALL, from: ACTIVE, to: 'same', events: ['occupation_amended'] },
  { on: 'delete', types: ALL, from: ACTIVE, to: TERMINATED, events: ['occupation_terminated'] },
  { on: 'expire-reservation', types: ALL, from: [RESERVED], to: TERMINATED, events: ['occupation_terminated'] },
  { on: 'archive', types: ALL, from: [TERMINATED], to: ARCHIVED, events: ['occupation_archived'] },
];

/** The row for it; null where the table has none. */
export function rowFor(on: Trigger, type: OccupationType, stage: Stage, holds: (condition: Condition) => boolean): Row | null {
  return (
    LIFECYCLE.find(
      (row) => row.on === on && row.types.includes(type) && row.from.includes(stage) && (row.when === undefined || holds(row.when)),
    ) ?? null
  );
}

/** Staff may take out what it holds: the door opens for that too, whatever else its stage keeps it shut for. */
export function mayBeTakenOut({ type, stage }: { readonly type: OccupationType; readonly stage: Stage }): boolean {
  return rowFor('extract', type, stage, () => true) !== null;
}
