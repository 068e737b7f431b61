-- An earlier visit to a storage was carried out on the payment that the present claim stands on. Of a visit that runs while this is
-- installed nobody noted it: its payment goes with a claim that fails, as it did.
alter table occupations add column claim_payment_used boolean not null default false;
