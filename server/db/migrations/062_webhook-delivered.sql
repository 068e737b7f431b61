-- When something last arrived at a webhook's address. Its log tells too, but only of the last 30 days.
alter table webhooks add column delivered_at timestamptz(3);
alter table webhooks no force row level security;
alter table webhook_deliveries no force row level security;
update webhooks w set delivered_at = (
  select max(d.attempted_at) from webhook_deliveries d
  where d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.state = 'delivered'
);
alter table webhooks force row level security;
alter table webhook_deliveries force row level security;
