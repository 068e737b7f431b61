-- When the sweep last had a look at what waits behind a shut door: what looking does not help is not looked at each minute.
alter table occupations add column looked_at timestamptz;
