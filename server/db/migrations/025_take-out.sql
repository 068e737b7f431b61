-- The door is opened for staff who take out what lies inside: the taking is written down once it has opened.
alter table commands add column takes_out boolean not null default false;
