-- Assets by name, a page at a time. lower() is not leakproof, so under row-level security the place where a page begins could not be
-- looked up in an index over it: each page read all that stood before it. A column can be compared.
alter table assets add column sort_name text not null generated always as (lower(name)) stored;
drop index assets_by_name;
create index assets_by_name on assets (tenant_id, sort_name, id);
