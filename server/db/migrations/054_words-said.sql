-- What staff said of a locker before 053 counts as said when it settled the content: a claim that waits on it was refused to the clock then,
-- and is not to be ended by silence now.
alter table lockers no force row level security;
update lockers set said_at = content_at where said_at is null and content_why = 'word';
alter table lockers force row level security;
