import { sql, type CompiledQuery, type InsertObject, type RawBuilder } from 'kysely';
import type { Tx } from './database.ts';
import type { Database } from './schema.ts';

/** Stands in a statement for a value that it is asked with. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is put together and written out once, for what nearly every call asks: done each time it took node longer than sending
 * it. `make` gets a place for each value, so the statement cannot hang on what they are.
 */
export const madeOnce = <Asked extends object, Row>(make: (tx: Tx, asked: Asked) => CompiledQuery<Row>) => {
  let made: CompiledQuery<Row> | undefined;
  return async (tx: Tx, asked: Asked): Promise<Row[]> => {
    made ??= make(tx, Object.fromEntries(Object.keys(asked).map((name) => [name, new Place(name)])) as Asked);
    const parameters = made.parameters.map((one) => (one instanceof Place ? asked[one.name as keyof Asked] : one));
    return (await tx.executeQuery<Row>({ ...made, parameters })).rows;
  };
};

/**
 * `= any` of these ids, read by a query of their own: no plan sees how many there are, so one plan serves one and two hundred. Written as a
 * parameter, one id looked cheaper than the ten that a general plan assumes, and each call was planned anew.
 */
export const anyOf = (ids: readonly string[] | readonly number[], type: 'uuid' | 'bigint' = 'uuid'): RawBuilder<never> =>
  sql<never>`any(array(select unnest(${ids}::${sql.raw(type)}[])))`;

/** So many rows at once are nothing that every call writes. */
const FEW = 8;

/** Writes rows that all name the same columns, each of them with a value or null, by a statement that is made once for each number of them. */
export const insertOnce = <T extends keyof Database>(table: T) => {
  const made = new Map<string, CompiledQuery>();
  return async (tx: Tx, rows: readonly InsertObject<Database, T>[]): Promise<void> => {
    const columns = Object.keys(rows[0] ?? {}) as (keyof InsertObject<Database, T>)[];
    const parameters = rows.flatMap((row) => columns.map((name) => row[name]));
    if (parameters.some((one) => one === undefined) || rows.some((row) => Object.keys(row).length !== columns.length))
      throw new Error(`Rows of ${table} that name other columns than the first`);
    const key = `${rows.length} ${columns.join()}`;
    const statement = made.get(key) ?? tx.insertInto(table).values(rows).compile();
    if (rows.length <= FEW) made.set(key, statement);
    await tx.executeQuery({ ...statement, parameters });
  };
};
