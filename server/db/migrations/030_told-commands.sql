-- A door that its controller said it moved, and that no sensor saw: when that was told in the history, so that it is told once.
alter table commands add column told_at timestamptz(3);
