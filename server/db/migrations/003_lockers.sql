-- Sites, cabinets, lockers, what is asked of their doors, and the rules and links that open them.

create table sites (
  tenant_id     uuid not null,
  id            uuid not null,
  name          text not null check (name <> ''),
  address       text not null default '',
  lat           double precision check (lat between -90 and 90),
  lng           double precision check (lng between -180 and 180),
  opening_hours text not null default '',
  tlf           text not null default '',
  version       integer not null default 1,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index sites_name on sites (tenant_id, lower(name));

create table cabinets (
  tenant_id          uuid not null,
  id                 uuid not null,
  site_id            uuid not null,
  number             integer not null check (number > 0), -- printed on the wall; public_refs holds it for all companies together
  name               text not null check (name <> ''),
  columns            jsonb not null default '[]', -- the drawing: [{width, doors [{lockerId, height}]}]
  controller_id      text,
  connection         text not null default 'offline' check (connection in ('online', 'offline')),
  connection_at      timestamptz(3),
  session            text,                      -- of the newest birth: a will of another session is late and is dropped
  last_seen_at       timestamptz(3),
  firmware           text,
  can_lock           boolean not null default false,
  has_sensors        boolean not null default false,
  compartments       jsonb not null default '[]', -- what the controller says it has: [{no, size, sensors}]
  pairing_hash       bytea,
  pairing_expires_at timestamptz(3),
  credential_hash    bytea,
  paired_at          timestamptz(3),
  version            integer not null default 1,
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint cabinets_number unique (tenant_id, number),
  constraint cabinets_controller unique (tenant_id, controller_id),
  constraint cabinets_site foreign key (tenant_id, site_id) references sites (tenant_id, id)
);
create index cabinets_of_site on cabinets (tenant_id, site_id);

create table lockers (
  tenant_id      uuid not null,
  id             uuid not null,
  cabinet_id     uuid not null,
  compartment    integer not null check (compartment > 0),
  door_tag       text not null check (door_tag <> ''),
  name           text not null default '',
  size           text not null check (size in ('XS', 'S', 'M', 'L', 'XL')),
  reach          text not null default 'middle' check (reach in ('low', 'middle', 'high')),
  services       text[] not null default '{}',  -- empty: every service
  policy_ref     text,
  out_of_service jsonb,                         -- {since, reason, by} or null
  -- commanded
  last_command   jsonb,                         -- {id, op, at, by, outcome, code}
  -- sensed
  door           text not null default 'unknown' check (door in ('opened', 'closed', 'unknown')),
  door_at        timestamptz(3),
  lock_state     text not null default 'unknown' check (lock_state in ('locked', 'unlocked', 'unknown')),
  occupancy      text not null default 'unknown' check (occupancy in ('occupied', 'empty', 'unknown')),
  occupancy_at   timestamptz(3),
  device_seq     bigint,
  device_session text,
  alert          text check (alert in ('forced', 'left-open', 'tamper', 'jam')),
  alert_at       timestamptz(3),
  -- believed
  content        text not null default 'empty' check (content in ('empty', 'occupied', 'unknown')),
  content_at     timestamptz(3),
  content_why    text,
  version        integer not null default 1,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  words          tsvector not null generated always as (words_of(tenant_id, coalesce(door_tag, '') || ' ' || coalesce(name, ''))) stored,
  primary key (tenant_id, id),
  constraint lockers_door_tag unique (tenant_id, door_tag),
  constraint lockers_compartment unique (tenant_id, cabinet_id, compartment),
  constraint lockers_cabinet foreign key (tenant_id, cabinet_id) references cabinets (tenant_id, id)
);
create index lockers_paging on lockers (tenant_id, created_at desc, id desc);
create index lockers_free on lockers (tenant_id, size, cabinet_id) where content = 'empty' and out_of_service is null;
-- The order in which free lockers are given out (modules/occupations/fit.ts), so that the first ones are read and no more.
create index lockers_best on lockers (tenant_id, size, (case reach when 'middle' then 0 when 'low' then 1 else 2 end), length(door_tag), door_tag)
  where content = 'empty' and out_of_service is null and door = 'closed';
create index lockers_words on lockers using gin (words);
create index lockers_in_doubt on lockers (tenant_id, content_at) where content = 'unknown';

-- When a cabinet was away. Clocks of reservation and pick-up stand still then.
create table outages (
  tenant_id  uuid not null,
  id         uuid not null,
  cabinet_id uuid not null,
  started_at timestamptz(3) not null,
  ended_at   timestamptz(3),
  primary key (tenant_id, id),
  constraint outages_span check (ended_at >= started_at),
  constraint outages_cabinet foreign key (tenant_id, cabinet_id) references cabinets (tenant_id, id) on delete cascade
);
create unique index outages_one_open on outages (tenant_id, cabinet_id) where ended_at is null;
create index outages_of_cabinet on outages (tenant_id, cabinet_id, started_at desc);

-- One row for each thing asked of a controller; it ends as one of the outcomes and is never asked again under another id.
create table commands (
  tenant_id     uuid not null,
  id            uuid not null,
  cabinet_id    uuid not null,
  controller_id text not null,
  locker_id     uuid,
  compartment   integer,
  op            text not null check (op in ('open', 'lock', 'status', 'reboot')),
  occupation_id uuid,
  actor         jsonb not null,                 -- {kind, id, name}
  reason        text,
  issued_at     timestamptz(3) not null,
  expires_at    timestamptz(3) not null,
  outcome       text check (outcome in ('opened', 'locked', 'done', 'refused', 'no-answer', 'offline')),
  code          text,
  answered_at   timestamptz(3),
  primary key (tenant_id, id),
  constraint commands_cabinet foreign key (tenant_id, cabinet_id) references cabinets (tenant_id, id) on delete cascade
);
create index commands_of_locker on commands (tenant_id, locker_id, issued_at desc);
create index commands_unanswered on commands (expires_at) where outcome is null;

create table policies (
  tenant_id             uuid not null,
  id                    uuid not null,
  name                  text not null check (name <> ''),
  ref                   text check (ref <> ''),
  services              text[] not null default '{}',
  locker_ids            uuid[] not null default '{}',
  group_ids             uuid[] not null default '{}',
  reserve_minutes       integer check (reserve_minutes > 0),
  pickup_hours          integer check (pickup_hours > 0),
  loan_hours            integer check (loan_hours > 0),
  reminders             double precision[],     -- hours around the deadline: below 0 before it
  claim_seconds         integer check (claim_seconds > 0),
  claim_grace_seconds   integer check (claim_grace_seconds >= 0),
  max_active_per_person integer check (max_active_per_person > 0),
  price                 jsonb,                  -- {amount, currency, per?}, amount in minor units
  inspect_returns       boolean not null default false,
  staff_confirms_claim  boolean not null default false,
  login_hint            text,
  idp_hint              text,
  version               integer not null default 1,
  created_at            timestamptz(3) not null,
  updated_at            timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint policies_ref unique (tenant_id, ref)
);

create table access_links (
  tenant_id    uuid not null,
  id           uuid not null,
  name         text not null default '',
  locker_ids   uuid[] not null default '{}',
  purpose      text not null check (purpose in ('open', 'drop-off', 'pick-up')),
  token_hash   bytea not null,
  token_sealed bytea not null,
  valid_from   timestamptz(3) not null,
  valid_to     timestamptz(3) not null,
  max_uses     integer not null default 1 check (max_uses > 0),
  used         integer not null default 0,
  uses         jsonb not null default '[]',     -- [{at, lockerId, doorTag, address}]
  created_by   uuid,
  revoked_at   timestamptz(3),
  version      integer not null default 1,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint access_links_token unique (tenant_id, token_hash),
  constraint access_links_uses check (used between 0 and max_uses)
);

call guard_tenant('sites');
call guard_tenant('cabinets');
call guard_tenant('lockers');
call guard_tenant('outages');
call guard_tenant('commands');
create policy relay_reads on commands for select using (is_relay());
call guard_tenant('policies');
call guard_tenant('access_links');
