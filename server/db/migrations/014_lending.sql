-- How long it goes out, where whoever put it in said so; and what a claim says of its borrower until it ends.
alter table occupations
  add column loan_hours     integer check (loan_hours > 0),
  add column claim_due_at   timestamptz(3),
  add column claim_replaced jsonb;              -- {receiver}: whom it was for before this claim named somebody else
