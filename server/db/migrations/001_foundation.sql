-- Companies, people and the tables that every part of the server leans on.
--
-- Rules of all migrations (docs/architecture.md says why):
--   tenant_id comes first in every primary, unique and foreign key, so that the tables can be sharded by tenant as they are;
--   text + CHECK instead of enums, since comparing an enum is not leakproof and row-level security then switches the index off;
--   no triggers; ids (UUIDv7) and the clock come from the application, timestamps hold milliseconds because ISO strings do;
--   a new tenant table ends with `call guard_tenant('its_name')`. A test reads the catalogue and fails on a table without it.
-- The tables of a company have no foreign key to companies: the company may be known to an outside identity provider alone.

-- Who is asking. Unset and '' both mean nobody: after one `set local` the setting reads '' for the rest of the session.
create function current_tenant() returns uuid language sql stable parallel safe
  return nullif(pg_catalog.current_setting('app.tenant_id', true), '')::uuid;
create function current_account() returns uuid language sql stable parallel safe
  return nullif(pg_catalog.current_setting('app.account_id', true), '')::uuid;
create function is_operator() returns boolean language sql stable parallel safe
  return coalesce(pg_catalog.current_setting('app.operator', true), '') = 'on';
create function is_relay() returns boolean language sql stable parallel safe
  return coalesce(pg_catalog.current_setting('app.relay', true), '') = 'on';
grant execute on function current_tenant(), current_account(), is_operator(), is_relay() to hatchway_app, hatchway_definer;

create procedure guard_tenant(guarded regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', guarded);
  execute format('alter table %s force row level security', guarded);
  execute format(
    'create policy tenant on %s using (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)'
    ' with check (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', guarded);
end $$;

-- The words of a text, case folded, each behind its owner, so that an index over all companies is walked within one of them.
-- Eight hex digits are enough: they only narrow the walk, the tenant predicate decides.
create function words_of(owner uuid, body text) returns tsvector language sql immutable parallel safe
  return array_to_tsvector(array(
    select left(owner::text, 8) || ':' || left(word, 100)
    from regexp_split_to_table(lower(body), '[^[:alnum:]]+') as word where word <> ''));

-- Every word of the input as a beginning; null (which matches nothing) where the input holds no word.
create function words_wanted(owner uuid, input text) returns tsquery language sql immutable parallel safe
  return (select string_agg('''' || left(owner::text, 8) || ':' || left(word, 100) || ''':*', ' & ')::tsquery
          from regexp_split_to_table(lower(input), '[^[:alnum:]]+') as word where word <> '');
grant execute on function words_of(uuid, text), words_wanted(uuid, text) to hatchway_app, hatchway_definer;

create table companies (
  id            uuid primary key,               -- the tenant id, a v4 UUID
  name          text not null check (name <> ''),
  org_number    text,
  contact       jsonb not null default '{}',    -- {name, email, tlf}
  address       jsonb not null default '{}',
  country       text not null default 'NO',
  locale        text not null default 'nb' check (locale in ('en', 'nb')),
  time_zone     text not null default 'Europe/Oslo',
  licenses      text[] not null default '{}',   -- given by the operator alone
  logo_file_id  uuid,
  settings      jsonb not null default '{}',    -- {retentionDays, senderName, alerts [{event, channel, to}], quietHours}
  seeded        boolean not null default false, -- made by `npm start`, which refuses a database that holds any other
  suspended_at  timestamptz(3),
  version       integer not null default 1,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null
);

create table accounts (
  id         uuid primary key,
  name       text not null,
  email      text,
  tlf        text,                              -- E.164
  locale     text not null default 'en' check (locale in ('en', 'nb')),
  avatar     bytea,
  disabled_at timestamptz(3),
  version    integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  words      tsvector not null generated always as (
    words_of('00000000-0000-0000-0000-000000000000', coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(tlf, ''))) stored
);
create unique index accounts_email on accounts (lower(email));
create unique index accounts_tlf on accounts (tlf);

create table account_identities (
  issuer     text not null,
  subject    text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  created_at timestamptz(3) not null,
  primary key (issuer, subject)
);
create index account_identities_account on account_identities (account_id);

create table memberships (
  tenant_id    uuid not null,
  id           uuid not null,
  account_id   uuid not null references accounts (id),
  roles        text[] not null default '{}',
  last_seen_at timestamptz(3),
  version      integer not null default 1,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint memberships_account unique (tenant_id, account_id)
);
create index memberships_of_account on memberships (account_id);

create table invitations (
  tenant_id   uuid not null,
  id          uuid not null,
  email       text,
  tlf         text,
  roles       text[] not null default '{}',
  state       text not null default 'pending' check (state in ('pending', 'accepted', 'expired', 'withdrawn')),
  token_hash  bytea not null,
  expires_at  timestamptz(3) not null,
  invited_by  uuid,
  invited_by_name text not null default '',
  accepted_by uuid,
  version     integer not null default 1,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint invitations_token unique (tenant_id, token_hash),
  constraint invitations_reachable check (email is not null or tlf is not null)
);

create table groups (
  tenant_id   uuid not null,
  id          uuid not null,
  name        text not null check (name <> ''),
  description text not null default '',
  external_id text,                             -- the directory's id where the group comes from one
  version     integer not null default 1,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index groups_name on groups (tenant_id, lower(name));
create unique index groups_external on groups (tenant_id, external_id);

create table group_members (
  tenant_id  uuid not null,
  group_id   uuid not null,
  account_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, group_id, account_id),
  constraint group_members_group foreign key (tenant_id, group_id) references groups (tenant_id, id) on delete cascade,
  constraint group_members_member foreign key (tenant_id, account_id) references memberships (tenant_id, account_id) on delete cascade
);
create index group_members_of_account on group_members (tenant_id, account_id);

-- A permission names its groups and lockers in arrays, as the wire does; an empty list grants nothing.
create table permissions (
  tenant_id  uuid not null,
  id         uuid not null,
  name       text not null check (name <> ''),
  scopes     text[] not null default '{}' check (scopes <@ array['manage', 'delivery', 'lending', 'sale', 'storage']),
  group_ids  uuid[] not null default '{}',
  locker_ids uuid[] not null default '{}',
  version    integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index permissions_name on permissions (tenant_id, lower(name));

create table api_keys (
  tenant_id    uuid not null,
  id           uuid not null,
  name         text not null check (name <> ''),
  prefix       text not null,                   -- what lists show of the key
  secret_hash  bytea not null,
  scopes       text[] not null default '{}',
  created_by   uuid not null,                   -- its rights end where this account's rights end
  expires_at   timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at   timestamptz(3),
  version      integer not null default 1,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint api_keys_secret unique (tenant_id, secret_hash)
);

-- History. Rows point at what they tell of without foreign keys: the story outlives the locker.
create table events (
  tenant_id     uuid not null,
  id            uuid not null,
  type          text not null,
  at            timestamptz(3) not null,
  actor_kind    text not null check (actor_kind in ('person', 'key', 'device', 'system')),
  actor_id      text,
  actor_name    text,
  cabinet_id    uuid,
  locker_id     uuid,
  door_tag      text,
  occupation_id uuid,
  occupation_type text,
  payment_id    uuid,
  asset_id      uuid,
  data          jsonb not null default '{}',
  primary key (tenant_id, id)
);
create index events_paging on events (tenant_id, at desc, id desc);
create index events_by_type on events (tenant_id, type, at desc, id desc);
create index events_by_occupation_type on events (tenant_id, occupation_type, at desc, id desc) where occupation_type is not null;
create index events_by_locker on events (tenant_id, locker_id, at desc, id desc) where locker_id is not null;
create index events_by_occupation on events (tenant_id, occupation_id, at desc, id desc) where occupation_id is not null;
create index events_by_asset on events (tenant_id, asset_id, at desc, id desc) where asset_id is not null;

-- What must leave this process after a commit (live events, webhooks). Written by the tenant, emptied by the relay; local, never sharded.
create table outbox (
  tenant_id  uuid not null,
  id         bigint generated always as identity,
  kind       text not null,
  payload    jsonb not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index outbox_in_order on outbox (id);

create table idempotency (
  tenant_id  uuid not null,
  caller     text not null,
  method     text not null,
  path       text not null,
  key        text not null,
  body_hash  bytea not null,
  state      text not null check (state in ('running', 'answered', 'secret')), -- secret: answered, with something not to be kept
  status     integer,
  headers    jsonb,
  answer     jsonb,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint idempotency_key primary key (tenant_id, caller, method, path, key)
);
create index idempotency_expiry on idempotency (expires_at);

-- The one way from an address that anybody may type to a company. It holds nothing else, so it needs no tenant to be read.
create table public_refs (
  kind       text not null check (kind in ('cabinet-number', 'shop', 'policy', 'pairing', 'hook')),
  ref        text not null,
  tenant_id  uuid not null,
  target_id  uuid not null,
  created_at timestamptz(3) not null,
  primary key (kind, ref)
);
create index public_refs_target on public_refs (tenant_id, kind, target_id);

create table rate_limits (
  bucket     text not null,                     -- what is counted, e.g. `code:{cabinet}:{address}`; the server hashes addresses
  started_at timestamptz(3) not null,           -- beginning of the window
  expires_at timestamptz(3) not null,
  count      integer not null check (count >= 0),
  primary key (bucket, started_at)
);
create index rate_limits_expiry on rate_limits (expires_at);

call guard_tenant('invitations');
call guard_tenant('groups');
call guard_tenant('group_members');
call guard_tenant('permissions');
call guard_tenant('api_keys');
call guard_tenant('events');

-- History is written once: only what retention must erase may be changed.
revoke update on events from hatchway_app;
grant update (actor_id, actor_name, data) on events to hatchway_app;

call guard_tenant('memberships');
create policy own_account on memberships for select using (account_id = current_account());

call guard_tenant('outbox');
create policy relay on outbox using (is_relay());
call guard_tenant('idempotency');
create policy relay on idempotency for delete using (is_relay());
create policy relay_reads on idempotency for select using (is_relay());

alter table companies enable row level security;
alter table companies force row level security;
create policy tenant_reads on companies for select using (id = current_tenant());
create policy tenant_changes on companies for update using (id = current_tenant()) with check (id = current_tenant());
create policy members_read on companies for select using (
  id in (select m.tenant_id from memberships m where m.account_id = current_account()));
create policy operator on companies using (is_operator()) with check (is_operator());

alter table accounts enable row level security;
alter table accounts force row level security;
create policy own_account on accounts using (id = current_account()) with check (id = current_account());
create policy colleagues_read on accounts for select using (
  id in (select m.account_id from memberships m where m.tenant_id = current_tenant()));

alter table account_identities enable row level security;
alter table account_identities force row level security;
create policy own_account on account_identities using (account_id = current_account()) with check (account_id = current_account());

alter table public_refs enable row level security;
alter table public_refs force row level security;
create policy anybody_reads on public_refs for select using (true);
create policy tenant_adds on public_refs for insert with check (tenant_id = current_tenant());
create policy tenant_changes on public_refs for update using (tenant_id = current_tenant()) with check (tenant_id = current_tenant());
create policy tenant_removes on public_refs for delete using (tenant_id = current_tenant());

-- Signing in begins with an e-mail address, a number or an outside identity, before anybody is known: these tell the id and no more.
-- Their owner is neither table owner (whom FORCE binds) nor able to pass by row-level security: it reads through policies of its own.
create policy definer_reads on accounts for select to hatchway_definer using (true);
create policy definer_reads on account_identities for select to hatchway_definer using (true);
grant select on accounts, account_identities to hatchway_definer;

create function find_account(login text) returns uuid language sql stable security definer set search_path = '' as $$
  select id from public.accounts where pg_catalog.lower(email) = pg_catalog.lower(login)
  union all
  select id from public.accounts where tlf = login
  limit 1
$$;
create function find_account_by_identity(identity_issuer text, identity_subject text) returns uuid
language sql stable security definer set search_path = '' as $$
  select account_id from public.account_identities where issuer = identity_issuer and subject = identity_subject
$$;
alter function find_account(text) owner to hatchway_definer;
alter function find_account_by_identity(text, text) owner to hatchway_definer;
grant execute on function find_account(text), find_account_by_identity(text, text) to hatchway_app;
