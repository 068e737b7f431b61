import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** JSON on its way in. pg turns arrays into PostgreSQL arrays, so a jsonb column takes nothing but what `jsonb()` made. */
type Jsonb<T> = string & { readonly json?: T };
export function jsonb<T>(value: T): Jsonb<T> {
  return JSON.stringify(value);
}
export type Json<T> = ColumnType<T, Jsonb<T>, Jsonb<T>>;
export type JsonOr<T, D> = ColumnType<T | D, Jsonb<T> | D | undefined, Jsonb<T> | D>;
export type JsonDefault<T> = ColumnType<T, Jsonb<T> | undefined, Jsonb<T>>;
export type Data = Record<string, unknown>;
export type Time = string;

export type Named = { tenant_id: string; id: string };
/** What nearly every row has; `version` grows by one with each change. */
export type Row = Named & { version: Generated<number>; created_at: Time; updated_at: Time };
/** Full text for search_*(); never selected (name the columns). */
export type Words = { words: GeneratedAlways<string> };
