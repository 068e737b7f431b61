-- Who answers for a webhook: the account or the key that made it, or last switched it on or led it elsewhere. What was there before has nobody.
alter table webhooks add column created_by uuid;
alter table webhooks drop constraint webhooks_disabled_reason_check;
alter table webhooks add constraint webhooks_disabled_reason_check check (disabled_reason in ('gone', 'failing', 'maker'));
