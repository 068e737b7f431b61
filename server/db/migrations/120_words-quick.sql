-- The same words as before, taken apart step by step instead of by one statement, which each insert began anew: 0.25 ms of a row of
-- occupations instead of 0.38. What is kept holds the same words, so nothing is made anew.
create or replace function words_of(owner uuid, body text) returns tsvector language plpgsql immutable parallel safe as $$
declare
  prefix text := left(owner::text, 8) || ':';
  word text;
  piece text;
  start integer;
  found text[] := '{}';
begin
  foreach word in array regexp_split_to_array(public.folded(coalesce(body, '')), '[[:space:]\u00a0\u2007\u200b-\u200d\u202f\u2060\ufeff]+') loop
    start := 1;
    -- no word holds a space, so one stands between its pieces
    foreach piece in array string_to_array(regexp_replace(word, '[[:alnum:]]+|[^[:alnum:]]', '\& ', 'g'), ' ') loop
      continue when piece = '';
      found := found || (prefix || substr(word, start, 50));
      start := start + length(piece);
    end loop;
    continue when word not like '+%';
    -- without its country's number too
    piece := (regexp_match(word, '^\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[035789]|9[679])[0-9])([0-9]{4,})$'))[1];
    if piece is not null then found := found || (prefix || left(piece, 50)); end if;
  end loop;
  return array_to_tsvector(found);
end $$;
