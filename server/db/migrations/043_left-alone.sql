-- What waits behind a shut door for the server to look again: a filling that is being done, a claim. The sweep of each minute finds those
-- that nobody looked at.
create index occupations_waiting on occupations (tenant_id, stage) where stage in (1, 6);
