-- What is scanned leads to one thing however it was written (domain/identifier.ts has the same form): without case, dashes and blanks, a
-- number of 12 to 14 digits as GTIN-14, and all names for a barcode's number as one kind.
create function identifier_class(kind text) returns text language sql immutable parallel safe
  return (select case when bare in ('barcode', 'ean', 'ean13', 'jan', 'upc', 'upca', 'upc12', 'gtin', 'gtin12', 'gtin13', 'gtin14', 'strekkode')
    then 'barcode' else bare end from regexp_replace(lower(normalize(kind, NFKC)), '[-_‐‑–—−[:space:]]', '', 'g') as bare);
create function identifier_form(value text) returns text language sql immutable parallel safe
  return (select case when bare = '' then value when bare ~ '^[0-9]{12,14}$' then lpad(bare, 14, '0') else bare end
    from regexp_replace(lower(normalize(value, NFKC)), '[-‐‑–—−[:space:]]', '', 'g') as bare);
grant execute on function identifier_class(text), identifier_form(text) to hatchway_app;

alter table asset_identifiers add column class text not null generated always as (identifier_class(kind)) stored;
alter table asset_identifiers add column form text not null generated always as (identifier_form(value)) stored;
alter table asset_identifiers rename constraint asset_identifiers_one to asset_identifiers_pkey;

-- Where two assets carry one of them already, the older has it: a scan leads there. Both keep what is written on them (assets.identifiers).
alter table asset_identifiers no force row level security;
alter table assets no force row level security;
delete from asset_identifiers i using (
  select o.ctid, row_number() over (partition by o.tenant_id, o.class, o.form order by a.created_at, a.id, o.kind, o.value) as place
  from asset_identifiers o join assets a on a.tenant_id = o.tenant_id and a.id = o.asset_id) as d
where i.ctid = d.ctid and d.place > 1;
alter table assets force row level security;
alter table asset_identifiers force row level security;

alter table asset_identifiers add constraint asset_identifiers_one unique (tenant_id, class, form);
drop index asset_identifiers_value;
create index asset_identifiers_form on asset_identifiers (tenant_id, form);
