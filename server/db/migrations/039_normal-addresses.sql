-- An e-mail address is kept in one form, in small letters (domain/receiver.ts), so that whoever is counted, corrected or let in by it is
-- one person however it was typed. What was kept as it was typed gets that form.
alter table accounts no force row level security;
alter table invitations no force row level security;
alter table occupations no force row level security;
alter table loans no force row level security;
update accounts set email = lower(email) where email <> lower(email);
update invitations set email = lower(email) where email <> lower(email);
update occupations set receiver_email = lower(receiver_email) where receiver_email <> lower(receiver_email);
update loans set borrower_email = lower(borrower_email) where borrower_email <> lower(borrower_email);
alter table accounts force row level security;
alter table invitations force row level security;
alter table occupations force row level security;
alter table loans force row level security;
