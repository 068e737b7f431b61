import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { expect, it } from 'vitest';
import { activeBy, activeNow, stageNo } from './stages.ts';

const db = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (one) => new PostgresIntrospector(one),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

it('a stage stands in the statement itself, as the indexes on active uses have it', () => {
  const { sql: text, parameters } = sql`select ${activeNow}, ${activeBy('stage')}, ${stageNo('CLAIMING')}`.compile(db);
  expect([text, parameters]).toEqual(['select "o"."stage" < 98, "stage" < 98, 6', []]);
});
