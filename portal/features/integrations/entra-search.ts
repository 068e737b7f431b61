import { z } from 'zod/mini';
import { searchParser } from '../../ui/table/search.ts';

const schema = z.object({
  state: z.optional(z.string()),
  code: z.optional(z.string()),
  error: z.optional(z.string()),
});
export type EntraSearch = z.infer<typeof schema>;
export const parseEntraSearch: (raw: Record<string, unknown>) => EntraSearch = searchParser(schema);
