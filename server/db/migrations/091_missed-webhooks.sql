-- What happens while a webhook is switched off by itself is kept, and told in order once it is on again; each event has a number by which
-- it is put in order and a loss is seen.

alter table webhooks
  add column sequence bigint not null default 0,  -- the last number that was given, or lost
  add column lost integer not null default 0;     -- missed and kept no longer, since it was switched off

alter table webhook_deliveries
  add column sequence bigint,                     -- null: not yet tried, or a test
  drop constraint webhook_deliveries_state_check,
  add constraint webhook_deliveries_state_check check (state in ('queued', 'delivered', 'failed', 'missed'));
create index webhook_deliveries_missed on webhook_deliveries (tenant_id, webhook_id, created_at, id) where state = 'missed';
create index webhook_deliveries_under_way on webhook_deliveries (tenant_id, webhook_id) where state = 'queued' and sequence is not null;
