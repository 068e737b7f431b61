-- Where another identity provider signs people in: what it was told of each person, and whose rights it must be told anew. A change of
-- membership, permission, group or company raises `asked` in the transaction that takes its outbox row; whoever tells the provider sets `done`
-- to the `asked` that they saw.
create table identity_people (
  account_id uuid primary key references accounts (id) on delete cascade,
  subject text unique,                          -- the provider's own id of them
  chosen_id uuid,                               -- the company that they chose
  told_id uuid,                                 -- the company that their tokens are for
  told text,                                    -- all that the provider was told
  told_at timestamptz(3),
  asked bigint not null default 0,
  done bigint not null default 0,
  log_out boolean not null default false,       -- their sign-ins there are to be ended
  password text,                                -- chosen and not carried over yet; sealed
  waiting_since timestamptz(3),
  tries integer not null default 0,
  next_at timestamptz(3),
  busy_until timestamptz(3),                    -- somebody tells it just now
  last_error text
);
create index identity_people_waiting on identity_people (waiting_since) where asked > done;
create index identity_people_told on identity_people (told_id) where told_id is not null;
call guard_identity('identity_people');
