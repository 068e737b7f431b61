-- What an SMS cost: which gateway took it, in how many parts, and what it billed, where it says so (in millionths of the currency).
alter table messages add column gateway text;
alter table messages add column segments smallint;
alter table messages add column price_millionths bigint;
alter table messages add column price_currency text;
-- Of one that a gateway reports part by part: those that arrived.
alter table messages add column parts_arrived smallint[] not null default '{}';
