-- Free lockers in the very order of the rule, tags by the value of their numbers: the first that fits is the best, and one row is read and
-- locked in one statement (modules/occupations/fit.ts). By the length of a tag, "A10" came after "B2", and 64 were read to rank them.
drop index lockers_best;
create index lockers_best on lockers (tenant_id, size, (case reach when 'middle' then 0 when 'low' then 1 else 2 end), door_tag collate by_name_en, id)
  where content = 'empty' and out_of_service is null and door = 'closed';
