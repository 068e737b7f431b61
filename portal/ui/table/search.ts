import { z } from 'zod/mini';

/** Pages of a list: 25, 50, 100 rows, or all of them in one scroll. */
export const SIZES = [25, 50, 100, 'all'] as const;
export type PageSize = (typeof SIZES)[number];
export const SIZE_DEFAULT: PageSize = 50;

const words = z.optional(
  z.catch(z.pipe(z.transform(String), z.string().check(z.trim(), z.minLength(1), z.maxLength(200))), undefined as unknown as string),
);

/**
 * What every list keeps in its address. A value that makes no sense is left out instead of breaking the screen: addresses are typed,
 * shortened and mailed. Numbers come back from the address as numbers, so a search for 1042 is made a text again.
 */
export const listSearch = {
  find: words,
  sort: z.optional(z.catch(z.string().check(z.maxLength(40)), undefined as unknown as string)),
  size: z.optional(z.catch(z.union([z.literal(25), z.literal(50), z.literal(100), z.literal('all')]), undefined as unknown as 25)),
};
export type ListSearch = { find?: string | undefined; sort?: string | undefined; size?: PageSize | undefined };

export const oneOf = <const V extends readonly string[]>(values: V) =>
  z.optional(z.catch(z.enum(values as unknown as [V[number], ...V[number][]]), undefined as unknown as V[number]));
export const text = words;
/** Which row stands open beside its list. */
export const rowId = z.optional(z.catch(z.uuid(), undefined as unknown as string));
export const isoDay = z.optional(z.catch(z.iso.date(), undefined as unknown as string));

/** Drops what is not set, so that the address stays short. */
export const compact = <T extends Record<string, unknown>>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;

export const searchParser =
  <S extends z.ZodMiniType<Record<string, unknown>>>(schema: S) =>
  (raw: Record<string, unknown>): z.output<S> =>
    compact(schema.parse(raw));

/** The address of a list that has no filters of its own. */
export const parseListSearch = searchParser(z.object(listSearch));

/** Whether each of the words that are looked for stands somewhere in these; where nothing is looked for, so it is. */
export const isFound = (find: string | undefined, known: readonly string[]): boolean => {
  const line = known.join('\n').toLocaleLowerCase();
  return (find ?? '')
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word));
};
