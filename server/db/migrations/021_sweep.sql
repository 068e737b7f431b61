-- What the sweep asks every minute, of every company: found by an index however much lies beside it.
create index messages_under_way on messages (tenant_id, updated_at) where state in ('queued', 'sent');
create index occupations_secrets on occupations (tenant_id, secrets_until) where secrets_until is not null;
create index lockers_open on lockers (tenant_id, door_at) where door = 'opened';
create index access_link_uses_named on access_link_uses (tenant_id, at) where name is not null;
create index loans_named on loans (tenant_id, returned_at)
  where borrower_name is not null or borrower_tlf is not null or borrower_email is not null;

-- What belongs to one occupation, when it is archived.
create index commands_of_occupation on commands (tenant_id, occupation_id) where occupation_id is not null;
create index loans_of_occupation on loans (tenant_id, occupation_id);
