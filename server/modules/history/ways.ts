import { sql, type RawBuilder, type SqlBool } from 'kysely';

export type Condition = RawBuilder<SqlBool>;
/** The same rows twice: as ways of a page, each with an index in the order of time or of few rows, and as one condition on the rows of others. */
export type Ground = { ways: Condition[]; one: Condition };

/** Beyond these, values are followed together: one way for each would make a question as long as a company is large. */
const ALONE = 12;
/** Each way is a question of its own to whoever plans them: more than these keep everybody waiting. */
const WAYS_AT_MOST = 200;

export const only = (condition: Condition): Ground => ({ ways: [condition], one: condition });

/** Each by itself, since an index keeps the order of time within one. */
export const each = (column: string, values: readonly string[]): Ground => {
  const any = (some: readonly string[]): Condition => sql<SqlBool>`${sql.ref(column)} = any(${some})`;
  const alone = values.slice(0, ALONE).map((value) => sql<SqlBool>`${sql.ref(column)} = ${value}`);
  return { ways: values.length > ALONE ? [...alone, any(values.slice(ALONE))] : alone, one: any(values) };
};

/** What fits any of them. */
export const either = (...grounds: readonly Ground[]): Ground => {
  const ones = grounds.map(({ one }) => one);
  return {
    ways: grounds.flatMap(({ ways }) => ways),
    one: ones.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(ones, sql` or `)})`,
  };
};

/** What fits both: a way for each two or, where that were too many, those of the shorter side, each asked for the other. */
export const both = (some: Ground, others: Ground): Ground => {
  const [few, many] = some.ways.length <= others.ways.length ? [some, others] : [others, some];
  const asked = few.ways.length * many.ways.length <= WAYS_AT_MOST ? many.ways : [many.one];
  return {
    ways: few.ways.flatMap((way) => asked.map((other) => sql<SqlBool>`${way} and ${other}`)),
    one: sql<SqlBool>`${some.one} and ${others.one}`,
  };
};
