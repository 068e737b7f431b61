-- A company has its four first labels from the beginning, made with it (modules/companies/first-labels.ts); they used to be made at the
-- first look at them, which some companies have not had.
alter table companies no force row level security;
alter table status_labels no force row level security;
insert into status_labels (tenant_id, id, name, type, color, default_label, show_in_nav, created_at, updated_at)
  select c.id,
    -- Of version 7, as all ids are: the time in front, and of a random one the rest.
    encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid,
    case c.locale when 'nb' then f.nb else f.en end, f.type, f.color, f.is_default, f.in_nav, now(), now()
  from companies c, (values
    ('Ready', 'Klar', 'deployable', '#1c6b3a', true, true),
    ('Pending', 'Venter', 'pending', '#8a4b00', false, false),
    ('In repair', 'Til reparasjon', 'undeployable', '#a51d1d', false, true),
    ('Archived', 'Arkivert', 'archived', '#4b5a58', false, false)) as f (en, nb, type, color, is_default, in_nav)
  where c.deleting_at is null and not exists (select from status_labels s where s.tenant_id = c.id);
alter table companies force row level security;
alter table status_labels force row level security;
