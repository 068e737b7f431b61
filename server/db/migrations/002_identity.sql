-- The embedded identity provider. An account belongs to no company, so nothing here carries a tenant; the tables are
-- small, are read by the provider alone, and become reference tables where the rest is sharded.
-- Every table is closed unless the provider says so for its transaction (set local app.identity = 'on'): a query that
-- forgets where it runs finds nothing here.

create table identity_keys (
  id text primary key,
  kind text not null check (kind in ('signing', 'cookie')),
  secret text not null,
  created_at timestamptz(3) not null
);

-- What oidc-provider keeps: sessions, grants, codes, refresh tokens, interactions. Ids that are secrets are stored hashed.
create table identity_store (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  uid text,
  account_id uuid,
  expires_at timestamptz(3),
  primary key (model, id)
);
create index identity_store_grant on identity_store (grant_id) where grant_id is not null;
create index identity_store_uid on identity_store (model, uid) where uid is not null;
create index identity_store_account on identity_store (account_id) where account_id is not null;
create index identity_store_expiry on identity_store (expires_at);

-- One sign-in of one person in one browser, and the company it is for.
create table identity_sessions (
  session_uid text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  tenant_id uuid,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index identity_sessions_account on identity_sessions (account_id);
create index identity_sessions_expiry on identity_sessions (expires_at);

-- weak: breaks the rules for passwords and works in a sandbox only.
create table identity_passwords (
  account_id uuid primary key references accounts (id) on delete cascade,
  hash text not null,
  weak boolean not null,
  changed_at timestamptz(3) not null
);

create table identity_second_factors (
  account_id uuid primary key references accounts (id) on delete cascade,
  secret text not null,
  confirmed_at timestamptz(3),
  last_step bigint,
  created_at timestamptz(3) not null
);

create table identity_recovery_codes (
  account_id uuid not null references accounts (id) on delete cascade,
  hash text not null,
  used_at timestamptz(3),
  primary key (account_id, hash)
);

-- Links sent by mail; only the hash of the secret is kept.
create table identity_links (
  hash text primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  purpose text not null check (purpose in ('password')),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index identity_links_account on identity_links (account_id);

create procedure guard_identity(guarded regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', guarded);
  execute format('alter table %s force row level security', guarded);
  execute format('create policy provider on %s using (current_setting(''app.identity'', true) = ''on'')'
    ' with check (current_setting(''app.identity'', true) = ''on'')', guarded);
end $$;
call guard_identity('identity_keys');
call guard_identity('identity_store');
call guard_identity('identity_sessions');
call guard_identity('identity_passwords');
call guard_identity('identity_second_factors');
call guard_identity('identity_recovery_codes');
call guard_identity('identity_links');
