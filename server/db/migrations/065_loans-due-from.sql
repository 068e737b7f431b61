-- Whoever was told of a new date a moment ago need not be reminded of it: the clock of a loan that is extended begins anew.
alter table loans add column due_from timestamptz;
