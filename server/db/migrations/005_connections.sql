-- What a company connects: payment, shop, directory and tool; its webhooks; and its files.

create table integrations (
  tenant_id      uuid not null,
  id             uuid not null,
  type           text not null check (type in ('payment', 'shop', 'directory', 'tool')),
  kind           text not null check (kind in ('vipps', 'woo', 'entra', 'tcm', 'snipeit')),
  settings       jsonb not null default '{}',
  secrets_sealed bytea,                         -- write-only
  state          text not null default 'unverified' check (state in ('unverified', 'active', 'failing', 'disabled')),
  last_sync_at   timestamptz(3),
  last_error     text,
  version        integer not null default 1,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint integrations_kind unique (tenant_id, kind)
);

create table webhooks (
  tenant_id     uuid not null,
  id            uuid not null,
  url           text not null,
  events        text[] not null default '{}',
  active        boolean not null default true,
  secret_sealed bytea not null,
  failing_since timestamptz(3),
  version       integer not null default 1,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (tenant_id, id)
);

create table webhook_deliveries (
  tenant_id   uuid not null,
  id          uuid not null,                    -- the webhook-id header: the same at every attempt
  webhook_id  uuid not null,
  event_type  text not null,
  payload     jsonb not null,
  state       text not null check (state in ('queued', 'delivered', 'failed')),
  attempts    integer not null default 0,
  status      integer,
  error       text,
  next_at     timestamptz(3),
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint webhook_deliveries_webhook foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id) on delete cascade
);
create index webhook_deliveries_paging on webhook_deliveries (tenant_id, webhook_id, created_at desc, id desc);

-- Images, where they are kept in the database: one row for each width that is served.
create table files (
  tenant_id  uuid not null,
  id         uuid not null,
  width      integer not null,
  mime       text not null,
  etag       text not null,
  bytes      bytea not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id, width)
);

call guard_tenant('integrations');
call guard_tenant('webhooks');
call guard_tenant('webhook_deliveries');
call guard_tenant('files');
