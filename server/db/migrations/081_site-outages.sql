-- Staff were told of a site's outage, by the name of its first, and have yet to hear that it is over.
alter table outages add column alerted_at timestamptz(3);
create index outages_alerted on outages (tenant_id) where alerted_at is not null;
