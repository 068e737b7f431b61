-- What archiving and forgetting left standing: who brought a loan back with a link, and the address that a provider's error repeats. A
-- payment's own story names nobody who is known by a link alone: the history does, for as long as the company keeps it.
alter table loans no force row level security;
alter table messages no force row level security;
alter table payments no force row level security;
alter table events no force row level security;
update loans set ended_by = jsonb_set(ended_by, '{name}', '""')
  where returned_at is not null and borrower_name is null and ended_by->>'kind' = 'person' and ended_by->>'id' is null;
update messages set error = null where to_masked = '' and error is not null;
update payments p set events = (
    select jsonb_agg(case when exists (
        select from events v where v.tenant_id = p.tenant_id and v.payment_id = p.id and v.type = 'payment_' || (step->>'state')
          and v.at = (step->>'at')::timestamptz and v.actor_kind = 'person' and v.actor_id is null)
      then jsonb_set(step, '{by}', '""') else step end order by nr)
    from jsonb_array_elements(p.events) with ordinality as steps (step, nr))
  from (select distinct tenant_id, payment_id from events
    where payment_id is not null and actor_kind = 'person' and actor_id is null) visited
  where p.tenant_id = visited.tenant_id and p.id = visited.payment_id;
alter table loans force row level security;
alter table messages force row level security;
alter table payments force row level security;
alter table events force row level security;
