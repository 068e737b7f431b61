import { z } from 'zod/mini';
import { listSearch, searchParser, text } from '../../ui/table/search.ts';

const schema = z.object({ ...listSearch, state: text, purpose: text, link: text });
/** `link`: the one that is looked at beside the list. */
export type LinksSearch = z.infer<typeof schema>;
export const parseLinksSearch: (raw: Record<string, unknown>) => LinksSearch = searchParser(schema);
