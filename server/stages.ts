import { STAGES, type StageName } from '@hatchway/domain/terms.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Its number as it stands in the statement, and not beside it: only then does PostgreSQL see that an index on a part (`where stage < 98`) serves. */
export const stageNo = (name: StageName): RawBuilder<number> => sql.lit(STAGES[name]);

/** `isActive` of domain/terms.ts. */
export const activeBy = (column: string): RawBuilder<SqlBool> => sql<SqlBool>`${sql.ref(column)} < ${stageNo('TERMINATED')}`;
/** Of an occupation `o`. */
export const activeNow = activeBy('o.stage');
