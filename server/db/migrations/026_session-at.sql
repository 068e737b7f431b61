-- When the session began: a claim that began after it was not in the silence before.
alter table cabinets add column session_at timestamptz;
