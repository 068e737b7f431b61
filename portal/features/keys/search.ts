import { z } from 'zod/mini';
import { listSearch, searchParser } from '../../ui/table/search.ts';

const schema = z.object(listSearch);
export type KeysSearch = z.infer<typeof schema>;
export const parseKeysSearch: (raw: Record<string, unknown>) => KeysSearch = searchParser(schema);
