-- What a payment's provider is asked for: a row before it is sent, so that no answer that is lost loses what was asked.
create table payment_operations (
  tenant_id  uuid not null,
  id         uuid not null,                     -- its idempotency key too
  payment_id uuid not null,
  kind       text not null check (kind in ('create', 'capture', 'cancel', 'refund')),
  amount     bigint not null check (amount > 0),
  state      text not null default 'wanted' check (state in ('wanted', 'sent', 'unknown', 'done', 'refused')),
  attempts   integer not null default 0,
  error      text,
  unless_reserved boolean not null default false,  -- of a cancel: only where its payer has not approved it
  heard      boolean not null default false,       -- done, and the payment was heard of since: its sums count it
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint payment_operations_payment foreign key (tenant_id, payment_id) references payments (tenant_id, id) on delete cascade
);
create index payment_operations_of_payment on payment_operations (tenant_id, payment_id, id);
call guard_tenant('payment_operations');

alter table payments drop column wanted;
-- When its provider is next asked how it stands; null: never, or by no clock.
alter table payments add column look_at timestamptz(3);
-- When its provider was asked what was heard last: an answer that was asked for before says nothing any more.
alter table payments add column heard_at timestamptz(3);
-- Its goods went out on it.
alter table payments add column taken_at timestamptz(3);
-- A person has to see to it: `last_error` says why.
alter table payments add column refused boolean not null default false;
-- Sent to the payer's phone, instead of leading them to the provider's page.
alter table payments add column pushed boolean not null default false;
-- Of a purchase in the shop: what its buyer opens with.
alter table payments add column key_hash bytea;
alter table payments add column key_sealed bytea;
create unique index payments_key on payments (tenant_id, key_hash) where key_hash is not null;
create index payments_looks on payments (tenant_id, look_at) where look_at is not null;

-- The webhook that we registered there, and when something signed last came by it.
alter table integrations add column webhook_id text;
alter table integrations add column heard_at timestamptz(3);

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
