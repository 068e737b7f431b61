-- Who came by a link and was sent to the next door set that one aside in their own name, and it stood there after retention too.
alter table occupations no force row level security;
update occupations set
  created_by = case when created_by->>'kind' = 'person' and created_by->>'id' is null then jsonb_set(created_by, '{name}', '""') else created_by end,
  opened_by = case when opened_by->>'kind' = 'person' and opened_by->>'id' is null then jsonb_set(opened_by, '{name}', '""') else opened_by end
where stage = 99
  and ((created_by->>'kind' = 'person' and created_by->>'id' is null) or (opened_by->>'kind' = 'person' and opened_by->>'id' is null));
alter table occupations force row level security;
