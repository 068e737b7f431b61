-- Taken out to be put into another locker: its receiver is told where it lies once it does, and not before.
alter table commands add column take_out_moves boolean not null default false;
