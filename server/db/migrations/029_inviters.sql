-- Who invited, so that an invitation ends with the right of whoever sent it: a person and a key by id, the operator by neither.
alter table invitations add column invited_by_kind text;
alter table invitations no force row level security;
update invitations set invited_by_kind =
  case when invited_by is not null then 'person' when invited_by_name = 'Operator' then 'system' else 'key' end;
alter table invitations force row level security;
alter table invitations
  alter column invited_by_kind set not null,
  add constraint invitations_inviter check (invited_by_kind in ('person', 'key', 'system'));
