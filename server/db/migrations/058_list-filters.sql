-- What a list is narrowed by, in the order of its pages: where few rows fit, as of one door or somebody's events, each page read all rows
-- of the company to find them.
create index occupations_by_stage on occupations (tenant_id, stage, created_at desc, id desc);
create index occupations_by_service on occupations (tenant_id, service, created_at desc, id desc);
create index occupations_by_door on occupations (tenant_id, door_tag, created_at desc, id desc);
create index occupations_overdue on occupations (tenant_id, created_at desc, id desc) where overdue;
create index events_by_actor_id on events (tenant_id, actor_id, at desc, id desc) where actor_id is not null;
create index events_by_door on events (tenant_id, door_tag, at desc, id desc) where door_tag is not null;
