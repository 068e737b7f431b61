-- The locker builder: a wall is changed as a whole, by people who may be two at once.

-- Grows with what people change of a cabinet (name, place, number, drawing), not with what its controller says: it goes with each change.
alter table cabinets add column layout_version integer not null default 1;

-- Doors of one wall may swap their tags or locks in one statement, so uniqueness is asked at the statement's end.
alter table lockers drop constraint lockers_door_tag;
alter table lockers add constraint lockers_door_tag unique (tenant_id, door_tag) deferrable initially immediate;
alter table lockers drop constraint lockers_compartment;
alter table lockers add constraint lockers_compartment unique (tenant_id, cabinet_id, compartment) deferrable initially immediate;
