-- Who gave a pairing code out: it is worth something for as long as they may build there. One that was open before has nobody, and is given anew.
alter table cabinets add column pairing_by jsonb;
