-- Payments as people look for them; and what a provider was asked for and has yet to say, out of the details that people write.

alter table payments add column wanted text check (wanted in ('capture', 'cancel', 'refund'));
alter table payments add column words tsvector not null generated always as (words_of(tenant_id,
  reference || ' ' || coalesce(payer->>'name', '') || ' ' || coalesce(payer->>'tlf', '') || ' ' || coalesce(payer->>'email', ''))) stored;
create index payments_words on payments using gin (words);
create index payments_by_state on payments (tenant_id, state, created_at desc, id desc);
create index payments_by_change on payments (tenant_id, updated_at desc, id desc);
create index payments_by_amount on payments (tenant_id, amount, id);

grant select on payments to hatchway_definer;
create policy definer_reads on payments for select to hatchway_definer using (true);

create function search_payments(input text) returns setof uuid language sql stable security definer set search_path = '' as $$
  select id from public.payments
  where tenant_id = public.current_tenant() and words @@ public.words_wanted(public.current_tenant(), input)
$$;
alter function search_payments(text) owner to hatchway_definer;
grant execute on function search_payments(text) to hatchway_app;
