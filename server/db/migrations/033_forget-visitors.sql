-- Whose name, number or address is to be forgotten once the company's retention is over, though the use that they came to goes on:
-- what was forgotten already is in none of these, so that the sweep of each minute finds the rest at once.
create index events_of_visitors on events (tenant_id, at)
  where occupation_type in ('lending', 'consumable', 'sale')
    and (data ?| array['reason', 'note', 'condition', 'receiver'] or (actor_kind = 'person' and actor_id is null and actor_name is not null));
create index commands_of_visitors on commands (tenant_id, issued_at)
  where actor->>'kind' = 'person' and actor->>'id' is null and actor->>'name' <> '';
create index messages_addressed on messages (tenant_id, created_at) where to_masked <> '';
create index payments_of_payers on payments (tenant_id, updated_at) where payer <> '{}' or details <> '{}';
create index invitations_over on invitations (tenant_id, expires_at);
