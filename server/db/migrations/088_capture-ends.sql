-- Its provider gives the reservation back in a few days, and staff were told: once for each.
alter table payments add column nears_end boolean not null default false;
