import { OCCUPATION_SERVICES } from '@hatchway/domain/terms.ts';
import { z } from 'zod/mini';
import { isoDay, listSearch, oneOf, searchParser, text } from '../../ui/table/search.ts';

/** 0 to 23, of the company's clock. */
const hour = z.catch(z.optional(z.int().check(z.gte(0), z.lte(23))), undefined);
const schema = z.object({
  ...listSearch,
  kind: text,
  from: isoDay,
  to: isoDay,
  who: text,
  door: text,
  hour,
  service: oneOf(OCCUPATION_SERVICES),
  currency: text,
});
export type HistorySearch = z.infer<typeof schema>;
/** Of two days, whether the last one lies before the first: between them there is nothing. */
export const daysTurned = ({ from, to }: Pick<HistorySearch, 'from' | 'to'>): boolean =>
  from !== undefined && to !== undefined && to < from;

/** What the history keeps in its address. `kind` is an event or a group of them; a word that is neither shows all. */
export const parseHistorySearch: (raw: Record<string, unknown>) => HistorySearch = searchParser(schema);
