-- The public shop of a company: its name in the address (public_refs, of all companies), whether it is open, and when.
create table shops (
  tenant_id  uuid not null,
  id         uuid not null,
  open       boolean not null default false,
  hours      jsonb not null default '[]',       -- [{day 1..7, from, to}] on the company's clock; none: at any time
  version    integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint shops_one unique (tenant_id)
);
call guard_tenant('shops');

-- Of a purchase: its buyer's number with the code that they were given, as whoever lost the page types them.
alter table payments add column find_hash bytea;
create index payments_find on payments (tenant_id, find_hash) where find_hash is not null;
