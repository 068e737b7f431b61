-- Whether its person has shown that they read the address: by a link that was mailed there. A directory's word shows nothing, and an
-- invitation's SMS shows the number alone. Of an account that may have left its directory by an SMS, nobody knows it.
alter table accounts add column email_proved boolean not null default true;
alter table accounts no force row level security;
alter table directory_people no force row level security;
alter table invitations no force row level security;
update accounts a set email_proved = false
  where a.managed_by is not null
    or (exists (select from directory_people p where p.account_id = a.id)
      and exists (select from invitations i where i.accepted_by = a.id and i.tlf is not null));
alter table accounts force row level security;
alter table directory_people force row level security;
alter table invitations force row level security;
