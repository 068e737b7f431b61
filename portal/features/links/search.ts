import { z } from 'zod/mini';
import { listSearch, rowId, searchParser, text } from '../../ui/table/search.ts';

const schema = z.object({ ...listSearch, state: text, purpose: text, link: rowId });
/** `link`: the one that is looked at beside the list. */
export type LinksSearch = z.infer<typeof schema>;
export const parseLinksSearch: (raw: Record<string, unknown>) => LinksSearch = searchParser(schema);
