import { createHash } from 'node:crypto';
import { sql, type QueryExecutorProvider } from 'kysely';
import { Problem } from './problem.ts';

export type Limit = { /** What is counted; hashed before it is stored. */ bucket: string; most: number; seconds: number };

const windowOf = (now: string, seconds: number): { start: string; end: string } => {
  const start = Math.floor(Date.parse(now) / (seconds * 1000)) * seconds * 1000;
  return { start: new Date(start).toISOString(), end: new Date(start + seconds * 1000).toISOString() };
};
const name = (limit: Limit): string => createHash('sha256').update(`${limit.bucket}:${limit.seconds}`).digest('base64url');

/** Counts one in the database, for all nodes together. Answers how many are left in this window; below 0 it is too many. */
export const count = async (tx: QueryExecutorProvider, limit: Limit, now: string): Promise<number> => {
  const { start, end } = windowOf(now, limit.seconds);
  const { rows } = await sql<{ count: number }>`
    insert into rate_limits (bucket, started_at, expires_at, count) values (${name(limit)}, ${start}, ${end}, 1)
    on conflict (bucket, started_at) do update set count = rate_limits.count + 1 returning count`.execute(tx);
  return limit.most - (rows[0]?.count ?? 0);
};

/** How many are left, without counting. */
export const left = async (tx: QueryExecutorProvider, limit: Limit, now: string): Promise<number> => {
  const { start } = windowOf(now, limit.seconds);
  const { rows } = await sql<{
    count: number;
  }>`select count from rate_limits where bucket = ${name(limit)} and started_at = ${start}`.execute(tx);
  return limit.most - (rows[0]?.count ?? 0);
};

/** Throws Problem `too-many-requests` (or the code given) with Retry-After when the window is used up. */
export const limited = async (
  tx: QueryExecutorProvider,
  limit: Limit,
  now: string,
  code: 'too-many-requests' | 'too-many-codes' = 'too-many-requests',
): Promise<number> => {
  const remaining = await count(tx, limit, now);
  if (remaining < 0) throw new Problem(code, undefined, { retryAfter: secondsLeft(limit, now) });
  return remaining;
};

/** Gives one back that turned out to be no reason to count. */
export const giveBack = async (tx: QueryExecutorProvider, limit: Limit, now: string): Promise<void> => {
  const { start } = windowOf(now, limit.seconds);
  await sql`update rate_limits set count = count - 1 where bucket = ${name(limit)} and started_at = ${start} and count > 0`.execute(tx);
};

/** Begins anew, whatever was counted. */
export const forget = async (tx: QueryExecutorProvider, limit: Limit): Promise<void> => {
  await sql`delete from rate_limits where bucket = ${name(limit)}`.execute(tx);
};

/** Seconds until the window ends. */
export const secondsLeft = (limit: Limit, now: string): number => (Date.parse(windowOf(now, limit.seconds).end) - Date.parse(now)) / 1000;
