import pg from 'pg';

/** How the rows of a statement look, and how each of their fields is read. */
type Shape = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown };
type Connection = { describe: (what: unknown) => void };
/** As far as pg's own query is another here (`lib/query.js` and `lib/result.js` of 8.23, whose version is pinned). */
type Inside = {
  name: string;
  _result: Shape;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
};
type Done = (error: Error | null, result: pg.QueryResult) => void;
const Query = pg.Query as unknown as new (text: string, values: readonly unknown[], done: Done) => Inside;

/** By the name of a statement; null: it has no rows. */
export type Shapes = Map<string, Shape | null>;

const silent = new WeakMap<Connection, Connection>();
/** The same connection, which asks for no description. */
function withoutDescription(connection: Connection): Connection {
  let same = silent.get(connection);
  if (same === undefined) silent.set(connection, (same = Object.create(connection, { describe: { value: () => {} } }) as Connection));
  return same;
}

/**
 * A statement that is prepared by its name on one connection. How its rows look PostgreSQL says once: another look of the same name it
 * refuses. pg asks with each call, for which both sides go through each column anew.
 */
class PreparedQuery extends Query {
  readonly #shapes: Shapes;

  constructor(name: string, text: string, values: readonly unknown[], shapes: Shapes, done: Done) {
    super(text, values, done);
    this.name = name;
    this.#shapes = shapes;
  }

  override prepare(connection: Connection): void {
    const shape = this.#shapes.get(this.name);
    if (shape === undefined) return super.prepare(connection);
    if (shape !== null) Object.assign(this._result, shape);
    this._accumulateRows = shape !== null;
    super.prepare(withoutDescription(connection));
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    super.handleCommandComplete(message, connection);
    if (!this.#shapes.has(this.name)) this.#shapes.set(this.name, null);
  }
}

/** Asks by a prepared statement. `shapes`: those of this connection. Throws what PostgreSQL refuses, from where it was asked. */
export const askPrepared = (
  client: pg.ClientBase,
  shapes: Shapes,
  { name, text, values }: { name: string; text: string; values: readonly unknown[] },
): Promise<pg.QueryResult> =>
  new Promise<pg.QueryResult>((resolve, reject) => {
    const done: Done = (error, result) => (error ? reject(error) : resolve(result));
    client.query(new PreparedQuery(name, text, values, shapes, done) as unknown as pg.Submittable);
  }).catch((error: Error) => {
    Error.captureStackTrace(error);
    throw error;
  });
