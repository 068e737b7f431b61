-- What lies in lockers and who it is for: assets, occupations, loans, payments, messages.

create table status_labels (
  tenant_id     uuid not null,
  id            uuid not null,
  name          text not null check (name <> ''),
  type          text not null check (type in ('deployable', 'pending', 'undeployable', 'archived')),
  color         text,
  notes         text not null default '',
  show_in_nav   boolean not null default false,
  default_label boolean not null default false,
  version       integer not null default 1,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index status_labels_name on status_labels (tenant_id, lower(name));
create unique index status_labels_default on status_labels (tenant_id) where default_label;

create table assets (
  tenant_id       uuid not null,
  id              uuid not null,
  name            text not null check (name <> ''),
  data            jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  identifiers     jsonb not null default '[]',  -- [{kind, value}]
  status_label_id uuid,
  source          text not null default 'local' check (source in ('local', 'tcm')),
  external_id     text,
  image_file_id   uuid,
  version         integer not null default 1,
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  words           tsvector not null generated always as (words_of(tenant_id,
    coalesce(name, '') || ' ' || coalesce(external_id, '') || ' ' || jsonb_path_query_array(identifiers, '$[*].value')::text)) stored,
  primary key (tenant_id, id),
  constraint assets_external unique (tenant_id, source, external_id),
  constraint assets_status_label foreign key (tenant_id, status_label_id) references status_labels (tenant_id, id)
);
create index assets_paging on assets (tenant_id, created_at desc, id desc);
create index assets_by_name on assets (tenant_id, lower(name), id);
create index assets_words on assets using gin (words);

create table asset_groups (
  tenant_id   uuid not null,
  id          uuid not null,
  name        text not null check (name <> ''),
  description text not null default '',
  version     integer not null default 1,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index asset_groups_name on asset_groups (tenant_id, lower(name));

create table asset_group_members (
  tenant_id      uuid not null,
  asset_group_id uuid not null,
  asset_id       uuid not null,
  created_at     timestamptz(3) not null,
  primary key (tenant_id, asset_group_id, asset_id),
  constraint asset_group_members_group foreign key (tenant_id, asset_group_id) references asset_groups (tenant_id, id) on delete cascade,
  constraint asset_group_members_asset foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
);
create index asset_group_members_of_asset on asset_group_members (tenant_id, asset_id);

create table occupations (
  tenant_id      uuid not null,
  id             uuid not null,
  type           text not null check (type in ('drop-off', 'storage', 'delivery', 'lending', 'consumable', 'sale', 'recall')),
  service        text not null,                 -- the type, or `selfservice`
  stage          integer not null check (stage in (0, 1, 2, 3, 4, 5, 6, 7, 98, 99)),
  resume_stage   integer check (resume_stage in (3, 4, 5)),
  stage_at       timestamptz(3) not null,
  version        integer not null default 1 check (version > 0),
  locker_id      uuid,
  door_tag       text not null,
  asset_id       uuid,
  asset_text     text,
  order_ref      text,
  external_ref   text,
  receiver_name  text,
  receiver_tlf   text,
  receiver_email text,
  receiver_account_id uuid,
  quantity       integer not null default 1 check (quantity >= 0),
  held           integer not null default 0,
  refill_level   integer check (refill_level >= 0),
  price          jsonb,                         -- {amount, currency}, amount in minor units
  policy_ref     text,
  claimed_by     jsonb,                         -- {kind, id, name}; the borrower while a loan runs
  claim_quantity integer check (claim_quantity > 0),
  claim_payment_id uuid,
  claim_opened_at timestamptz(3),               -- since when CLAIMING
  door_opened_at timestamptz(3),                -- sensed since the present stage called for it
  door_closed_at timestamptz(3),
  opened_by      jsonb,                         -- who opened for filling, and so fills when the door closes by itself
  reserved_from  timestamptz(3),
  reserved_until timestamptz(3),
  pickup_from    timestamptz(3),
  pickup_by      timestamptz(3),
  overdue        boolean not null default false,
  contact_error  text,
  reminded       jsonb not null default '[]',   -- reminders already sent
  note           text,
  created_by     jsonb not null,                -- {kind, id, name}
  end_reason     text,
  ended_at       timestamptz(3),
  archived_at    timestamptz(3),
  -- secrets: sealed to be repeated in reminders, hashed to be found; both go with the occupation's end
  token_sealed   bytea,
  token_hash     bytea,
  code_sealed    bytea,
  code_hash      bytea,
  secrets_until  timestamptz(3),
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  words          tsvector not null generated always as (words_of(tenant_id,
    coalesce(receiver_name, '') || ' ' || coalesce(receiver_tlf, '') || ' ' || coalesce(receiver_email, '') || ' ' || coalesce(asset_text, '')
    || ' ' || coalesce(door_tag, '') || ' ' || coalesce(order_ref, '') || ' ' || coalesce(external_ref, ''))) stored,
  primary key (tenant_id, id),
  constraint occupations_token unique (tenant_id, token_hash),
  constraint occupations_code unique (tenant_id, code_hash),
  constraint occupations_stock check (held >= 0 and held <= quantity),
  constraint occupations_has_locker check (stage >= 98 or locker_id is not null),
  constraint occupations_claim_resumes check (stage <> 6 or resume_stage is not null),
  constraint occupations_locker foreign key (tenant_id, locker_id) references lockers (tenant_id, id) on delete set null (locker_id),
  constraint occupations_asset foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete set null (asset_id)
);
-- The rule that nothing may break: a locker carries at most one use that is not ended.
create unique index occupations_one_active on occupations (tenant_id, locker_id) where stage < 98;
create index occupations_paging on occupations (tenant_id, created_at desc, id desc);
create index occupations_by_change on occupations (tenant_id, updated_at desc, id desc);
create index occupations_by_pickup on occupations (tenant_id, coalesce(pickup_by, '9999-12-31T00:00:00Z'::timestamptz), id);
create index occupations_of_locker on occupations (tenant_id, locker_id, created_at desc);
create index occupations_of_asset on occupations (tenant_id, asset_id) where asset_id is not null;
create index occupations_active on occupations (tenant_id, type, stage, created_at desc) where stage < 98;
create index occupations_reserved on occupations (tenant_id, reserved_until) where stage = 0;
create index occupations_due on occupations (tenant_id, pickup_by) where stage < 98 and pickup_by is not null;
create index occupations_ended on occupations (tenant_id, ended_at) where stage = 98;
create index occupations_external on occupations (tenant_id, external_ref) where external_ref is not null;
create index occupations_words on occupations using gin (words);

create table loans (
  tenant_id           uuid not null,
  id                  uuid not null,
  asset_id            uuid,
  occupation_id       uuid not null,
  borrower_account_id uuid,
  borrower_name       text,
  borrower_tlf        text,
  borrower_email      text,
  out_at              timestamptz(3) not null,
  due_at              timestamptz(3) not null,
  returned_at         timestamptz(3),
  condition_out       text,
  condition_in        text,
  ended_by            jsonb,
  end_reason          text,                     -- returned, lost, returned-elsewhere
  reminded            jsonb not null default '[]',
  version             integer not null default 1,
  created_at          timestamptz(3) not null,
  updated_at          timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint loans_occupation foreign key (tenant_id, occupation_id) references occupations (tenant_id, id),
  constraint loans_asset foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete set null (asset_id)
);
create unique index loans_one_open on loans (tenant_id, occupation_id) where returned_at is null;
create unique index loans_asset_out_once on loans (tenant_id, asset_id) where returned_at is null and asset_id is not null;
create index loans_due on loans (tenant_id, due_at) where returned_at is null;
create index loans_of_borrower on loans (tenant_id, borrower_account_id, out_at desc);

create table payments (
  tenant_id     uuid not null,
  id            uuid not null,
  occupation_id uuid,
  provider      text not null check (provider in ('vipps', 'manual')),
  reference     text not null,
  amount        bigint not null check (amount > 0),  -- minor units
  captured      bigint not null default 0,
  refunded      bigint not null default 0,
  currency      text not null default 'NOK' check (currency ~ '^[A-Z]{3}$'),
  state         text not null check (state in ('initiated', 'reserved', 'captured', 'cancelled', 'refunded')),
  quantity      integer not null default 1 check (quantity > 0),
  held_until    timestamptz(3),                 -- while set, `quantity` counts in the occupation's `held`
  payer         jsonb not null default '{}',
  approve_url   text,
  details       jsonb not null default '{}',
  events        jsonb not null default '[]',    -- the provider's own, in order
  last_error    text,
  version       integer not null default 1,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint payments_reference unique (tenant_id, provider, reference),
  constraint payments_sums check (captured between 0 and amount and refunded between 0 and captured),
  constraint payments_occupation foreign key (tenant_id, occupation_id) references occupations (tenant_id, id) on delete set null (occupation_id)
);
create index payments_paging on payments (tenant_id, created_at desc, id desc);
create index payments_of_occupation on payments (tenant_id, occupation_id);
create index payments_holding on payments (tenant_id, held_until) where held_until is not null;

-- One row for one cause on one channel; a send whose answer was lost stays `unknown` until a person sends again (another cause).
create table messages (
  tenant_id     uuid not null,
  id            uuid not null,
  occupation_id uuid,
  cause         text not null,
  kind          text not null,
  channel       text not null check (channel in ('sms', 'mail')),
  to_masked     text not null,
  to_sealed     bytea not null,
  body_sealed   bytea,                          -- may hold a link and a code
  message_id    text not null,
  locale        text not null default 'en',
  state         text not null check (state in ('queued', 'sent', 'accepted', 'delivered', 'failed', 'unknown')),
  provider_ref  text,
  error         text,
  attempts      integer not null default 0,
  version       integer not null default 1,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint messages_cause unique (tenant_id, cause, channel),
  constraint messages_message_id unique (tenant_id, message_id),
  constraint messages_occupation foreign key (tenant_id, occupation_id) references occupations (tenant_id, id) on delete set null (occupation_id)
);
create index messages_paging on messages (tenant_id, created_at desc, id desc);
create index messages_of_occupation on messages (tenant_id, occupation_id);
create index messages_provider_ref on messages (tenant_id, provider_ref) where provider_ref is not null;

create table templates (
  tenant_id  uuid not null,
  id         uuid not null,
  kind       text not null,
  channel    text not null check (channel in ('sms', 'mail')),
  locale     text not null check (locale in ('en', 'nb')),
  subject    text,
  text       text not null,
  version    integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint templates_kind unique (tenant_id, kind, channel, locale)
);

call guard_tenant('status_labels');
call guard_tenant('assets');
call guard_tenant('asset_groups');
call guard_tenant('asset_group_members');
call guard_tenant('occupations');
call guard_tenant('loans');
call guard_tenant('payments');
call guard_tenant('messages');
call guard_tenant('templates');
