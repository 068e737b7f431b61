import { z } from 'zod/mini';
import { listSearch, searchParser } from '../../ui/table/search.ts';

const schema = z.object({ find: listSearch.find });
export type StorefrontSearch = z.infer<typeof schema>;
export const parseStorefrontSearch: (raw: Record<string, unknown>) => StorefrontSearch = searchParser(schema);
