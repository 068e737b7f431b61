-- Why a cabinet is offline, as it was said; null while it is online.
alter table cabinets add column offline_reason text;
