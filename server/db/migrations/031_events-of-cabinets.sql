-- What happened to a whole cabinet and to no door alone, newest first: whoever sees one of its doors reads that too.
create index events_of_cabinets on events (tenant_id, cabinet_id, at desc, id desc) where locker_id is null and cabinet_id is not null;
