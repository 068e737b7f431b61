import { z } from 'zod/mini';
import { isoDay, listSearch, searchParser, text } from '../../ui/table/search.ts';

const schema = z.object({ ...listSearch, kind: text, from: isoDay, to: isoDay, who: text, door: text });
export type HistorySearch = z.infer<typeof schema>;
/** What the history keeps in its address. `kind` is an event or a group of them; a word that is neither shows all. */
export const parseHistorySearch: (raw: Record<string, unknown>) => HistorySearch = searchParser(schema);
