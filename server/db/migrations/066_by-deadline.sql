-- The list shows when a loan is due, else until when it is fetched, and is sorted by that; kept on the use itself, since an index cannot reach
-- over to its loan.
alter table occupations no force row level security;
alter table loans no force row level security;
alter table occupations add column loan_due_at timestamptz(3);
update occupations o set loan_due_at = n.due_at
  from loans n where n.tenant_id = o.tenant_id and n.occupation_id = o.id and n.returned_at is null;
create index occupations_by_deadline on occupations (tenant_id, coalesce(loan_due_at, pickup_by, '9999-12-31T00:00:00Z'::timestamptz), id);
alter table occupations force row level security;
alter table loans force row level security;
