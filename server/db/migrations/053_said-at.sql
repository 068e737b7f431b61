-- When somebody of the staff last said what lies inside, also where they confirmed what was believed: content_at moves with the content
-- alone. Empty from before: silence goes on as it did for a visit that runs while this is installed.
alter table lockers add column said_at timestamptz(3);
