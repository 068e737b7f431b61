-- When something was last noticed that puts in doubt what lies inside: also where that was in doubt already, since content_at moves with
-- the content alone. Empty from before: a visit that runs while this is installed goes by content_at.
alter table lockers add column doubted_at timestamptz(3);
