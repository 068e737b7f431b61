-- Text is taken in in one form (domain/text.ts): each letter with its mark as one, without what nobody sees. What was kept before gets that
-- form where a name must be the only one, so that it does not come twice. Where two of a company's names would become one, both stay as
-- they are: which of them goes is for a person to say.
create function normal(body text) returns text language sql immutable parallel safe
  return normalize(regexp_replace(body,
    '[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]', '', 'g'));

do $$
declare named text;
begin
  foreach named in array array['groups', 'asset_groups', 'permissions', 'sites', 'status_labels'] loop
    execute format('alter table %I no force row level security', named);
    execute format('update %1$I t set name = normal(name) where name <> normal(name) and normal(name) <> '''' and not exists (
      select from %1$I o where o.tenant_id = t.tenant_id and o.id <> t.id and lower(normal(o.name)) = lower(normal(t.name)))', named);
    execute format('alter table %I force row level security', named);
  end loop;
end $$;
