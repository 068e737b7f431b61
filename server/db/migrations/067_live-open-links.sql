-- Of every locker that is read it is asked whether somebody can open it by a link: among those few that may still open.
create index access_links_open on access_links (tenant_id, valid_to) where purpose = 'open' and revoked_at is null;
