-- What the asset tool is to be told of a thing of its own: a row before it is sent, so that no answer that is lost loses what was done here.
create table tool_operations (
  tenant_id      uuid not null,
  id             uuid not null,                 -- the key under which the tool carries it out once
  integration_id uuid not null,
  asset_id       uuid not null,
  occupation_id  uuid not null,
  kind           text not null check (kind in ('check-out', 'check-in')),
  request_ref    text,
  person         jsonb,                         -- who gets it, {name, tlf, email}; gone once the thing is back, or with the use's personal data
  until          timestamptz(3),
  note           text not null,
  state          text not null default 'wanted' check (state in ('wanted', 'sent', 'unknown', 'done', 'refused')),
  attempts       integer not null default 0,
  error          text,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint tool_operations_integration foreign key (tenant_id, integration_id) references integrations (tenant_id, id) on delete cascade,
  constraint tool_operations_asset foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
);
create index tool_operations_of_asset on tool_operations (tenant_id, asset_id, id desc);
create index tool_operations_of_occupation on tool_operations (tenant_id, occupation_id, id desc);
create index tool_operations_open on tool_operations (tenant_id, updated_at) where state in ('wanted', 'sent', 'unknown');
call guard_tenant('tool_operations');
