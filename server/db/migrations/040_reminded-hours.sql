-- Reminders that were sent were kept by their place in the policy's list, which says another one as soon as the list is changed. Kept is
-- now the hours around the deadline of the latest, as the list writes them (domain/policy.ts). Of those sent before, that is read off the
-- message; where none was written (nobody to tell), all whose time has come count as sent.
alter table occupations no force row level security;
alter table loans no force row level security;
alter table messages no force row level security;
alter table occupations add column reminded_hours integer;
alter table loans add column reminded_hours integer;
update occupations o set reminded_hours = floor(extract(epoch from coalesce(
    (select max(m.created_at) from messages m where m.tenant_id = o.tenant_id and m.occupation_id = o.id and m.kind = 'reminder'), now()
  ) - o.pickup_by) / 3600)
  where o.reminded <> '[]' and o.stage < 98;
update loans n set reminded_hours = floor(extract(epoch from coalesce(
    (select max(m.created_at) from messages m where m.tenant_id = n.tenant_id and m.occupation_id = n.occupation_id and m.kind = 'reminder'),
    now()
  ) - n.due_at) / 3600)
  where n.reminded <> '[]' and n.returned_at is null;
alter table occupations drop column reminded;
alter table loans drop column reminded;
alter table occupations force row level security;
alter table loans force row level security;
alter table messages force row level security;
