-- A message that waits out the night says until when: whoever looks at it needs not wonder what holds it up.
alter table messages add column not_before timestamptz;
