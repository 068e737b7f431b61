-- Whose right to be here ended, for as long as a token from before could live: a node that starts, or that missed messages, reads it here.
create table identity_revocations (
  id bigint generated always as identity primary key,
  event jsonb not null,
  at timestamptz(3) not null
);
create index identity_revocations_at on identity_revocations (at);
alter table identity_revocations enable row level security;
alter table identity_revocations force row level security;
create policy provider on identity_revocations using (current_setting('app.identity', true) = 'on')
  with check (current_setting('app.identity', true) = 'on');
