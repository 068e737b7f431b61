import {
  sql,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type SelectType,
  type UpdateObject,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type { Tx } from './db/database.ts';
import type { Database } from './db/schema.ts';
import { absent } from './http/problem.ts';
import type { Scope } from './scope.ts';

/** One row of a company, by its id: what every command does with it, whatever noun it is of. */
type Owned = { [T in keyof Database]: Database[T] extends { tenant_id: string; id: string } ? T : never }[keyof Database];
type Stamped = { [T in Owned]: Database[T] extends { created_at: string; updated_at: string } ? T : never }[Owned];
type Versioned = { [T in Stamped]: Database[T] extends { version: unknown } ? T : never }[Stamped];
type Stamps = 'tenant_id' | 'id' | 'created_at' | 'updated_at';
type Picked<T extends Owned, C extends keyof Database[T]> = { [K in C]: SelectType<Database[T][K]> };
type Inserting<T extends Owned> = InsertQueryBuilder<Database, T, InsertResult>;
type Changing<T extends Versioned> = Omit<UpdateObject<Database, T>, Stamps | 'version'>;
type Updating<T extends Owned> = UpdateQueryBuilder<Database, T, T, UpdateResult>;

/** Kysely reads no columns out of a table that is not known yet: inside, one of them stands for all. */
const asOne = (table: Owned) => table as 'sites';

/** Held until the transaction ends. Throws `not-found`. */
export const lockRow = async <T extends Owned, C extends keyof Database[T] & string>(
  tx: Tx,
  table: T,
  tenantId: string,
  id: string,
  columns: readonly C[],
): Promise<Picked<T, C>> => {
  const row = await tx
    .selectFrom(asOne(table))
    .select(columns as readonly never[])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(absent);
  return row as Picked<T, C>;
};

/** An update of that row alone, which has still to be told what it sets: neither its version nor its time change by themselves. */
export const updateRow = <T extends Owned>(tx: Tx, table: T, tenantId: string, id: string): Updating<T> =>
  tx.updateTable(asOne(table)).where('tenant_id', '=', tenantId).where('id', '=', id) as unknown as Updating<T>;

/** The row becomes another, one version further: whoever is about to write upon the one before hears of it first. */
export const changeRow = <T extends Versioned>(tx: Tx, table: T, { tenantId, now }: Scope, id: string, fields: Changing<T>) =>
  updateRow(tx, table, tenantId, id).set({ ...fields, updated_at: now, version: sql`version + 1` } as never);

/** Its company and its times are the scope's. */
export const insertRow = <T extends Stamped>(
  tx: Tx,
  table: T,
  { tenantId, now }: Scope,
  id: string,
  fields: Omit<InsertObject<Database, T>, Stamps>,
): Inserting<T> => {
  const row = { ...fields, tenant_id: tenantId, id, created_at: now, updated_at: now };
  return tx.insertInto(asOne(table)).values(row as never) as unknown as Inserting<T>;
};
