import { sql, type Expression, type SqlBool } from 'kysely';
import type { Job } from './jobs.ts';

/** Longer than all tries of a failing job take together (jobs/install.ts: some three minutes). */
export const LEFT_MS = 10 * 60_000;

/** Whether no job of that name waits to be begun under this key. pg-boss's own unique index on what waits makes it one look-up. */
export const hasNoJob = (name: Job['name'], key: Expression<unknown>) =>
  sql<SqlBool>`not exists (select from jobs.job j where j.name = ${name} and j.policy = 'short' and j.state = 'created'
    and coalesce(j.singleton_key, '') = ${key}::text)`;
