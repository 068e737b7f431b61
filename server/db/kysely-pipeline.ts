import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  ValueNode,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import { askPrepared, type Shapes } from './prepared-query.ts';

/** Distinct statements that one connection keeps prepared; beyond it (lists of ever other lengths) they are planned each time. */
const MAX_PREPARED = 400;

/** What is asked within one turn of the event loop leaves together: each write of its own is a call of the system, and wakes PostgreSQL. */
export function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as pg.Client).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** A pooled connection as Kysely sees it. Every statement has a name, so PostgreSQL parses it once a connection. */
class PipelinedConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  readonly #names = new Map<string, string>();
  readonly #shapes: Shapes = new Map();

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const name = this.#nameOf(query.sql);
    const asked = { text: query.sql, values: query.parameters as unknown[] };
    sendTogether(this.client);
    const result = await (name === undefined ? this.client.query(asked) : askPrepared(this.client, this.#shapes, { ...asked, name }));
    const rows = result.rows as R[];
    return result.command === 'SELECT' || result.rowCount === null ? { rows } : { rows, numAffectedRows: BigInt(result.rowCount) };
  }

  // oxlint-disable-next-line require-yield -- a cursor holds the pipeline up; long lists are paged by key
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported: page by key');
  }

  #nameOf(sql: string): string | undefined {
    let name = this.#names.get(sql);
    if (name === undefined && this.#names.size < MAX_PREPARED) {
      name = `h${this.#names.size}`;
      this.#names.set(sql, name);
    }
    return name;
  }
}

/** Writes limits into the statement: with one as a parameter PostgreSQL takes the general plan for dear, and plans at every call. */
class LiteralLimits extends PostgresQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const limit = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0) this.append(`limit ${limit}`);
    else super.visitLimit(node);
  }
}

/** Kysely's view of the pool. Transactions are begun by database.ts, since they carry who is asking. */
export function pipelineDialect(pool: pg.Pool): Dialect {
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connectionOf(await pool.connect()),
    beginTransaction: unsupported,
    commitTransaction: unsupported,
    rollbackTransaction: unsupported,
    releaseConnection: async (connection) => (connection as PipelinedConnection).client.release(),
    destroy: () => pool.end(),
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new LiteralLimits(),
  };
}

const connections = new WeakMap<pg.PoolClient, PipelinedConnection>();

export function connectionOf(client: pg.PoolClient): PipelinedConnection {
  let connection = connections.get(client);
  if (connection === undefined) connections.set(client, (connection = new PipelinedConnection(client)));
  return connection;
}

async function unsupported(): Promise<void> {
  throw new Error('Use Db.tenant, Db.account, Db.operator or Db.open');
}
