import type { Actor, HistoryEventType } from './history.ts';
import type { Rules } from './policy.ts';
import type { Price } from './price.ts';
import type { Receiver } from './receiver.ts';
import type { Action, ContentState, OccupationType, PaymentState, Service, Stage, StageName } from './terms.ts';
import type { Span } from './deadlines.ts';

/** One use of one locker, from reservation to archive. Times are ISO 8601 in UTC; what is not there is null. */
export interface Occupation {
  readonly id: string;
  readonly tenantId: string;
  readonly type: OccupationType;
  /** What started it: `selfservice` tells it from a delivery that staff registered. */
  readonly service: Service;
  readonly stage: Stage;
  /** Grows by one with each change. */
  readonly version: number;
  /** Where a claim that comes to nothing goes back to; only in CLAIMING. */
  readonly resumeStage: Stage | null;
  readonly lockerId: string;
  readonly doorTag: string;
  readonly assetId: string | null;
  readonly assetText: string | null;
  readonly orderRef: string | null;
  readonly externalRef: string | null;
  readonly receiver: Receiver | null;
  /** Pieces inside (planned ones before the first fill); 1 for everything but consumable and sale. */
  readonly quantity: number;
  /** Of those, promised to open payments and to the claim under way: 0 ≤ held ≤ quantity. */
  readonly held: number;
  /** At or below this many pieces, staff should refill. */
  readonly refillLevel: number | null;
  /** Lending: for how long it goes out; null leaves it to the policy. */
  readonly loanHours: number | null;
  readonly price: Price | null;
  readonly policyRef: string | null;
  /** Who was let in, in CLAIMING; the borrower while the loan runs. */
  readonly claimedBy: Actor | null;
  /** Pieces that this claim takes; only in CLAIMING. */
  readonly claimQuantity: number | null;
  /** The payment that this claim stands on; between claims the one that a storage was visited on, or that was captured for the one thing inside. */
  readonly claimPaymentId: string | null;
  /** An earlier claim left that payment with it, so it is not this claim's alone; only in CLAIMING. */
  readonly claimPaymentUsed: boolean;
  /** Due date that was said when it was handed out; only in CLAIMING. */
  readonly claimDueAt: string | null;
  /** Whom it was for before this claim named somebody else; only in CLAIMING, null where none was named. */
  readonly claimReplaced: { readonly receiver: Receiver | null } | null;
  /** Since when CLAIMING; its `claimSeconds` run from here. */
  readonly claimOpenedAt: string | null;
  /** Door last sensed open since the present stage called for it (INITIATED, CLAIMING, VACANT). */
  readonly doorOpenedAt: string | null;
  /** Door sensed closed after that, and not opened since; what silence waits for runs from here (`settlesAt`). */
  readonly doorClosedAt: string | null;
  readonly reservedUntil: string | null;
  /** When `reservedUntil` began to run, and `pickupBy`: offline time before it doesn't count. */
  readonly reservedFrom: string | null;
  readonly pickupBy: string | null;
  readonly pickupFrom: string | null;
  readonly contactError: string | null;
  readonly note: string | null;
  readonly createdBy: Actor;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

/** What somebody wants to happen, or what a device, clock or provider says did happen. */
export type Command =
  | { readonly kind: 'fill'; readonly quantity?: number; readonly lockerId?: string }
  | { readonly kind: 'publish' }
  | { readonly kind: 'send'; readonly channel?: Channel; readonly receiver?: Receiver }
  | { readonly kind: 'empty' }
  | { readonly kind: 'reset'; readonly lockerId?: string }
  | { readonly kind: 'finnish' }
  /** `move`: to be put into another locker. Its receiver is not told that it is out, but where it lies then. */
  | { readonly kind: 'extract'; readonly reason?: string; readonly move?: boolean }
  | { readonly kind: 'return'; readonly condition?: string; readonly lockerId?: string }
  | { readonly kind: 'claim'; readonly quantity?: number; readonly receiver?: Receiver; readonly dueAt?: string }
  | { readonly kind: 'delete'; readonly reason?: string }
  | {
      readonly kind: 'amend';
      readonly receiver?: Receiver;
      readonly pickupBy?: string;
      readonly dueAt?: string;
      readonly note?: string | null;
      /** What one piece costs whoever pays from now on. */
      readonly price?: Price;
    }
  /** `named`: the open command named this occupation. `unexpected`: forced, tampered, left open; nobody asked for it. */
  | { readonly kind: 'door-opened'; readonly named: boolean; readonly unexpected?: boolean }
  | { readonly kind: 'door-closed' }
  | { readonly kind: 'nothing-inside' }
  | { readonly kind: 'message-accepted' }
  | { readonly kind: 'message-failed'; readonly error: string }
  | { readonly kind: 'claim-failed'; readonly why: 'refused' | 'no-answer' | 'time' | 'outage' }
  | { readonly kind: 'expire-reservation' }
  | { readonly kind: 'archive' };
export type CommandKind = Command['kind'];
export type Channel = 'sms' | 'mail' | 'both';

/**
 * In which capacity somebody acts: staff of its service (the caller has checked that), who holds its token, code or sign-in, who came with an access link
 * to fetch what waits there, or the server.
 */
export type Capacity = 'staff' | 'holder' | 'link' | 'server';

/** The locker that a fill or return moves to. */
export interface TargetLocker {
  readonly id: string;
  readonly doorTag: string;
  /** No occupation below TERMINATED on it. */
  readonly free: boolean;
  readonly inDoubt: boolean;
  readonly outOfService: boolean;
  /** What it is for; none named: everything. */
  readonly services: readonly Service[];
}

/** The payment that the claim stands on, or, for `claim`, the claimer's own. */
interface ClaimPayment {
  readonly id: string;
  readonly state: PaymentState;
  readonly quantity: number;
  /** Its pieces are among those that are held. They are no more once its ten minutes are over. */
  readonly holds: boolean;
  /** Money that was captured and has not gone back, or not all of it. */
  readonly paid: boolean;
}

export interface TakenOut {
  /** To be put into another locker: its receiver knows of nothing yet. */
  readonly move: boolean;
  /** It was offered to its receiver before. */
  readonly offered: boolean;
}

/** What a rule needs to know besides the occupation. The caller reads it in the same transaction. */
export interface Context {
  readonly now: string;
  readonly actor: Actor;
  readonly as: Capacity;
  readonly rules: Rules;
  /** The version that the caller saw; null when they named none. */
  readonly expectedVersion: number | null;
  readonly openLoan: boolean;
  readonly payment: ClaimPayment | null;
  readonly target: TargetLocker | null;
  /** What the occupancy sensor says now; null without a sensor. */
  readonly sensed: ContentState | null;
  /** What its sensor said last, where it cannot be heard now or says nothing; null where it is heard, or there is none. */
  readonly unheard: 'empty' | 'occupied' | null;
  /** Since when it says so, without the other between and by our clock. */
  readonly sensedSince: string | null;
  /**
   * What it sensed as the door was opened for the claim, before any hand was inside; null where somebody else's opening came after that, or
   * its cabinet was not heard without a break since.
   */
  readonly sensedBefore: ContentState | null;
  /** Why nobody knows what lies inside, where that was noticed during this visit: since it was opened to be filled, or since the claim began. */
  readonly doubt: ContentReason | null;
  /** `mayBeGone` of locker.ts: nobody is sent for it. */
  readonly mayBeGone: boolean;
  /** Staff have said what lies inside since its door was last opened in this visit, or opened it last in a claim: they have it in hand. */
  readonly spoken: boolean;
  /** Loans, storages and claims that this person has already, without this one. */
  readonly activeOfPerson: number;
  /** Staff opened its door to take it out, and it has not closed since. */
  readonly takingOut: boolean;
  /** Staff took it out, and it has not been put in again since; null where not. */
  readonly out: TakenOut | null;
  /** Whoever acts by its link or code alone was the last for whom its door opened. */
  readonly openedByHolder: boolean;
  /** Lending: the asset's status label lets it out. True where there is no asset. */
  readonly lendable: boolean;
  /** When its cabinet was offline; clocks of reservation and pick-up stand still then. */
  readonly offline: readonly Span[];
  /** The cabinet fell silent after the door was seen open: what happened inside, nobody knows. */
  readonly wasSilent: boolean;
  /** Its door was told to open since it was set aside, emptied or claimed, and nobody knows whether it did. */
  readonly unanswered: boolean;
  /** Its door is being opened at this moment, for whoever is let in or for staff: it may yet be seen to open. */
  readonly opening: boolean;
  readonly retentionDays: number;
}

export const REFUSALS = [
  'occupation-transition', // this stage and type know no such action
  'stale', // the caller saw an older version
  'not-allowed', // the right they came in doesn't include this action
  'content-inside', // reset anywhere but where the locker is empty
  'receiver-needed', // nobody to send to
  'quantity', // no whole number of pieces, or more than there are
  'sold-out', // paid for, but its pieces were let go and fewer are left by now
  'in-use', // somebody else is claiming it now
  'too-many', // beyond the policy's maxActivePerPerson
  'payment-needed', // priced, and no reserved payment of one's own (HTTP 402)
  'open-loan', // the asset is out
  'not-lendable', // its status label is not deployable
  'not-in-group', // it is offered to groups that the person is not in
  'locker-taken', // the locker carries another occupation
  'locker-in-doubt', // nobody knows what is inside
  'out-of-service',
  'service-not-allowed', // the locker is not for this service
  'price', // sale without a price, or no price at all
  'door-open', // the holder must close the door first
  'not-yet', // the clock has not come so far
  'deadline', // a new deadline that is in the past or no time, or there is no deadline to move
] as const;
export type RefusalCode = (typeof REFUSALS)[number];
export interface Refusal {
  readonly code: RefusalCode;
  readonly stage: StageName | null;
  readonly action: CommandKind | 'register';
}

export interface DomainEvent {
  readonly type: HistoryEventType;
  readonly data?: Readonly<Record<string, unknown>>;
}

const CONTENT_REASONS = [
  'filled',
  'taken',
  'assumed-filled',
  'assumed-taken',
  'taken-out',
  'put-back',
  'said-empty',
  'nothing-inside',
  'reset',
  'aborted',
  'silent',
  'unseen',
  'unexpected-opening',
  'left-open',
  'not-empty',
  'found-empty',
  'put-elsewhere',
  'still-sensed',
  'not-sensed',
  'sensor',
  'word',
] as const;
/** Why the content is believed to be what it is. */
export type ContentReason = (typeof CONTENT_REASONS)[number];

/** What has to happen because of a change: in the same transaction where it touches rows, after it where it leaves the house. */
export type Effect =
  | { readonly kind: 'notify'; readonly reason: 'ready' | 'request' | 'reminder'; readonly channel: Channel | null }
  /** After coming back to CONTACTING: apply the fate of the last message, which may have arrived during the claim. */
  | { readonly kind: 'settle-message' }
  /** Moved, it lies ready again: its receiver is called to where that is, as by a Send. */
  | { readonly kind: 'call-there' }
  | { readonly kind: 'tell-receiver'; readonly reason: 'taken-out' }
  | { readonly kind: 'tell-staff'; readonly reason: 'dropped-off' | 'brought-back' | 'unexpected-opening' | 'refill' | 'inspect' }
  | { readonly kind: 'open-loan'; readonly dueAt: string; readonly borrower: Actor; readonly receiver: Receiver | null }
  | { readonly kind: 'close-loan'; readonly endedBy: 'returned' | 'lost' | 'returned-elsewhere'; readonly condition: string | null }
  | { readonly kind: 'amend-loan'; readonly dueAt: string }
  /** Who has it was written down wrongly. */
  | { readonly kind: 'amend-borrower'; readonly receiver: Receiver }
  | { readonly kind: 'capture-payment'; readonly paymentId: string }
  | { readonly kind: 'cancel-payment'; readonly paymentId: string }
  | { readonly kind: 'refund-payment'; readonly paymentId: string }
  /** It loses its goods, and nobody said what becomes of its money (`fateWithoutGoods`). */
  | { readonly kind: 'let-payment-go'; readonly paymentId: string }
  /** Every open payment of the occupation but for the one named loses its goods (`fateWithoutGoods`). */
  | { readonly kind: 'cancel-open-payments'; readonly except: string | null }
  | { readonly kind: 'content'; readonly lockerId: string; readonly content: ContentState; readonly why: ContentReason }
  | { readonly kind: 'take-locker'; readonly lockerId: string }
  | { readonly kind: 'release-locker'; readonly lockerId: string }
  | { readonly kind: 'secrets-sleep' }
  /** Sleeping ones work again; where none lives and there is a receiver to hold them, new ones are made. */
  | { readonly kind: 'secrets-wake' }
  | { readonly kind: 'secrets-die'; readonly at: string }
  /** Look again at that time and issue the command as the server; the rule decides anew whether it holds. */
  | { readonly kind: 'look-again'; readonly command: 'fill' | 'finnish' | 'claim-failed' | 'expire-reservation'; readonly at: string };

export type Changed = {
  readonly ok: true;
  readonly occupation: Occupation;
  readonly events: readonly DomainEvent[];
  readonly effects: readonly Effect[];
};
export type Answer = Changed | { readonly ok: false; readonly refusal: Refusal };

/** What a screen offers: an action of the specification, or one of the calls beside it. `move` is fill with a `lockerId`. */
export type Offered = Action | 'claim' | 'delete' | 'amend' | 'nothing-inside' | 'move';

export interface RegisterInput {
  readonly id: string;
  readonly tenantId: string;
  readonly type: OccupationType;
  readonly service: Service | null;
  readonly assetId: string | null;
  readonly assetText: string | null;
  readonly orderRef: string | null;
  readonly externalRef: string | null;
  readonly receiver: Receiver | null;
  readonly quantity: number | null;
  readonly refillLevel: number | null;
  readonly loanHours: number | null;
  readonly price: Price | null;
  readonly pickupBy: string | null;
  readonly note: string | null;
}
export interface RegisterContext {
  readonly now: string;
  readonly actor: Actor;
  readonly rules: Rules;
  readonly locker: TargetLocker;
  readonly activeOfPerson: number;
  /** Lending: the asset's status label lets it out. True where there is no asset. */
  readonly lendable: boolean;
}
