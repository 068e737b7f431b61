-- What somebody reports by a link is an event of its own now: whoever asked to hear of it as of an unknown locker hears of it still.
alter table webhooks no force row level security;
update webhooks set events = array_append(events, 'locker_reported')
  where 'locker_unknown' = any(events) and not 'locker_reported' = any(events);
alter table webhooks force row level security;
