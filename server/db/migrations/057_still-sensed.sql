-- What the occupancy sensor last said of the two, and since when without the other between: what it sensed before a door was opened to fill it
-- is not what was put in, and what it did not sense before a claim was not taken.
alter table lockers add column sensed text check (sensed in ('empty', 'occupied'));
alter table lockers add column sensed_since timestamptz(3);
alter table lockers no force row level security;
update lockers set sensed = occupancy, sensed_since = coalesce(occupancy_at, updated_at) where occupancy <> 'unknown';
-- What a sensor denies has a reason of its own now, which the same reading does not settle.
update lockers set content_why = case occupancy when 'occupied' then 'still-sensed' else 'not-sensed' end
  where content = 'unknown' and content_why = 'sensor' and occupancy <> 'unknown' and door = 'closed';
alter table lockers force row level security;
