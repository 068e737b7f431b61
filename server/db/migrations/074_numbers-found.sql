-- A number is found however it is written: with its country code behind + or 00 or without both, with the 0 that is dialled at home or
-- without, in groups or in one. Kept is E.164; beside it the digits after the country code are a word (ITU-T E.164: the codes of one and
-- two digits, all others have three).
create or replace function words_of(owner uuid, body text) returns tsvector language sql immutable parallel safe
  return array_to_tsvector(array(
    select left(owner::text, 8) || ':' || left(piece.text, 50)
    from regexp_split_to_table(folded(body), '[[:space:]\u00a0\u2007\u200b-\u200d\u202f\u2060\ufeff]+') as word,
      lateral (
        select substr(word, (1 + sum(length(found[1])) over (order by n) - length(found[1]))::integer) as text
          from regexp_matches(word, '[[:alnum:]]+|[^[:alnum:]]', 'g') with ordinality as pieces (found, n)
        union all
        select case when word like '+%' then
          (regexp_match(word, '^\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[035789]|9[679])[0-9])([0-9]{4,})$'))[1] end) as piece
    where piece.text is not null));

-- What is typed in the form in which a number is kept: groups of digits are one, and 00 is +. Words without digits stay as they are.
create function numbers_joined(input text) returns text language sql immutable parallel safe
  return regexp_replace(regexp_replace(regexp_replace(regexp_replace(input,
    '\(0\)', '', 'g'), '([0-9])[[:space:]().\-/]+(?=[0-9])', '\1', 'g'), '(^|[[:space:]])00', '\1+', 'g'), '(^|[[:space:]])[(0]+(?=[0-9])', '\1', 'g');

create function words_all(owner uuid, input text) returns text language sql immutable parallel safe
  return (select string_agg(
      '''' || replace(replace(left(owner::text, 8) || ':' || left(bare(word), 50), '\', '\\'), '''', '''''') || ''':*', ' & ')
    from regexp_split_to_table(input, '[[:space:]\u00a0\u2007\u200b-\u200d\u202f\u2060\ufeff]+') as word where word <> '');

-- Every word of the input as a beginning, or what it is as a number; null (which matches nothing) where the input holds no word.
create or replace function words_wanted(owner uuid, input text) returns tsquery language sql immutable parallel safe
  return (case when folded(input) ~ '[0-9].*[0-9].*[0-9].*[0-9]' and numbers_joined(folded(input)) <> folded(input)
    then '(' || words_all(owner, folded(input)) || ') | (' || words_all(owner, numbers_joined(folded(input))) || ')'
    else words_all(owner, folded(input)) end)::tsquery;
grant execute on function numbers_joined(text), words_all(uuid, text) to hatchway_app, hatchway_definer;

-- What was kept is made anew (PostgreSQL 15 and 16 know no other way).
alter table accounts drop column words;
alter table accounts add column words tsvector not null generated always as (
  words_of('00000000-0000-0000-0000-000000000000', coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(tlf, ''))) stored;
alter table occupations drop column words;
alter table occupations add column words tsvector not null generated always as (words_of(tenant_id,
  coalesce(receiver_name, '') || ' ' || coalesce(receiver_tlf, '') || ' ' || coalesce(receiver_email, '') || ' ' || coalesce(asset_text, '')
  || ' ' || coalesce(door_tag, '') || ' ' || coalesce(order_ref, '') || ' ' || coalesce(external_ref, ''))) stored;
create index occupations_words on occupations using gin (words);
alter table payments drop column words;
alter table payments add column words tsvector not null generated always as (words_of(tenant_id,
  reference || ' ' || coalesce(payer->>'name', '') || ' ' || coalesce(payer->>'tlf', '') || ' ' || coalesce(payer->>'email', ''))) stored;
create index payments_words on payments using gin (words);
