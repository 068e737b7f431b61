-- Its customer pressed, and the door that it paid for stayed shut: they read why their money was let go.
alter table payments add column stayed_shut boolean not null default false;
