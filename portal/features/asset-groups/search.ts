import { z } from 'zod/mini';
import { listSearch, searchParser } from '../../ui/table/search.ts';

const schema = z.object(listSearch);
export type AssetGroupsSearch = z.infer<typeof schema>;
export const parseAssetGroupsSearch: (raw: Record<string, unknown>) => AssetGroupsSearch = searchParser(schema);
