import { z } from 'zod/mini';
import { listSearch, searchParser } from '../../ui/table/search.ts';

const schema = z.object(listSearch);
type PoliciesSearch = z.infer<typeof schema>;
export const parsePoliciesSearch: (raw: Record<string, unknown>) => PoliciesSearch = searchParser(schema);
