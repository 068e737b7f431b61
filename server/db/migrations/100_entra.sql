-- The directory that a verified sign-in of its administrator showed: of one company and no other. Null: nobody showed one yet.
alter table integrations add column directory_tid uuid;
alter table integrations add constraint integrations_directory_tid unique (directory_tid);
-- Of an approval that is under way: who began it, for which directory, and what a sign-in is held against.
alter table integrations add column grant_sealed bytea;
-- Where the next round of changes begins; null: with everybody.
alter table integrations add column users_link text;
alter table integrations add column groups_link text;
-- Whoever reads them has until then; another one waits.
alter table integrations add column busy_until timestamptz(3);

-- Sign-in begins with what the directory says of a person, or with what somebody typed, before any company is known.
create index directory_people_names on directory_people (lower(user_name)) where source = 'entra' and gone_at is null and active;
create index directory_people_accounts on directory_people (account_id) where account_id is not null;
create policy definer_reads on integrations for select to hatchway_definer using (directory_tid is not null);
create policy definer_reads on directory_people for select to hatchway_definer using (source = 'entra');
grant select on integrations, directory_people to hatchway_definer;

-- Which company a directory is of, and who its person is here.
create function find_in_directory(directory uuid, person text) returns table (tenant_id uuid, account_id uuid, active boolean)
language sql stable security definer set search_path = '' as $$
  select i.tenant_id, p.account_id, p.active and p.gone_at is null
  from public.integrations i
  left join public.directory_people p on p.tenant_id = i.tenant_id and p.source = 'entra' and p.ref = person
  where i.directory_tid = directory
$$;
-- Where whoever signs in by that name belongs: the account's own directory; of a name that no account has, the one whose person has that very
-- user name. Entra gives user names of verified domains alone; an address proves nothing, since any can be written there, and a guest's is not
-- the directory's.
create function find_directory_of(login text) returns table (directory uuid, tenant_id uuid, account_id uuid)
language sql stable security definer set search_path = '' as $$
  with known as (select public.find_account(login) as id)
  (select i.directory_tid, i.tenant_id, p.account_id
   from known k
   join public.directory_people p on p.account_id = k.id and p.source = 'entra' and p.active and p.gone_at is null
   join public.integrations i on i.tenant_id = p.tenant_id and i.directory_tid is not null
   limit 1)
  union all
  (select i.directory_tid, i.tenant_id, null
   from known k
   join public.directory_people p on pg_catalog.lower(p.user_name) = pg_catalog.lower(login)
     and p.source = 'entra' and p.active and p.gone_at is null and p.user_name not ilike '%#ext#%'
   join public.integrations i on i.tenant_id = p.tenant_id and i.directory_tid is not null
   where k.id is null
   limit 1)
  limit 1
$$;
alter function find_in_directory(uuid, text) owner to hatchway_definer;
alter function find_directory_of(text) owner to hatchway_definer;
grant execute on function find_in_directory(uuid, text), find_directory_of(text) to hatchway_app;

-- A sign-in by a company's directory leads into that company and no other.
alter table identity_sessions add column by_directory boolean not null default false;
