-- The tellings that were sent once more, whose age is that of what they tell: few, and looked for each minute.
create index webhook_deliveries_replayed on webhook_deliveries (tenant_id) where replay_of is not null;
-- Row-level security lets no query use it: neither @> nor && is leakproof. It was paid for at each write.
drop index if exists access_links_lockers;
