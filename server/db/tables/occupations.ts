import type { Actor } from '@hatchway/domain/history.ts';
import type { OperationKind, OperationState } from '@hatchway/domain/provider.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import type { OpenSpan } from '@hatchway/domain/hours.ts';
import type { EndReason, OccupationType, PaymentState, Service, Stage } from '@hatchway/domain/terms.ts';
import type { Generated } from 'kysely';
import type { Json, JsonOr, JsonDefault, Data, Time, Named, Row, Words } from './columns.ts';

/** The rules of use, the ways in, the uses themselves and the money for them. */

export type Money = { amount: number; currency: string };
export type PoliciesTable = Row & {
  name: string;
  ref: string | null;
  services: Generated<Service[]>;
  locker_ids: Generated<string[]>;
  group_ids: Generated<string[]>;
  reserve_minutes: number | null;
  pickup_hours: number | null;
  loan_hours: number | null;
  reminders: number[] | null;
  claim_seconds: number | null;
  claim_grace_seconds: number | null;
  max_active_per_person: number | null;
  price: JsonOr<Money & Data, null>;
  inspect_returns: Generated<boolean>;
  staff_confirms_claim: Generated<boolean>;
  login_hint: string | null;
  idp_hint: string | null;
};
export type AccessLinksTable = Row & {
  name: Generated<string>;
  locker_ids: Generated<string[]>;
  purpose: 'open' | 'drop-off' | 'pick-up';
  token_hash: Buffer;
  token_sealed: Buffer;
  valid_from: Time;
  valid_to: Time;
  max_uses: Generated<number>;
  used: Generated<number>;
  created_by: Json<Actor>;
  taken_over_by: JsonOr<Actor, null>;
  revoked_at: Time | null;
};
export type AccessLinkUsesTable = {
  tenant_id: string;
  id: string;
  link_id: string;
  at: Time;
  name: string | null;
  locker_id: string | null;
  door_tag: string;
  occupation_id: string | null;
  claimed_at: Time | null;
  outcome: string | null;
  updated_at: Time;
};
export type OccupationsTable = Row &
  Words & {
    type: OccupationType;
    service: Service;
    stage: Stage;
    resume_stage: Stage | null;
    stage_at: Time;
    /** Null only where the occupation has ended and its locker was deleted since. */
    locker_id: string | null;
    door_tag: string;
    asset_id: string | null;
    asset_text: string | null;
    order_ref: string | null;
    external_ref: string | null;
    receiver_name: string | null;
    receiver_tlf: string | null;
    receiver_email: string | null;
    receiver_account_id: string | null;
    quantity: Generated<number>;
    held: Generated<number>;
    refill_level: number | null;
    loan_hours: number | null;
    price: JsonOr<Money, null>;
    policy_ref: string | null;
    claimed_by: JsonOr<Actor, null>;
    claim_quantity: number | null;
    claim_payment_id: string | null;
    claim_payment_used: Generated<boolean>;
    claim_opened_at: Time | null;
    claim_due_at: Time | null;
    claim_replaced: JsonOr<{ receiver: Receiver | null }, null>;
    door_opened_at: Time | null;
    door_closed_at: Time | null;
    /** Who opened for filling. */
    opened_by: JsonOr<Actor, null>;
    reserved_from: Time | null;
    reserved_until: Time | null;
    pickup_from: Time | null;
    pickup_by: Time | null;
    /** `due_at` of the loan that is open; what lists are sorted by. */
    loan_due_at: Time | null;
    overdue: Generated<boolean>;
    contact_error: string | null;
    /** Of the latest reminder of `pickup_by` that was sent: its hours around it. */
    reminded_hours: number | null;
    note: string | null;
    created_by: Json<Actor>;
    end_reason: EndReason | null;
    /** In which it goes on behind another door. */
    continued_by: string | null;
    ended_at: Time | null;
    archived_at: Time | null;
    looked_at: Time | null;
    token_sealed: Buffer | null;
    token_hash: Buffer | null;
    /** Of the link that it ended with: it opens nothing any more. */
    ended_token_hash: Buffer | null;
    code_sealed: Buffer | null;
    code_hash: Buffer | null;
    /** Until when the secrets still open the door after the end. */
    secrets_until: Time | null;
  };
export type LoansTable = Row & {
  asset_id: string | null;
  occupation_id: string;
  borrower_account_id: string | null;
  borrower_name: string | null;
  borrower_tlf: string | null;
  borrower_email: string | null;
  out_at: Time;
  due_at: Time;
  /** Since when `due_at` is that; null: since it went out. */
  due_from: Time | null;
  returned_at: Time | null;
  condition_out: string | null;
  condition_in: string | null;
  ended_by: JsonOr<Actor, null>;
  end_reason: string | null;
  /** Of the latest reminder of `due_at` that was sent: its hours around it. */
  reminded_hours: number | null;
};
/** One line of a payment's own story: what it came to, how much moved, and by whose word (empty: a person's without an account). */
export type PaymentStep = { at: Time; state: PaymentState; amount: number; by: string };
export type PaymentsTable = Row &
  Words & {
    occupation_id: string | null;
    provider: 'vipps' | 'manual';
    reference: string;
    amount: number;
    captured: Generated<number>;
    refunded: Generated<number>;
    currency: Generated<string>;
    state: PaymentState;
    quantity: Generated<number>;
    /** For one thing, that is paid for once: of these one alone is reserved at a time. */
    sole: Generated<boolean>;
    /** While set, its quantity counts in the occupation's `held`. */
    held_until: Time | null;
    payer: JsonDefault<Data>;
    approve_url: string | null;
    details: JsonDefault<Data>;
    events: JsonDefault<PaymentStep[]>;
    last_error: string | null;
    /** When its provider is next asked how it stands; null: never, or by no clock. */
    look_at: Time | null;
    /** When its provider was asked what was heard last. */
    heard_at: Time | null;
    /** Its goods went out on it. */
    taken_at: Time | null;
    /** A person has to see to it: `last_error` says why. */
    refused: Generated<boolean>;
    /** Its reservation ends in a few days, and staff were told. */
    nears_end: Generated<boolean>;
    /** Sent to the payer's phone, instead of leading them to the provider's page. */
    pushed: Generated<boolean>;
    /** Its customer pressed, and the door that it paid for stayed shut. */
    stayed_shut: Generated<boolean>;
    too_late: Generated<boolean>;
    /** Of a purchase in the shop: what its buyer opens with. */
    key_hash: Buffer | null;
    key_sealed: Buffer | null;
    /** Of a purchase: its buyer's number with the code that they were given. */
    find_hash: Buffer | null;
  };
export type ShopsTable = Row & { open: Generated<boolean>; hours: JsonDefault<OpenSpan[]> };
/** What a payment's provider is asked for. Its id is the idempotency key, the same at each try. */
export type PaymentOperationsTable = Named & {
  payment_id: string;
  kind: OperationKind;
  amount: number;
  state: Generated<OperationState>;
  attempts: Generated<number>;
  error: string | null;
  /** Whose word it was, as a payment's steps name people; null: the clock's. */
  asked_by: string | null;
  /** Of a cancel: only where its payer has not approved it. */
  unless_reserved: Generated<boolean>;
  /** Done, and the payment was heard of since: its sums count it. */
  heard: Generated<boolean>;
  created_at: Time;
  updated_at: Time;
};
