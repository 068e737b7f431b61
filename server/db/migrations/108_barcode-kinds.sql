-- More names for a barcode's number are one kind, and one of 8 digits is GTIN-14 too (domain/identifier.ts has the same).
alter table asset_identifiers drop constraint asset_identifiers_one;
drop index asset_identifiers_form;
alter table asset_identifiers drop column class;
alter table asset_identifiers drop column form;

create or replace function identifier_class(kind text) returns text language sql immutable parallel safe
  return (select case when bare ~ '^((barcode|strekkode|streckkod|stregkode)(s|n|nr|nummer|number)?|(ean|jan|gtin|upc)(8|12|13|14|a|e)?(nr|nummer|number)?|ean/?upc|upc/?ean|itf14|isbn(13)?)$'
    then 'barcode' else bare end from regexp_replace(lower(normalize(kind, NFKC)), '[-_‐‑–—−[:space:]]', '', 'g') as bare);
create or replace function identifier_form(value text) returns text language sql immutable parallel safe
  return (select case when bare = '' then value when bare ~ '^([0-9]{8}|[0-9]{12,14})$' then lpad(bare, 14, '0') else bare end
    from regexp_replace(lower(normalize(value, NFKC)), '[-‐‑–—−[:space:]]', '', 'g') as bare);

alter table asset_identifiers add column class text not null generated always as (identifier_class(kind)) stored;
alter table asset_identifiers add column form text not null generated always as (identifier_form(value)) stored;

-- Where two assets carry one of them already, the older has it, as in 075.
alter table asset_identifiers no force row level security;
alter table assets no force row level security;
delete from asset_identifiers i using (
  select o.ctid, row_number() over (partition by o.tenant_id, o.class, o.form order by a.created_at, a.id, o.kind, o.value) as place
  from asset_identifiers o join assets a on a.tenant_id = o.tenant_id and a.id = o.asset_id) as d
where i.ctid = d.ctid and d.place > 1;
alter table assets force row level security;
alter table asset_identifiers force row level security;

alter table asset_identifiers add constraint asset_identifiers_one unique (tenant_id, class, form);
create index asset_identifiers_form on asset_identifiers (tenant_id, form);
