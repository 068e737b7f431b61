import type { AlertEvent } from '@hatchway/domain/alerts.ts';
import type { Actor } from '@hatchway/domain/history.ts';
import type { Receiver } from '@hatchway/domain/receiver.ts';
import type {
  CommandOutcome,
  Connection,
  ContentState,
  DoorState,
  EndReason,
  OccupationType,
  PaymentState,
  Reach,
  Scope,
  Service,
  Size,
  Stage,
} from '@hatchway/domain/terms.ts';
import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely';

/**
 * The tables as migrations/*.sql make them, for Kysely. Names are those of the SQL; times are ISO strings (database.ts), bigint are
 * numbers, bytea are Buffers. A test compares the columns with the catalogue.
 */

/** JSON on its way in. pg turns arrays into PostgreSQL arrays, so a jsonb column takes nothing but what `jsonb()` made. */
export type Jsonb<T> = string & { readonly json?: T };
export function jsonb<T>(value: T): Jsonb<T> {
  return JSON.stringify(value);
}
type Json<T> = ColumnType<T, Jsonb<T>, Jsonb<T>>;
type JsonOr<T, D> = ColumnType<T | D, Jsonb<T> | D | undefined, Jsonb<T> | D>;
type JsonDefault<T> = ColumnType<T, Jsonb<T> | undefined, Jsonb<T>>;
type Data = Record<string, unknown>;
type Time = string;

type Named = { tenant_id: string; id: string };
/** What nearly every row has; `version` grows by one with each change. */
type Row = Named & { version: Generated<number>; created_at: Time; updated_at: Time };
/** Full text for search_*(); never selected (name the columns). */
type Words = { words: GeneratedAlways<string> };

export type CompanySettings = {
  retentionDays?: number | undefined;
  senderName?: string | undefined;
  alerts?: { event: AlertEvent | 'all'; channel: 'sms' | 'mail'; to: string }[] | undefined;
  quietHours?: { from: string; to: string } | null | undefined;
  doorOpenMinutes?: number | undefined;
  offlineMinutes?: number | undefined;
};

export type CompaniesTable = {
  id: string;
  name: string;
  org_number: string | null;
  contact: JsonDefault<{ name?: string; email?: string; tlf?: string }>;
  address: JsonDefault<{ street?: string; postalCode?: string; city?: string }>;
  country: Generated<string>;
  locale: Generated<'en' | 'nb'>;
  time_zone: Generated<string>;
  licenses: Generated<string[]>;
  logo_file_id: string | null;
  settings: JsonDefault<CompanySettings>;
  /** Made by `npm start`. */
  seeded: Generated<boolean>;
  suspended_at: Time | null;
  /** Since when all of it is being deleted; there is no way back. */
  deleting_at: Time | null;
  version: Generated<number>;
  created_at: Time;
  updated_at: Time;
};

export type AccountsTable = Words & {
  id: string;
  name: string;
  email: string | null;
  tlf: string | null;
  locale: Generated<'en' | 'nb'>;
  avatar: Buffer | null;
  disabled_at: Time | null;
  version: Generated<number>;
  created_at: Time;
  updated_at: Time;
};
export type AccountIdentitiesTable = { issuer: string; subject: string; account_id: string; created_at: Time };
export type MembershipsTable = Row & { account_id: string; roles: Generated<string[]>; last_seen_at: Time | null };
export type InvitationsTable = Row & {
  email: string | null;
  tlf: string | null;
  roles: Generated<string[]>;
  state: Generated<'pending' | 'accepted' | 'expired' | 'withdrawn'>;
  token_hash: Buffer;
  expires_at: Time;
  invited_by: string | null;
  invited_by_name: Generated<string>;
  accepted_by: string | null;
};
export type GroupsTable = Row & { name: string; description: Generated<string>; external_id: string | null };
export type GroupMembersTable = { tenant_id: string; group_id: string; account_id: string; created_at: Time };
export type PermissionsTable = Row & {
  name: string;
  scopes: Generated<Scope[]>;
  group_ids: Generated<string[]>;
  locker_ids: Generated<string[]>;
};
export type ApiKeysTable = Row & {
  name: string;
  prefix: string;
  secret_hash: Buffer;
  scopes: Generated<string[]>;
  created_by: string;
  expires_at: Time | null;
  last_used_at: Time | null;
  revoked_at: Time | null;
};

/** History: written by server/events alone, never changed but by retention (actor_id, actor_name, data). */
export type EventsTable = Named & {
  type: string;
  at: Time;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  actor_name: string | null;
  cabinet_id: string | null;
  locker_id: string | null;
  door_tag: string | null;
  occupation_id: string | null;
  occupation_type: OccupationType | null;
  payment_id: string | null;
  asset_id: string | null;
  data: JsonDefault<Data>;
};
export type OutboxTable = { tenant_id: string; id: GeneratedAlways<number>; kind: string; payload: Json<Data>; created_at: Time };
export type IdempotencyTable = {
  tenant_id: string;
  caller: string;
  method: string;
  path: string;
  key: string;
  body_hash: Buffer;
  /** secret: answered, with something that is not kept. */
  state: 'running' | 'answered' | 'secret';
  status: number | null;
  headers: JsonOr<Record<string, string>, null>;
  answer: JsonOr<unknown, null>;
  created_at: Time;
  expires_at: Time;
};
export type PublicRefsTable = {
  kind: 'cabinet-number' | 'shop' | 'policy' | 'pairing' | 'hook';
  ref: string;
  tenant_id: string;
  target_id: string;
  created_at: Time;
};
export type RateLimitsTable = { bucket: string; started_at: Time; expires_at: Time; count: number };

export type SitesTable = Row & {
  name: string;
  address: Generated<string>;
  lat: number | null;
  lng: number | null;
  opening_hours: Generated<string>;
  tlf: Generated<string>;
};
export type CabinetsTable = Row & {
  site_id: string;
  number: number;
  name: string;
  columns: JsonDefault<{ width: number; doors: { lockerId: string; height: number }[] }[]>;
  controller_id: string | null;
  connection: Generated<Connection>;
  connection_at: Time | null;
  /** Of the newest birth; a will of another one is late. */
  session: string | null;
  last_seen_at: Time | null;
  firmware: string | null;
  can_lock: Generated<boolean>;
  has_sensors: Generated<boolean>;
  /** What the controller says it has. */
  compartments: JsonDefault<unknown[]>;
  pairing_hash: Buffer | null;
  pairing_expires_at: Time | null;
  credential_hash: Buffer | null;
  paired_at: Time | null;
  /** Grows with what people change of it. */
  layout_version: Generated<number>;
};
export type LastCommand = {
  id: string;
  op: 'open' | 'lock';
  at: Time;
  by: Actor;
  outcome: CommandOutcome | 'pending';
  code: string | null;
  /** The door was sensed open by it: a later opening is another matter, whatever the controller repeats. */
  seen?: boolean;
};
export type LockersTable = Row &
  Words & {
    cabinet_id: string;
    compartment: number;
    door_tag: string;
    name: Generated<string>;
    size: Size;
    reach: Generated<Reach>;
    services: Generated<Service[]>;
    policy_ref: string | null;
    out_of_service: JsonOr<{ since: Time; reason: string; by?: Actor }, null>;
    last_command: JsonOr<LastCommand, null>;
    door: Generated<DoorState>;
    door_at: Time | null;
    lock_state: Generated<'locked' | 'unlocked' | 'unknown'>;
    occupancy: Generated<ContentState>;
    occupancy_at: Time | null;
    device_seq: number | null;
    device_session: string | null;
    alert: 'forced' | 'left-open' | 'tamper' | 'jam' | null;
    alert_at: Time | null;
    content: Generated<ContentState>;
    content_at: Time | null;
    content_why: string | null;
  };
export type OutagesTable = Named & { cabinet_id: string; started_at: Time; ended_at: Time | null };
export type CommandsTable = Named & {
  cabinet_id: string;
  controller_id: string;
  locker_id: string | null;
  compartment: number | null;
  op: 'open' | 'lock' | 'status' | 'reboot';
  occupation_id: string | null;
  actor: Json<Actor>;
  reason: string | null;
  issued_at: Time;
  expires_at: Time;
  outcome: CommandOutcome | 'done' | null;
  seen_at: Time | null;
  code: string | null;
  answered_at: Time | null;
};
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

export type StatusLabelsTable = Row & {
  name: string;
  type: 'deployable' | 'pending' | 'undeployable' | 'archived';
  color: string | null;
  notes: Generated<string>;
  show_in_nav: Generated<boolean>;
  default_label: Generated<boolean>;
};
export type AssetsTable = Row &
  Words & {
    name: string;
    data: JsonDefault<Data>;
    identifiers: JsonDefault<{ kind: string; value: string }[]>;
    status_label_id: string | null;
    source: Generated<'local' | 'tcm'>;
    external_id: string | null;
    image_file_id: string | null;
  };
/** `kind` in lower case: what an identifier's uniqueness stands on. The asset's own column says how it was written. */
export type AssetIdentifiersTable = { tenant_id: string; kind: string; value: string; asset_id: string };
export type AssetGroupsTable = Row & { name: string; description: Generated<string> };
export type AssetGroupMembersTable = { tenant_id: string; asset_group_id: string; asset_id: string; created_at: Time };
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
    overdue: Generated<boolean>;
    contact_error: string | null;
    reminded: JsonDefault<unknown[]>;
    note: string | null;
    created_by: Json<Actor>;
    end_reason: EndReason | null;
    ended_at: Time | null;
    archived_at: Time | null;
    token_sealed: Buffer | null;
    token_hash: Buffer | null;
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
  returned_at: Time | null;
  condition_out: string | null;
  condition_in: string | null;
  ended_by: JsonOr<Actor, null>;
  end_reason: string | null;
  reminded: JsonDefault<unknown[]>;
};
/** One line of a payment's own story: what it came to, how much moved, and by whose word. */
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
    /** While set, its quantity counts in the occupation's `held`. */
    held_until: Time | null;
    payer: JsonDefault<Data>;
    approve_url: string | null;
    details: JsonDefault<Data>;
    events: JsonDefault<PaymentStep[]>;
    /** What its provider was asked for and has yet to say. */
    wanted: 'capture' | 'cancel' | 'refund' | null;
    last_error: string | null;
  };
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
  error: string | null;
  attempts: Generated<number>;
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
};
export type WebhooksTable = Row & {
  url: string;
  events: Generated<string[]>;
  active: Generated<boolean>;
  secret_sealed: Buffer;
  failing_since: Time | null;
  disabled_reason: 'gone' | 'failing' | null;
};
export type WebhookDeliveriesTable = Named & {
  webhook_id: string;
  event_type: string;
  /** Null for a test. */
  event_id: string | null;
  replay_of: string | null;
  /** Empty until the first attempt has written it. */
  payload: Json<Data>;
  state: 'queued' | 'delivered' | 'failed';
  attempts: Generated<number>;
  status: number | null;
  error: string | null;
  next_at: Time | null;
  duration_ms: number | null;
  attempted_at: Time | null;
  created_at: Time;
  updated_at: Time;
};
export type FilesTable = Named & { width: number; mime: string; etag: string; bytes: Buffer; created_at: Time };

export type Database = {
  companies: CompaniesTable;
  accounts: AccountsTable;
  account_identities: AccountIdentitiesTable;
  memberships: MembershipsTable;
  invitations: InvitationsTable;
  groups: GroupsTable;
  group_members: GroupMembersTable;
  permissions: PermissionsTable;
  api_keys: ApiKeysTable;
  events: EventsTable;
  outbox: OutboxTable;
  idempotency: IdempotencyTable;
  public_refs: PublicRefsTable;
  rate_limits: RateLimitsTable;
  sites: SitesTable;
  cabinets: CabinetsTable;
  lockers: LockersTable;
  outages: OutagesTable;
  commands: CommandsTable;
  policies: PoliciesTable;
  access_links: AccessLinksTable;
  access_link_uses: AccessLinkUsesTable;
  status_labels: StatusLabelsTable;
  assets: AssetsTable;
  asset_identifiers: AssetIdentifiersTable;
  asset_groups: AssetGroupsTable;
  asset_group_members: AssetGroupMembersTable;
  occupations: OccupationsTable;
  loans: LoansTable;
  payments: PaymentsTable;
  messages: MessagesTable;
  templates: TemplatesTable;
  integrations: IntegrationsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  files: FilesTable;
};

export type TableName = keyof Database;
export type RowOf<T extends TableName> = Selectable<Database[T]>;
export type NewRow<T extends TableName> = Insertable<Database[T]>;
export type RowChange<T extends TableName> = Updateable<Database[T]>;
