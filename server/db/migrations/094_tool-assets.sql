-- What the connected asset tool has, as it told last. Its assets stand among ours, with the source tcm, and are changed in the tool alone.
create table tool_assets (
  tenant_id      uuid not null,
  asset_id       uuid not null,
  integration_id uuid not null,
  ref            text not null,                 -- its id in the tool
  state          text not null check (state in ('available', 'out', 'not-lendable')),
  condition      text,                          -- the tool's own word
  holder         text,                          -- who has it, by the tool
  until          text,                          -- a moment, or a day where the tool knows no time of day
  url            text,                          -- its page in the tool
  modified_at    timestamptz(3),                -- by the tool's clock
  state_at       timestamptz(3) not null,       -- when we heard of this state first
  seen_at        timestamptz(3) not null,       -- when it was told last
  gone_at        timestamptz(3),                -- not in the last whole listing
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (tenant_id, asset_id),
  constraint tool_assets_ref unique (tenant_id, integration_id, ref),
  constraint tool_assets_asset foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade,
  constraint tool_assets_integration foreign key (tenant_id, integration_id) references integrations (tenant_id, id) on delete cascade
);
call guard_tenant('tool_assets');

-- Who asked the tool for what, and until when.
create table asset_requests (
  tenant_id      uuid not null,
  id             uuid not null,
  integration_id uuid not null,
  ref            text not null,                 -- its number in the tool
  what           text not null,
  asset_ref      text,                          -- the tool's id of the asset, where one was asked for
  name           text not null,
  tlf            text,                          -- E.164
  email          text,
  until          text,
  state          text not null check (state in ('open', 'handed-out', 'closed')),
  modified_at    timestamptz(3) not null,
  seen_at        timestamptz(3) not null,
  words          tsvector not null generated always as (words_of(tenant_id,
    ref || ' ' || what || ' ' || name || ' ' || coalesce(tlf, '') || ' ' || coalesce(email, ''))) stored,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint asset_requests_ref unique (tenant_id, integration_id, ref),
  constraint asset_requests_integration foreign key (tenant_id, integration_id) references integrations (tenant_id, id) on delete cascade
);
create index asset_requests_words on asset_requests using gin (words);
create index asset_requests_paging on asset_requests (tenant_id, created_at desc, id desc) where state = 'open';
call guard_tenant('asset_requests');

-- Two tools may number alike: what a number is unique in is the tool, and for ours the company.
alter table assets drop constraint assets_external;
create unique index assets_external on assets (tenant_id, external_id) where source = 'local';

-- Up to which change its requests are known, when the last whole listing was done, and where one that was put aside goes on.
alter table integrations add column requests_until timestamptz(3);
alter table integrations add column whole_at timestamptz(3);
alter table integrations add column listing jsonb;
