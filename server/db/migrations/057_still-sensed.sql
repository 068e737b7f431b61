-- Since when its sensor has sensed something without a break: what was sensed before a door was opened to fill it is not what was put in.
alter table lockers add column sensed_since timestamptz(3);
alter table lockers no force row level security;
update lockers set sensed_since = coalesce(occupancy_at, updated_at) where occupancy = 'occupied';
-- What was said to be empty while its sensor sensed something has a reason of its own now, which the same reading does not settle.
update lockers set content_why = 'still-sensed'
  where content = 'unknown' and content_why = 'sensor' and occupancy = 'occupied' and door = 'closed';
alter table lockers force row level security;
