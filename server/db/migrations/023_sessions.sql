-- What a node that lags must not bring back: sessions of the controller that are over, and alarms that were told. The latest of each.
alter table cabinets add column past_sessions text[] not null default '{}';
alter table cabinets add column heard_events text[] not null default '{}'; -- session/seq
