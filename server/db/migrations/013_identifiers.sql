-- Of one kind, an identifier names one asset of a company: what is scanned leads to one thing. The asset's own column keeps them as they
-- were written, in their order; this table is what the rule stands on, and what a scan is looked up in.

create table asset_identifiers (
  tenant_id uuid not null,
  kind      text not null,                     -- in lower case
  value     text not null,
  asset_id  uuid not null,
  constraint asset_identifiers_one primary key (tenant_id, kind, value),
  constraint asset_identifiers_asset foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
);
create index asset_identifiers_value on asset_identifiers (tenant_id, value);
create index asset_identifiers_of_asset on asset_identifiers (tenant_id, asset_id);

-- Where two assets carry the same one already, the older has it.
alter table assets no force row level security;
insert into asset_identifiers (tenant_id, kind, value, asset_id)
  select distinct on (a.tenant_id, lower(i->>'kind'), i->>'value') a.tenant_id, lower(i->>'kind'), i->>'value', a.id
  from assets a, jsonb_array_elements(a.identifiers) as i
  where i->>'kind' is not null and i->>'value' is not null
  order by a.tenant_id, lower(i->>'kind'), i->>'value', a.created_at, a.id;
alter table assets force row level security;
call guard_tenant('asset_identifiers');

-- Who had an asset, newest first.
create index loans_of_asset on loans (tenant_id, asset_id, created_at desc, id desc) where asset_id is not null;
