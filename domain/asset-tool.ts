import type { DomainEvent, Effect, Occupation } from './occupation-types.ts';
import { isActive } from './terms.ts';

/** What an asset tool is told of a thing of its own that goes through our lockers. */
export const TOOL_TELLINGS = ['check-out', 'check-in'] as const;
export type ToolTelling = (typeof TOOL_TELLINGS)[number];

export const TOOL_STATES = ['available', 'out', 'not-lendable'] as const;
export type ToolState = (typeof TOOL_STATES)[number];

interface Use {
  readonly before: Pick<Occupation, 'stage'>;
  readonly after: Pick<Occupation, 'type' | 'stage'>;
  readonly events: readonly Pick<DomainEvent, 'type'>[];
  readonly effects: readonly Effect[];
}

/**
 * Whether a change hands a thing out, or brings it back. A delivery is out once it lies there for its receiver, and back where it ends
 * without them. A loan is out while it runs; what is lost stays out. What was asked back is back once staff have it.
 */
export function tellingOf({ before, after, events, effects }: Use): ToolTelling | null {
  const has = (type: DomainEvent['type']): boolean => events.some((event) => event.type === type);
  const ends = isActive(before.stage) && !isActive(after.stage);
  switch (after.type) {
    case 'delivery':
      if (has('occupation_filled')) return 'check-out';
      return ends && !has('occupation_delivered') ? 'check-in' : null;
    case 'lending': {
      if (effects.some(({ kind }) => kind === 'open-loan')) return 'check-out';
      return effects.some((effect) => effect.kind === 'close-loan' && effect.endedBy !== 'lost') ? 'check-in' : null;
    }
    case 'recall':
    case 'drop-off':
      return ends && has('occupation_claimed') ? 'check-in' : null;
    case 'storage':
    case 'consumable':
    case 'sale':
      return null;
  }
}

/** What differs between the tool and us; none of it is put right by itself. */
export const DIFFERENCES = [
  /** The tool refused what it was told. */
  'refused',
  /** It was not told yet. */
  'untold',
  /** Out there, and offered in a locker here. */
  'out-there',
  /** Handed out here, and in there. */
  'out-here',
  /** In use here, and not in the tool any more. */
  'gone-there',
  /** Its request was withdrawn there, and it lies in a locker for it. */
  'request-closed',
  /** One of ours carries the same identifier. */
  'same-identifier',
] as const;
export type Difference = (typeof DIFFERENCES)[number];

export interface BothSides {
  readonly there: ToolState;
  readonly isGone: boolean;
  /** out: it is handed out, lent or for a receiver; in: it is offered in a locker; null: neither. */
  readonly here: 'out' | 'in' | null;
  readonly inUse: boolean;
  /** The last that the tool was to be told of it. */
  readonly told: { readonly state: 'wanted' | 'sent' | 'unknown' | 'done' | 'refused' } | null;
  /** What the tool says is from after it was told. */
  readonly isHeardSince: boolean;
  readonly requestClosed: boolean;
  readonly sharesIdentifier: boolean;
}

export function differencesOf(both: BothSides): Difference[] {
  const { there, here, told } = both;
  const open = told !== null && (told.state === 'wanted' || told.state === 'sent' || told.state === 'unknown');
  const isSettled = !open && told?.state !== 'refused' && both.isHeardSince && !both.isGone;
  const found: (Difference | false)[] = [
    told?.state === 'refused' && 'refused',
    open && 'untold',
    isSettled && here === 'in' && there === 'out' && 'out-there',
    isSettled && here === 'out' && there !== 'out' && 'out-here',
    both.isGone && both.inUse && 'gone-there',
    both.requestClosed && here === 'out' && 'request-closed',
    both.sharesIdentifier && 'same-identifier',
  ];
  return found.filter((one) => one !== false);
}
