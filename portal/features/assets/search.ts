import { z } from 'zod/mini';
import { listSearch, oneOf, searchParser, text } from '../../ui/table/search.ts';

export const LOAN_STATES = ['in', 'out', 'overdue'] as const;
export const SOURCES = ['local', 'tcm'] as const;
const schema = z.object({ ...listSearch, label: text, group: text, loan: oneOf(LOAN_STATES), source: oneOf(SOURCES) });
export type AssetsSearch = z.infer<typeof schema>;
export const parseAssetsSearch: (raw: Record<string, unknown>) => AssetsSearch = searchParser(schema);

/** The `q` of GET /assets for what the address says; `now` to the minute, so that the question stays the same for a while. */
export const assetsQuestion = (search: AssetsSearch, now: Date): Record<string, unknown> => ({
  ...(search.find ? { $text: search.find } : {}),
  ...(search.label ? { statusLabelId: search.label === 'none' ? null : search.label } : {}),
  ...(search.group ? { assetGroupIds: search.group === 'none' ? null : search.group } : {}),
  ...(search.source ? { source: search.source } : {}),
  ...(search.loan === undefined ? {} : { lent: search.loan !== 'in' }),
  ...(search.loan === 'overdue' ? { dueAt: { $lt: new Date(Math.floor(now.getTime() / 60_000) * 60_000).toISOString() } } : {}),
});

export const isNarrowed = (search: AssetsSearch): boolean =>
  Boolean(search.find || search.label || search.group || search.loan || search.source);
