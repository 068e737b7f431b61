-- Too many wrong codes at a cabinet shut its keypad, since and until when. How often staff lifted that: with each the counting begins anew.
alter table cabinets add column keypad_shut_at timestamptz(3);
alter table cabinets add column keypad_shut_until timestamptz(3);
alter table cabinets add column keypad_lifts integer not null default 0;
