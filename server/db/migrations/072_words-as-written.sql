-- A word is what stands between spaces, its signs with it: "#12", "50%" and "A-01" are found as they are written, also behind a sign
-- inside ("nordmann-hansen" by "hansen" and by "-hansen"). Quotation marks and dashes that keyboards set by themselves are as the plain ones,
-- so is the minus of word processors; and a letter with its mark is one letter, whether it was written as one character or as two ("é"; what
-- is copied from a Mac's files has two).
create function folded(body text) returns text language sql immutable parallel safe
  return translate(normalize(lower(body)), '’‘‐‑–—−', '''''-----');

-- What is written from each beginning of letters or digits, and from each sign, up to the next space. 50 characters of each: twenty
-- identifiers of 200 signs are then still less than the 1 MB that a tsvector may be.
create or replace function words_of(owner uuid, body text) returns tsvector language sql immutable parallel safe
  return array_to_tsvector(array(
    select left(owner::text, 8) || ':' || left(substr(word, piece.at::integer), 50)
    from regexp_split_to_table(folded(body), '[[:space:]\u00a0\u2007\u200b-\u200d\u202f\u2060\ufeff]+') as word,
      lateral (select 1 + sum(length(found[1])) over (order by n) - length(found[1]) as at
        from regexp_matches(word, '[[:alnum:]]+|[^[:alnum:]]', 'g') with ordinality as pieces (found, n)) as piece));

-- What is looked for by a word that was typed: without the stops, quotation marks and brackets on both its sides ("Nordmann, Kari").
create function bare(word text) returns text language sql immutable parallel safe
  return case when word ~ '[[:alnum:]]' then regexp_replace(word, '^[][()"''„“”«»,;:.!?]+|[][()"''„“”«»,;:.!?]+$', '', 'g') else word end;

-- Every word of the input as a beginning; null (which matches nothing) where the input holds no word.
create or replace function words_wanted(owner uuid, input text) returns tsquery language sql immutable parallel safe
  return (select string_agg(
      '''' || replace(replace(left(owner::text, 8) || ':' || left(bare(word), 50), '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery
    from regexp_split_to_table(folded(input), '[[:space:]\u00a0\u2007\u200b-\u200d\u202f\u2060\ufeff]+') as word where word <> '');

-- As they were typed: written as JSON, each would have had quotation marks.
create function values_of(identifiers jsonb) returns text language sql immutable parallel safe
  return (select string_agg(value #>> '{}', ' ') from jsonb_path_query(identifiers, '$[*].value') as value);
grant execute on function folded(text), bare(text), values_of(jsonb) to hatchway_app, hatchway_definer;

-- What was kept is made anew (PostgreSQL 15 and 16 know no other way).
alter table accounts drop column words;
alter table accounts add column words tsvector not null generated always as (
  words_of('00000000-0000-0000-0000-000000000000', coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(tlf, ''))) stored;
alter table lockers drop column words;
alter table lockers add column words tsvector not null generated always as (
  words_of(tenant_id, coalesce(door_tag, '') || ' ' || coalesce(name, ''))) stored;
create index lockers_words on lockers using gin (words);
alter table assets drop column words;
alter table assets add column words tsvector not null generated always as (words_of(tenant_id,
  coalesce(name, '') || ' ' || coalesce(external_id, '') || ' ' || coalesce(values_of(identifiers), ''))) stored;
create index assets_words on assets using gin (words);
alter table occupations drop column words;
alter table occupations add column words tsvector not null generated always as (words_of(tenant_id,
  coalesce(receiver_name, '') || ' ' || coalesce(receiver_tlf, '') || ' ' || coalesce(receiver_email, '') || ' ' || coalesce(asset_text, '')
  || ' ' || coalesce(door_tag, '') || ' ' || coalesce(order_ref, '') || ' ' || coalesce(external_ref, ''))) stored;
create index occupations_words on occupations using gin (words);
alter table payments drop column words;
alter table payments add column words tsvector not null generated always as (words_of(tenant_id,
  reference || ' ' || coalesce(payer->>'name', '') || ' ' || coalesce(payer->>'tlf', '') || ' ' || coalesce(payer->>'email', ''))) stored;
create index payments_words on payments using gin (words);
reindex index events_by_visitor;

create or replace function search_actors(input text) returns setof text language sql stable security definer set search_path = '' as $$
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
  where case when strpos(public.folded(name), public.bare(public.folded(input))) > 0
    then public.words_of(public.current_tenant(), name) operator(pg_catalog.@@) public.words_wanted(public.current_tenant(), input) end
$$;
