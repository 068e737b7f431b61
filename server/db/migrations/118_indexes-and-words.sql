-- What no question asks for. Which is in doubt is asked of a locker and its use together; what is being claimed is found among what waits
-- behind a shut door (043). What needs each of those that stay: dev/wire/indexes.test.ts.
drop index lockers_in_doubt;
drop index occupations_claiming;

-- The words of a text, as they were taken apart before (074), in PL/pgSQL: PostgreSQL keeps its plan for the whole connection. As one
-- expression of SQL it was read, folded and planned anew by each statement that writes a row: half of what an occupation's row took.
create or replace function words_of(owner uuid, body text) returns tsvector language plpgsql immutable parallel safe as $$
declare
  mark constant text := left(owner::text, 8) || ':';
begin
  return array_to_tsvector(array(
    select mark || left(piece.text, 50)
    from regexp_split_to_table(public.folded(body), '[[:space:]\u00a0\u2007\u200b-\u200d\u202f\u2060\ufeff]+') as word,
      lateral (
        select substr(word, (1 + sum(length(pieces.found[1])) over (order by pieces.n) - length(pieces.found[1]))::integer) as text
          from regexp_matches(word, '[[:alnum:]]+|[^[:alnum:]]', 'g') with ordinality as pieces (found, n)
        union all
        select case when word like '+%' then
          (regexp_match(word, '^\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[035789]|9[679])[0-9])([0-9]{4,})$'))[1] end) as piece
    where piece.text is not null));
end $$;
