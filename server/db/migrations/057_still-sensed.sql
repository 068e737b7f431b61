-- What was said to be empty while its sensor sensed something has a reason of its own now, which the same reading does not settle.
alter table lockers no force row level security;
update lockers set content_why = 'still-sensed' where content = 'unknown' and content_why = 'sensor' and occupancy = 'occupied';
alter table lockers force row level security;
