-- What was written of a thing, and of its order and its tracking number, may name a person: of what was archived before it is forgotten too.
alter table occupations no force row level security;
update occupations set asset_text = null, order_ref = null, external_ref = null
  where stage = 99 and coalesce(asset_text, order_ref, external_ref) is not null;
alter table occupations force row level security;
