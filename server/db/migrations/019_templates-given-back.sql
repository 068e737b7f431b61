-- A text that was given back keeps its row and goes on counting: a form that was opened before must not find the version that it saw.
alter table templates add column own boolean not null default true;
