-- Taken out by staff, who opened its door for that: under way until that door has closed, or somebody says what became of it.
alter table commands
  add column take_out_ends boolean not null default false,
  add column take_out_over_at timestamptz(3);
create index commands_taking_out on commands (tenant_id, occupation_id) where takes_out and outcome = 'opened' and take_out_over_at is null;
