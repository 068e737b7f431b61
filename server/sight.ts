import { sql, type SqlBool } from 'kysely';
import { historyReach, maySeeLocker, mayUseOnLocker, seesAllLockers, type Facts } from '@hatchway/domain/access.ts';
import type { OccupationType } from '@hatchway/domain/terms.ts';

// What `domain/access.ts` says of one row, as a condition on the query that reads many.

/** `maySeeLocker`, for rows of any alias: all, or these alone. An empty list matches nothing. */
export const lockersInSight = (facts: Facts): { all: true } | { all: false; ids: string[] } =>
  seesAllLockers(facts)
    ? { all: true }
    : { all: false, ids: facts.lockers === 'all' ? [] : Object.keys(facts.lockers).filter((id) => maySeeLocker(id, facts)) };

/** `maySeeOccupation`, for rows of `occupations as o`. */
export const occupationsInSight = (facts: Facts) => {
  const reach = historyReach(facts);
  if (reach.all) return sql<SqlBool>`true`;
  return sql<SqlBool>`(o.type = any(${[...reach.types]}) or o.locker_id = any(${[...reach.lockerIds]}::uuid[]))`;
};

/** `mayActOnOccupation`, for rows of `occupations as o` that are of these types. */
export const occupationsToActOn = (types: readonly OccupationType[], facts: Facts) => {
  const those = types.map((type) => {
    // Where no locker has to be named, a role reaches all of them.
    if (mayUseOnLocker(type, '', facts)) return sql<SqlBool>`o.type = ${type}`;
    const ids = facts.lockers === 'all' ? [] : Object.keys(facts.lockers).filter((id) => mayUseOnLocker(type, id, facts));
    return sql<SqlBool>`(o.type = ${type} and o.locker_id = any(${ids}::uuid[]))`;
  });
  return sql<SqlBool>`(${sql.join(those, sql` or `)})`;
};
