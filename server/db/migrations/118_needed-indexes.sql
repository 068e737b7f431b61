-- What no question asks for. Which is in doubt is asked of a locker and its use together; what is being claimed is found among what waits
-- behind a shut door (043). What needs each of those that stay: dev/wire/indexes.test.ts.
drop index lockers_in_doubt;
drop index occupations_claiming;
