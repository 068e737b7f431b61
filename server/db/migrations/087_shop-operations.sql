-- What is written back to a shop's order: a row before it is sent, so that no answer that is lost loses what was said.
create table shop_operations (
  tenant_id     uuid not null,
  id            uuid not null,                  -- its end stands in the note, by which a lost one is found
  order_id      uuid not null,
  occupation_id uuid not null,
  kind          text not null check (kind in ('note', 'complete')),
  note          text,
  state         text not null default 'wanted' check (state in ('wanted', 'sent', 'unknown', 'done', 'refused')),
  attempts      integer not null default 0,
  error         text,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint shop_operations_order foreign key (tenant_id, order_id) references shop_orders (tenant_id, id) on delete cascade
);
create index shop_operations_of_order on shop_operations (tenant_id, order_id, id);
create index shop_operations_open on shop_operations (tenant_id, updated_at) where state in ('wanted', 'sent', 'unknown');
call guard_tenant('shop_operations');
