-- Who used an access link, when and at which door: a row each, so that a use can be found from its occupation and gone on with.

alter table access_links drop column uses;
alter table access_links drop column created_by;
alter table access_links add column created_by jsonb not null;  -- {kind, id, name}

create index access_links_paging on access_links (tenant_id, created_at desc, id desc);
create index access_links_lockers on access_links using gin (locker_ids);

create table access_link_uses (
  tenant_id      uuid not null,
  id             uuid not null,
  link_id        uuid not null,
  at             timestamptz(3) not null,
  name           text,                          -- as the person wrote it; nobody checked it
  locker_id      uuid,
  door_tag       text not null,
  occupation_id  uuid,                          -- of a drop-off or pick-up
  claimed_at     timestamptz(3),                -- of a pick-up: its claim_opened_at tells whose claim it is
  outcome        text,                          -- of the last opening
  updated_at     timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint access_link_uses_link foreign key (tenant_id, link_id) references access_links (tenant_id, id) on delete cascade,
  constraint access_link_uses_locker foreign key (tenant_id, locker_id) references lockers (tenant_id, id) on delete set null (locker_id),
  constraint access_link_uses_occupation foreign key (tenant_id, occupation_id) references occupations (tenant_id, id) on delete set null (occupation_id)
);
create index access_link_uses_of_link on access_link_uses (tenant_id, link_id, at desc);
create index access_link_uses_of_locker on access_link_uses (tenant_id, locker_id) where locker_id is not null;
create index access_link_uses_of_occupation on access_link_uses (tenant_id, occupation_id) where occupation_id is not null;

call guard_tenant('access_link_uses');
