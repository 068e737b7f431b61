import { setTimeout as sleep } from 'node:timers/promises';
import { AbortedTransactionError, Kysely, Transaction, type KyselyProps } from 'kysely';
import pg from 'pg';
import type { Part } from '../part.ts';
import { turns } from '../turns.ts';
import { isDiskFault, isLost } from './errors.ts';
import { connectionOf, pipelineDialect, sendTogether } from './kysely-pipeline.ts';
import type { Database } from './schema.ts';

export type Tx = Transaction<Database>;

/** Ways to a transaction, each with what row-level security then lets through. */
type Ways = {
  /** Everything of one company. */
  tenant<T>(tenantId: string, fn: (tx: Tx) => Promise<T>): Promise<T>;
  /** A person's own account, their memberships, and the companies of those. */
  account<T>(accountId: string, fn: (tx: Tx) => Promise<T>): Promise<T>;
  /** Companies, to list and to make. Nothing inside of them. */
  operator<T>(fn: (tx: Tx) => Promise<T>): Promise<T>;
  /** No tenant: public_refs and rate_limits alone. */
  open<T>(fn: (tx: Tx) => Promise<T>): Promise<T>;
};

/**
 * The only ways to a transaction. `fn` may run again from its start when the database says that two transactions were in each other's way:
 * it does nothing outside the database.
 */
export type Db = Ways & {
  /** The same for calls that read: at most half of the connections at once. Whoever waited for 10 s runs without a turn. */
  reads: Ways;
  /** The same for calls that write. */
  writes: Ways;
  /** Operator and company at once: what must be there together from the beginning, the company and its first invitation. */
  founding<T>(tenantId: string, fn: (tx: Tx) => Promise<T>): Promise<T>;
  /** What leaves the process or is cleaned up for all companies: outbox, unanswered commands, spent idempotency keys. A crash may undo it. */
  relay<T>(fn: (tx: Tx) => Promise<T>): Promise<T>;
  /** For /readyz: answers or throws. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

type DatabaseOptions = {
  /** Connections kept at most. */
  max?: number;
  statementTimeoutMs?: number;
  /** Told when the line to the database is gone, and when it stands again. */
  part?: Part;
  /** Takes the process of PostgreSQL that serves a new connection. */
  onConnection?: (pid: number) => void;
  /** Told when PostgreSQL cannot write, and when a while has passed without that. */
  disk?: Part;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ATTEMPTS = 4;
const LOOK_AGAIN_MS = 500;
/** For a connection, and before it for a turn. */
const PATIENCE_MS = 10_000;
const DISK_QUIET_MS = 60_000;

export function openDatabase(url: string, options: DatabaseOptions = {}): Db {
  const { max = 16 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline: true,
    types: { getTypeParser },
    connectionTimeoutMillis: PATIENCE_MS,
    idleTimeoutMillis: 60_000,
    statement_timeout: options.statementTimeoutMs ?? 15_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // A connection may die while it is idle or between two statements of a transaction. The pool replaces it, whoever waits gets the
  // error; without listeners the process would end.
  let closing = false;
  const { part, disk } = options;
  let quiet: NodeJS.Timeout | undefined;
  // What is under way on a line that still stands says nothing of the others: back it is once a line can be had again.
  const lookAgain = async (): Promise<void> => {
    await sleep(LOOK_AGAIN_MS, undefined, { ref: false });
    if (closing) return;
    await pool.query('select 1').then(() => part?.regain(), lookAgain);
  };
  const noticed = (error: unknown) => {
    if (isDiskFault(error)) {
      disk?.lose((error as Error).message);
      clearTimeout(quiet);
      quiet = setTimeout(() => disk?.regain(), DISK_QUIET_MS).unref();
    }
    if (closing || part === undefined || part.away || !isLost(error)) return;
    part.lose((error as Error).message);
    void lookAgain();
  };
  pool.on('error', noticed);
  pool.on('connect', (client) => {
    client.on('error', noticed);
    options.onConnection?.((client as unknown as { processID: number }).processID);
  });
  const dialect = pipelineDialect(pool);
  const kysely = new Kysely<Database>({ dialect });
  const props = { config: { dialect }, dialect, driver: dialect.createDriver() };
  const run = async <T>(setting: string, fn: (tx: Tx) => Promise<T>, inTurn?: ReturnType<typeof turns>) => {
    const once = () => transaction(pool, kysely, props, setting, fn);
    try {
      // a turn for each attempt: whoever waits for another transaction keeps none
      return await retried(() => (inTurn ? inTurn(once) : once()));
    } catch (error) {
      noticed(error);
      throw error;
    }
  };
  const ways = (inTurn?: ReturnType<typeof turns>): Ways => ({
    tenant: async (tenantId, fn) => run(`; set local app.tenant_id = '${uuid(tenantId)}'`, fn, inTurn),
    account: async (accountId, fn) => run(`; set local app.account_id = '${uuid(accountId)}'`, fn, inTurn),
    operator: (fn) => run(`; set local app.operator = 'on'`, fn, inTurn),
    open: (fn) => run('', fn, inTurn),
  });
  const half = Math.ceil(max / 2);
  return {
    ...ways(),
    reads: ways(turns(half, PATIENCE_MS)),
    writes: ways(turns(half, PATIENCE_MS)),
    founding: async (tenantId, fn) => run(`; set local app.operator = 'on'; set local app.tenant_id = '${uuid(tenantId)}'`, fn),
    // What it takes away may come again after a crash: whoever listens drops what it has seen, so nobody waits for the disk here.
    relay: (fn) => run(`; set local app.relay = 'on'; set local synchronous_commit = off`, fn),
    ping: async () => void (await pool.query('select 1')),
    close: async () => {
      closing = true;
      const gone = allGone(pool);
      await kysely.destroy();
      if (!pool.ending) await pool.end();
      await gone;
    },
  };
}

/** The pool calls itself ended before its connections are; a database that is stopped then would cut them. */
function allGone(pool: pg.Pool): Promise<void> {
  let left = pool.totalCount;
  if (left === 0) return Promise.resolve();
  return new Promise((resolve) => {
    // one that hangs must not keep the whole process
    const patience = setTimeout(resolve, 2_000);
    pool.on('remove', () => {
      if (--left > 0) return;
      clearTimeout(patience);
      resolve();
    });
  });
}

const endings = new WeakMap<object, () => void>();
/**
 * The next statement is the last of its transaction: the commit leaves behind it in the same packet. For what only reads, since nothing that
 * goes wrong afterwards undoes it.
 */
export const endWithNext = (tx: object): void => endings.get(tx)?.();

/** `begin` and the setting are sent without waiting, in one packet with the first query: a round trip saved for each transaction. */
async function transaction<T>(
  pool: pg.Pool,
  kysely: Kysely<Database>,
  props: Omit<KyselyProps, 'executor'>,
  setting: string,
  fn: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let ending: Promise<pg.QueryResult> | undefined;
  let over = false;
  try {
    sendTogether(client);
    // Where this fails every later statement of the connection fails too, and says why.
    client.query(`begin${setting}`).catch((error: Error) => (broken = error));
    const connection = connectionOf(client);
    let last = false;
    const executor = kysely.getExecutor().withConnectionProvider({
      provideConnection: async (consumer) => {
        // it would be of no transaction and no company, or of somebody else's
        if (over || ending) throw new Error('Asked after the last statement of its transaction');
        const asked = consumer(connection);
        if (last) (ending = client.query('commit')).catch((error: Error) => (broken = error));
        return asked;
      },
    });
    const tx = new Transaction<Database>({ ...props, executor });
    endings.set(tx, () => (last = true));
    const result = await fn(tx);
    over = true;
    // A statement whose error the callback swallowed leaves the transaction aborted: PostgreSQL answers ROLLBACK, and nothing was kept.
    const answer = await (ending ?? client.query('commit'));
    if (answer.command !== 'COMMIT') throw new AbortedTransactionError();
    return result;
  } catch (error) {
    over = true;
    await (ending ?? client.query('rollback')).catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Thrown inside a transaction by what must wait for another one: nothing is kept, no connection and no lock is held meanwhile, and it
 * runs again from its start. After `patienceMs` of that `otherwise` is thrown instead.
 */
export class TryAgain extends Error {
  readonly otherwise: Error;
  readonly patienceMs: number;
  constructor(otherwise: Error, patienceMs = 1_000) {
    super('another transaction is in the way');
    this.otherwise = otherwise;
    this.patienceMs = patienceMs;
  }
}
const PAUSE_MS = 25;

/** Serialisation failures and deadlocks: nothing was kept, so it may run again, a little later each time. */
async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1, waits = 0; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (error instanceof TryAgain) {
        attempt -= 1;
        waits += 1;
        if (waits * PAUSE_MS >= error.patienceMs) throw error.otherwise;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        continue;
      }
      const code = (error as { code?: string }).code;
      if (attempt === ATTEMPTS || (code !== '40001' && code !== '40P01')) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
    }
  }
}

function uuid(value: string): string {
  if (!UUID.test(value)) throw new TypeError(`Not a UUID: ${JSON.stringify(value)}`);
  return value;
}

/**
 * Times are ISO strings, as the domain and the wire have them; bigint and numeric (sums, counts) are numbers, since nothing here comes
 * near 2^53; everything else as pg reads it.
 */
const PARSERS = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.TIMESTAMPTZ, isoTime],
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.DATE, String],
]);

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  const parser = format === 'binary' ? undefined : PARSERS.get(oid);
  return parser ?? (pg.types.getTypeParser(oid, format) as (value: string) => unknown);
}

/** `2026-01-02 03:04:05.678+00` → `2026-01-02T03:04:05.678Z`. The sessions run in UTC; any other offset takes the long way. */
function isoTime(value: string): string {
  if (!value.endsWith('+00') || value.length > 26) return new Date(value).toISOString();
  const fraction = value.slice(20, -3).padEnd(3, '0');
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction}Z`;
}
