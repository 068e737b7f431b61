-- When we heard that the door moved, no more what its controller's clock said: what happened in a claim is told by it.
create index commands_seen on commands (tenant_id, locker_id, seen_at desc) where seen_at is not null;
-- A cabinet that is deleted takes its commands along.
create index commands_of_cabinet on commands (tenant_id, cabinet_id);
