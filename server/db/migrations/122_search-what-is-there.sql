-- A list of `search_known` that holds nothing is followed by no statement: of a visitor's name four such took a fifth of its time.
create or replace function search_known(input text, form text, few integer, reads integer, before_at timestamptz, before_id uuid,
  out names text[], out lockers uuid[], out assets uuid[], out occupations uuid[], out visits uuid[], out events uuid[])
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  tenant uuid := public.current_tenant();
  wanted tsquery := public.words_wanted(tenant, input);
  folded text := public.bare(public.folded(input));
  long uuid[];
begin
  names := array(
    with recursive known (name) as (
      (select actor_name from public.events
        where tenant_id = tenant and actor_name is not null and not (actor_kind = 'person' and actor_id is null)
        order by actor_name limit 1)
      union all
      select (select actor_name from public.events
        where tenant_id = tenant and actor_name > known.name and not (actor_kind = 'person' and actor_id is null)
        order by actor_name limit 1)
      from known where known.name is not null)
    select name from known
    -- words are dear to take apart: done for names that hold the one wanted somewhere, and for no others
    where case when strpos(public.folded(name), folded) > 0 then public.words_of(tenant, name) operator(pg_catalog.@@) wanted end);
  lockers := array(select id from public.lockers where tenant_id = tenant and words operator(pg_catalog.@@) wanted);
  assets := array(select id from public.assets where tenant_id = tenant and words operator(pg_catalog.@@) wanted);
  occupations := array(
    select id from public.occupations where tenant_id = tenant and words operator(pg_catalog.@@) wanted
    union
    select id from public.occupations where tenant_id = tenant and asset_id = any(assets || array(
      select i.asset_id from public.asset_identifiers i where i.tenant_id = tenant and i.form = search_known.form)));
  visits := array(
    select id from public.events
    where tenant_id = tenant and actor_name is not null and actor_kind = 'person' and actor_id is null
      and public.words_of(tenant_id, actor_name) operator(pg_catalog.@@) wanted
    limit few + 1);
  if cardinality(visits) > few then visits := null; end if;
  if reads is null then return; end if;
  if visits is null then
    events := array(
      select id from public.events e
      where tenant_id = tenant and actor_name is not null and actor_kind = 'person' and actor_id is null
        and public.words_of(tenant_id, actor_name) operator(pg_catalog.@@) wanted and (e.at, id) < (before_at, before_id)
      order by e.at desc, id desc limit reads);
  else
    events := visits;
  end if;
  if greatest(cardinality(names), cardinality(lockers), cardinality(occupations), cardinality(assets)) > few then
    -- planned for these lists: in the order of time, or by what each of them finds
    execute pg_catalog.format($x$
      select array(
        select id from public.events e
        where tenant_id = $1 and (e.at, id) < ($2, $3)
          and (actor_name = any($4) and not (actor_kind = 'person' and actor_id is null)
            or locker_id = any($5) or occupation_id = any($6) or asset_id = any($7))
        order by e.at desc, id desc limit %s)$x$, reads)
    into long using tenant, before_at, before_id, names, lockers, occupations, assets;
    events := events || long;
    return;
  end if;
  -- Each by itself, since an index keeps the order of time within one: no plan hangs on how many there are, or how much happened with them.
  -- What two lists find stands there twice, and is one row of the page.
  if cardinality(names) > 0 then
    events := events || array(
      select one.id from unnest(names) as actor (name) cross join lateral (
        select e.id, e.at from public.events e
        where e.tenant_id = tenant and e.actor_name = actor.name and not (e.actor_kind = 'person' and e.actor_id is null)
          and (e.at, e.id) < (before_at, before_id)
        order by e.at desc, e.id desc limit reads) one
      order by one.at desc, one.id desc limit reads);
  end if;
  if cardinality(lockers) > 0 then
    events := events || array(
      select one.id from unnest(lockers) as door (id) cross join lateral (
        select e.id, e.at from public.events e
        where e.tenant_id = tenant and e.locker_id = door.id and (e.at, e.id) < (before_at, before_id)
        order by e.at desc, e.id desc limit reads) one
      order by one.at desc, one.id desc limit reads);
  end if;
  if cardinality(occupations) > 0 then
    events := events || array(
      select one.id from unnest(occupations) as used (id) cross join lateral (
        select e.id, e.at from public.events e
        where e.tenant_id = tenant and e.occupation_id = used.id and (e.at, e.id) < (before_at, before_id)
        order by e.at desc, e.id desc limit reads) one
      order by one.at desc, one.id desc limit reads);
  end if;
  if cardinality(assets) > 0 then
    events := events || array(
      select one.id from unnest(assets) as asset (id) cross join lateral (
        select e.id, e.at from public.events e
        where e.tenant_id = tenant and e.asset_id = asset.id and (e.at, e.id) < (before_at, before_id)
        order by e.at desc, e.id desc limit reads) one
      order by one.at desc, one.id desc limit reads);
  end if;
end $$;
