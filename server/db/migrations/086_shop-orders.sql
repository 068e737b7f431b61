-- Orders of the connected shop, as it told them; `modified_at` is the shop's own word, and the newest one holds.
create table shop_orders (
  tenant_id      uuid not null,
  id             uuid not null,
  integration_id uuid not null,
  ref            text not null,                 -- its id in the shop
  number         text not null,                 -- what its customer sees
  status         text not null,                 -- the shop's own word
  name           text not null default '',
  tlf            text,                          -- E.164
  email          text,
  lines          jsonb not null default '[]',   -- [{name, quantity}]
  ordered_at     timestamptz(3) not null,
  modified_at    timestamptz(3) not null,
  words          tsvector not null generated always as (words_of(tenant_id,
    number || ' ' || name || ' ' || coalesce(tlf, '') || ' ' || coalesce(email, ''))) stored,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint shop_orders_ref unique (tenant_id, integration_id, ref),
  constraint shop_orders_integration foreign key (tenant_id, integration_id) references integrations (tenant_id, id) on delete cascade
);
create index shop_orders_words on shop_orders using gin (words);
create index shop_orders_paging on shop_orders (tenant_id, ordered_at desc, id desc);
create index shop_orders_number on shop_orders (tenant_id, number);
call guard_tenant('shop_orders');

-- What a shop's owner was asked to approve, once and for a short while.
alter table integrations add column grant_hash bytea;
alter table integrations add column grant_until timestamptz(3);
-- The time of change up to which the shop's orders are known, and when it is asked again.
alter table integrations add column synced_until timestamptz(3);
alter table integrations add column look_at timestamptz(3);
