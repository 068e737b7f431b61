-- What is no stock is one thing, and paid for once. Whether a payment is for such a one is not its row's to know otherwise. Payments from
-- before are not held to it: two may stand reserved for one thing, and only a person can say which of them goes back.
alter table payments add column sole boolean not null default false;
create unique index payments_paid_once on payments (tenant_id, occupation_id) where sole and state = 'reserved';
