import { z } from 'zod/mini';
import { oneOf, searchParser, text } from '../../ui/table/search.ts';

/** The builder's address: all walls; one wall; its labels; the lockers to be checked; the round that checks them; and what is looked for. */
const VIEWS = ['labels', 'doubt', 'check'] as const;
const id = z.optional(z.catch(z.uuid(), undefined as unknown as string));
const schema = z.object({ cabinet: id, view: oneOf(VIEWS), find: text });
export type BuilderSearch = z.infer<typeof schema>;
export const parseBuilderSearch: (raw: Record<string, unknown>) => BuilderSearch = searchParser(schema);
