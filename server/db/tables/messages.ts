import type { Generated } from 'kysely';
import type { Json, JsonDefault, JsonOr, Data, Time, Named, Row, Words } from './columns.ts';

/** What goes out: to people, and to outside systems. */

export type MessagesTable = Row & {
  occupation_id: string | null;
  /** Unique with the channel: one message for one cause. */
  cause: string;
  kind: string;
  channel: 'sms' | 'mail';
  to_masked: string;
  to_sealed: Buffer;
  body_sealed: Buffer | null;
  message_id: string;
  locale: Generated<string>;
  state: 'queued' | 'sent' | 'accepted' | 'delivered' | 'failed' | 'unknown';
  provider_ref: string | null;
  /** Not sent before then (quiet hours). */
  not_before: Time | null;
  error: string | null;
  attempts: Generated<number>;
  /** By whose wire an SMS went (providers/sms-address.ts); null: by none yet. */
  gateway: string | null;
  /** Parts of an SMS that its gateway took, or may have taken. */
  segments: number | null;
  price_millionths: number | null;
  price_currency: string | null;
  /** Of one that is reported part by part. */
  parts_arrived: Generated<number[]>;
};
export type TemplatesTable = Row & {
  kind: string;
  channel: 'sms' | 'mail';
  locale: 'en' | 'nb';
  subject: string | null;
  text: string;
  /** False: given back, ours holds. The row stays for its version. */
  own: Generated<boolean>;
};
export type IntegrationsTable = Row & {
  type: 'payment' | 'shop' | 'directory' | 'tool';
  kind: 'vipps' | 'woo' | 'entra' | 'tcm' | 'snipeit';
  settings: JsonDefault<Data>;
  secrets_sealed: Buffer | null;
  state: Generated<'unverified' | 'active' | 'failing' | 'disabled'>;
  last_sync_at: Time | null;
  last_error: string | null;
  /** Of the webhooks that we registered with it, with spaces between; null: none. */
  webhook_id: string | null;
  /** When something signed last came by it. */
  heard_at: Time | null;
  /** What a shop's owner was asked to approve, and until when that holds. */
  grant_hash: Buffer | null;
  grant_until: Time | null;
  /** The time of change up to which a shop's orders are known. */
  synced_until: Time | null;
  /** When it is asked again; null: at once. */
  look_at: Time | null;
  /** The directory that was shown to be the company's. */
  directory_tid: string | null;
  grant_sealed: Buffer | null;
  /** Where the next round of a directory's changes begins; null: with everybody. */
  users_link: string | null;
  groups_link: string | null;
  /** Somebody reads the directory until then. */
  busy_until: Time | null;
  /** Of an asset tool: up to which change of its own clock its requests are known, when it was listed whole last, and where a listing that was put aside goes on. */
  requests_until: Time | null;
  whole_at: Time | null;
  listing: JsonOr<Listing, null>;
};
/** How far a listing of an asset tool was read; `newest`: of what was read. */
export type Listing = {
  what: 'assets' | 'requests';
  isWhole: boolean;
  /** When it began: what is not told from then on is gone. */
  began: string;
  cursor: string | null;
  newest: string | null;
  /** Every row of it could be read. */
  isRead: boolean;
};
export type ShopOrdersTable = Named &
  Words & {
    /** Null: a shop posted it. */
    integration_id: string | null;
    shop: string | null;
    ref: string;
    number: string;
    status: string;
    name: string;
    tlf: string | null;
    email: string | null;
    lines: JsonDefault<{ name: string; quantity: number }[]>;
    ordered_at: Time;
    modified_at: Time;
    created_at: Time;
    updated_at: Time;
  };
/** What is written back to a shop's order. Its id stands in the note. */
export type ShopOperationsTable = Named & {
  order_id: string;
  occupation_id: string;
  kind: 'note' | 'complete';
  note: string | null;
  state: Generated<'wanted' | 'sent' | 'unknown' | 'done' | 'refused'>;
  attempts: Generated<number>;
  error: string | null;
  created_at: Time;
  updated_at: Time;
};
export type WebhooksTable = Row & {
  url: string;
  events: Generated<string[]>;
  active: Generated<boolean>;
  secret_sealed: Buffer;
  failing_since: Time | null;
  /** When something last arrived at the address that it has now; null: never. */
  delivered_at: Time | null;
  disabled_reason: 'gone' | 'failing' | 'maker' | null;
  /** The last number that one of its events was given, or was lost with. */
  sequence: Generated<number>;
  /** Of what it missed since it was switched off, so many are kept no longer. */
  lost: Generated<number>;
  /** The account or the key that answers for it; null: it is from before that was kept. */
  created_by: string | null;
};
export type WebhookDeliveriesTable = Named & {
  webhook_id: string;
  event_type: string;
  /** Null for a test. */
  event_id: string | null;
  replay_of: string | null;
  /** Empty until the first attempt has written it. */
  payload: Json<Data>;
  state: 'queued' | 'delivered' | 'failed' | 'missed';
  /** Given at its first attempt, and kept by what is sent once more; null for a test. */
  sequence: number | null;
  attempts: Generated<number>;
  status: number | null;
  error: string | null;
  next_at: Time | null;
  duration_ms: number | null;
  attempted_at: Time | null;
  created_at: Time;
  updated_at: Time;
};
