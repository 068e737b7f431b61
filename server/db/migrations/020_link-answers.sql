-- Whose right an access link opens in, where that is no longer its maker's: somebody took it over. {kind, id, name}

alter table access_links add column taken_over_by jsonb;
