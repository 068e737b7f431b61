-- The hash of the link that a use ended with, so that whoever holds it hears that it is over. It opens nothing; archiving forgets it.
alter table occupations add column token_ended bytea;
create index occupations_token_ended on occupations (tenant_id, token_ended) where token_ended is not null;
