-- What a locker carries is looked up by the one index that holds a company's uses by their lockers while they are not ended. Another one
-- of the same condition looked as good to PostgreSQL wherever it knew of few such uses, in a new database or one that was counted while
-- all had ended, and each look-up then read all of the company's. No question asks by a service and a stage among those.
drop index occupations_active;
