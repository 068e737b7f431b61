-- Something lay in the locker that was set aside: it ended there, and whoever brings it goes on behind another door, with the same link.
alter table occupations add column continued_by uuid,
  add constraint occupations_continued_by foreign key (tenant_id, continued_by) references occupations (tenant_id, id)
    on delete set null (continued_by);
-- Each that is deleted at its time is looked for here.
create index occupations_by_continued on occupations (tenant_id, continued_by) where continued_by is not null;
