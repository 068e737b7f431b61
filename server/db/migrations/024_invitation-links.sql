-- A link for each way that an invitation goes: the mail's proves whose mailbox it is, the SMS's whose number, and neither the other.
alter table invitations rename column token_hash to mail_token_hash;
alter table invitations alter column mail_token_hash drop not null;
alter table invitations add column sms_token_hash bytea;

-- What went out under one link: by SMS alone it was the SMS's. Where both ways led to it nobody can tell, and it must be sent anew.
alter table invitations no force row level security;
update invitations set sms_token_hash = mail_token_hash, mail_token_hash = null where email is null;
update invitations set state = 'expired' where state = 'pending' and email is not null and tlf is not null;
alter table invitations force row level security;

alter table invitations
  add constraint invitations_sms_token unique (tenant_id, sms_token_hash),
  add constraint invitations_links check ((mail_token_hash is null or email is not null) and (sms_token_hash is null or tlf is not null));
