-- Orders that a shop posts by an API key belong to no integration. Shop and number are one there, so that two shops' never mix:
-- `ref` and `number` are both {shop}:{number}.
alter table shop_orders alter column integration_id drop not null;
alter table shop_orders add column shop text;                -- who posted it; null: it is of the connected one
create unique index shop_orders_posted on shop_orders (tenant_id, ref) where integration_id is null;
