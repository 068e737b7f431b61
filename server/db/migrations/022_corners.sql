-- Since when all of a company is being deleted: cut off in the middle, the sweep goes on, and nobody takes it back.
alter table companies add column deleting_at timestamptz(3);

-- How many things somebody has out at once is asked at each claim: each way to know them has an index, whatever lies beside theirs.
create index occupations_to_tlf on occupations (tenant_id, receiver_tlf) where stage < 98 and receiver_tlf is not null;
create index occupations_to_email on occupations (tenant_id, receiver_email) where stage < 98 and receiver_email is not null;
create index occupations_claiming on occupations (tenant_id) where stage = 6;
create index loans_out_to_tlf on loans (tenant_id, borrower_tlf) where returned_at is null and borrower_tlf is not null;
create index loans_out_to_email on loans (tenant_id, borrower_email) where returned_at is null and borrower_email is not null;
create index loans_out_to_account on loans (tenant_id, borrower_account_id) where returned_at is null and borrower_account_id is not null;
