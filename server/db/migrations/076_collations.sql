-- Names in the order of the company's language (Å after Ø in Norwegian), numbers in them by their value ("Ola 2" before "Ola 10"). As
-- PostgreSQL's own ICU has it, wherever it runs; what is equal to it is told apart by its bytes, so that paging skips nothing.
create collation by_name_nb (provider = icu, locale = 'nb-u-kn-true');
create collation by_name_en (provider = icu, locale = 'en-u-kn-true');

drop index assets_by_name;
create index assets_by_name_nb on assets (tenant_id, sort_name collate by_name_nb, id);
create index assets_by_name_en on assets (tenant_id, sort_name collate by_name_en, id);
