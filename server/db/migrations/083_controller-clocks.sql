-- By how many minutes a controller's clock is behind ours, as staff are told; below 0 it is ahead, 0 where it is right enough.
alter table cabinets add column clock_behind integer not null default 0;
