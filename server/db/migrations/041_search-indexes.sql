-- The history is searched by who did it. Those whom a company knows (its people, keys, cabinets) have few names and many events: from each
-- name to the next by an index, however many there are, and each found one is walked in the order of a page. Visitors have many names and
-- few events each: their words are indexed, and what fits is found at once.
drop index events_by_actor;
create index events_by_actor on events (tenant_id, actor_name, at desc, id desc)
  where actor_name is not null and not (actor_kind = 'person' and actor_id is null);
create index events_by_visitor on events using gin (words_of(tenant_id, actor_name))
  where actor_name is not null and actor_kind = 'person' and actor_id is null;

grant select on events to hatchway_definer;
create policy definer_reads on events for select to hatchway_definer using (true);

create function search_actors(input text) returns setof text language sql stable security definer set search_path = '' as $$
  with recursive known (name) as (
    (select actor_name from public.events
      where tenant_id = public.current_tenant() and actor_name is not null and not (actor_kind = 'person' and actor_id is null)
      order by actor_name limit 1)
    union all
    select (select actor_name from public.events
      where tenant_id = public.current_tenant() and actor_name > known.name and not (actor_kind = 'person' and actor_id is null)
      order by actor_name limit 1)
    from known where known.name is not null)
  select name from known
  -- Words are dear to take apart: done for names that hold the one wanted somewhere, and for no others.
  where case when strpos(lower(name), lower(input)) > 0
    then public.words_of(public.current_tenant(), name) operator(pg_catalog.@@) public.words_wanted(public.current_tenant(), input) end
$$;

create function search_visits(input text) returns setof uuid language sql stable security definer set search_path = '' as $$
  select id from public.events
  where tenant_id = public.current_tenant() and actor_name is not null and actor_kind = 'person' and actor_id is null
    and public.words_of(tenant_id, actor_name) operator(pg_catalog.@@) public.words_wanted(public.current_tenant(), input)
$$;

alter function search_actors(text) owner to hatchway_definer;
alter function search_visits(text) owner to hatchway_definer;
grant execute on function search_actors(text), search_visits(text) to hatchway_app;

-- How many things carry a label, and whether one does.
create index assets_by_label on assets (tenant_id, status_label_id) where status_label_id is not null;
