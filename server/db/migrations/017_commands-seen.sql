-- When a door was sensed to move by a command: once, whatever was asked of it since.
alter table commands add column seen_at timestamptz(3);
