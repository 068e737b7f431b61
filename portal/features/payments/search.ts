import { PAYMENT_STATES } from '@hatchway/domain/terms.ts';
import { z } from 'zod/mini';
import { dayStart } from '../../app/dates.ts';
import { isoDay, listSearch, oneOf, rowId, searchParser, text } from '../../ui/table/search.ts';

/** A state, or those of them that wait for somebody's word about their money, or that are neither paid nor given up yet. */
const SHOWN = [...PAYMENT_STATES, 'wanting', 'underway'] as const;
const MEANT: Readonly<Record<string, Record<string, unknown>>> = {
  wanting: { wantsEnd: true },
  underway: { state: { $in: ['initiated', 'reserved'] }, wantsEnd: false },
};
const schema = z.object({ ...listSearch, state: oneOf(SHOWN), from: isoDay, occupation: text, payment: rowId });
/** `payment` is the one that stands open beside the list. */
export type PaymentsSearch = z.infer<typeof schema>;
export const parsePaymentsSearch: (raw: Record<string, unknown>) => PaymentsSearch = searchParser(schema);

/** The `q` of GET /payments for what the address says. */
export const paymentsQuestion = (search: PaymentsSearch, timeZone?: string): Record<string, unknown> => ({
  ...(search.state ? (MEANT[search.state] ?? { state: search.state }) : {}),
  ...(search.occupation ? { occupationId: search.occupation } : {}),
  ...(search.from ? { createdAt: { $gte: dayStart(search.from, 0, timeZone) } } : {}),
  ...(search.find ? { $text: search.find } : {}),
});
