-- A right that ended is told to all nodes after the commit that ended it. What a process left untold when it was cut off, another tells.
alter table identity_revocations add column told boolean not null default true;
alter table identity_revocations alter column told set default false;
create index identity_revocations_untold on identity_revocations (id) where not told;
