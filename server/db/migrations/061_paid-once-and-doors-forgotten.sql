-- What is no stock is one thing, and paid for once. Whether a payment is for such a one is not its row's to know otherwise. Payments from
-- before are not held to it: two may stand reserved for one thing, and only a person can say which of them goes back.
alter table payments add column sole boolean not null default false;
create unique index payments_paid_once on payments (tenant_id, occupation_id) where sole and state = 'reserved';

-- What was done at a door by itself, with nothing in it: the same is forgotten of that as of a use (033). A cabinet's own events say by a
-- word of ours why it went away.
create index events_of_doors on events (tenant_id, at)
  where occupation_type is null and type not in ('locker_online', 'locker_offline', 'locker_alarm')
    and (data ?| array['reason', 'note', 'condition', 'receiver'] or (actor_kind = 'person' and actor_id is null and actor_name is not null));
create index commands_with_words on commands (tenant_id, issued_at) where reason is not null;
