-- The secret that a company's directory calls SCIM with: one, of which its hash alone is kept.
create table scim_bearers (
  tenant_id    uuid not null,
  id           uuid not null,
  prefix       text not null,                   -- what the page shows of it
  secret_hash  bytea not null,
  created_by   uuid not null,                   -- whose right it ends with
  last_used_at timestamptz(3),
  ended_at     timestamptz(3),
  ended_why    text check (ended_why in ('withdrawn', 'maker')),
  version      integer not null default 1,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint scim_bearers_one unique (tenant_id)
);
call guard_tenant('scim_bearers');
