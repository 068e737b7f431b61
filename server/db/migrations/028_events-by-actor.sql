-- What somebody of that name did, newest first: the history is searched by words, and walks each name in the order of its page.
create index events_by_actor on events (tenant_id, actor_name, at desc, id desc) where actor_name is not null;
