-- What a directory (SCIM, or Entra ID) said of people and groups, as it said it last. What became of it here stands beside it.

create table directory_people (
  tenant_id    uuid not null,
  id           uuid not null,
  source       text not null check (source in ('scim', 'entra')),
  ref          text not null check (ref <> ''),  -- its id there; of SCIM, which has its ids from us, ours
  external_id  text,                             -- of SCIM: the client's own id
  user_name    text not null,
  display_name text not null default '',
  given_name   text,
  family_name  text,
  email        text,                             -- in its normal form
  tlf          text,                             -- E.164
  active       boolean not null default true,
  resource     jsonb not null default '{}',      -- of SCIM: all that was said, as it was said
  account_id   uuid,                             -- who they are here
  joined       boolean not null default false,   -- they are a member by the directory's word alone
  by_hand      jsonb,                            -- what people had given them as their access ended: {roles, groups}
  gone_at      timestamptz(3),                   -- the directory knows them no more; kept until their access has ended
  released     boolean not null default false,   -- gone since the company let go of the directory
  problem      text,                             -- why it was not done as the directory says
  left_out     text[] not null default '{}',     -- of their account: what somebody else has already
  due          boolean not null default true,    -- to be looked at: what they hold here may not be what they should
  version      integer not null default 1,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint directory_people_ref unique (tenant_id, source, ref),
  constraint directory_people_account unique (tenant_id, account_id)
);
create unique index directory_people_user_name on directory_people (tenant_id, source, lower(user_name)) where source = 'scim' and gone_at is null;
create index directory_people_external on directory_people (tenant_id, source, external_id) where external_id is not null;
create index directory_people_due on directory_people (tenant_id, id) where due;
create index directory_people_paging on directory_people (tenant_id, source, created_at, id);
call guard_tenant('directory_people');

create table directory_groups (
  tenant_id    uuid not null,
  id           uuid not null,
  source       text not null check (source in ('scim', 'entra')),
  ref          text not null check (ref <> ''),
  external_id  text,
  display_name text not null,
  resource     jsonb not null default '{}',
  -- What administrators said that its people get here.
  roles        text[] not null default '{}',
  group_ids    uuid[] not null default '{}',
  own_group_id uuid,                             -- our group of the same people, which permissions name
  version      integer not null default 1,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint directory_groups_ref unique (tenant_id, source, ref)
);
create unique index directory_groups_scim_name on directory_groups (tenant_id, lower(display_name)) where source = 'scim';
create index directory_groups_paging on directory_groups (tenant_id, source, created_at, id);
call guard_tenant('directory_groups');

-- By the directory's ids on both ends: a member may be told of before its group, and before the person. A group in a group is kept and gives nothing.
create table directory_members (
  tenant_id  uuid not null,
  source     text not null,
  group_ref  text not null,
  person_ref text not null,
  primary key (tenant_id, source, group_ref, person_ref)
);
create index directory_members_of_person on directory_members (tenant_id, source, person_ref);
call guard_tenant('directory_members');

-- The company whose directory made the account. Nobody proved its address, so the directory keeps it, until its person joins another company.
alter table accounts add column managed_by uuid;

-- `roles` is what holds. Of it, what the directory gives, and what of that people gave too: the one can go without the other.
alter table memberships add column directory_roles text[] not null default '{}';
alter table memberships add column kept_roles text[] not null default '{}';
alter table group_members add column by_hand boolean not null default true;
alter table group_members add column by_directory boolean not null default false;
