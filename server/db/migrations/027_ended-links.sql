-- The hash of the link that a use ended with, so that whoever holds it hears that it is over. It opens nothing; archiving forgets it.
alter table occupations add column ended_token_hash bytea;
create index occupations_ended_token on occupations (tenant_id, ended_token_hash) where ended_token_hash is not null;
