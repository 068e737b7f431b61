-- Which incident the openings of a door belong to, by our clock, and how many there were in it without a rest: a contact that bounces is one.
alter table lockers
  add column incident_at timestamptz(3),
  add column openings integer not null default 0,
  drop constraint lockers_alert_check,
  add constraint lockers_alert_check check (alert in ('forced', 'left-open', 'tamper', 'jam', 'contact'));
