import { z } from 'zod/mini';
import { listSearch, searchParser, text } from '../../ui/table/search.ts';

/** `id`: the group that is open. */
const schema = z.object({ ...listSearch, id: text });
export type GroupsSearch = z.infer<typeof schema>;
export const parseGroupsSearch: (raw: Record<string, unknown>) => GroupsSearch = searchParser(schema);
