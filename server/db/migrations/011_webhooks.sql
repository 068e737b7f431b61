-- A webhook's log: which event, how long the other side took, what was sent again; and the word with which a webhook was switched off.

alter table webhooks add column disabled_reason text check (disabled_reason in ('gone', 'failing'));

alter table webhook_deliveries
  add column event_id uuid,                     -- null for a test; the payload is written at the first attempt
  add column replay_of uuid,
  add column duration_ms integer check (duration_ms >= 0),
  add column attempted_at timestamptz(3);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, next_at) where state = 'queued';
create index webhook_deliveries_by_age on webhook_deliveries (tenant_id, created_at);
