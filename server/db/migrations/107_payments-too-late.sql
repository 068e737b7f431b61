-- What its payer approved was sold, taken or in doubt by then: they read why their money was let go.
alter table payments add column too_late boolean not null default false;
